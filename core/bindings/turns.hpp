// Turns: objects of the core that change while they are used belong to one thread at a time.
#pragma once

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "bindings/gil.hpp"

namespace polyversi::bindings {

class Turns {
  public:
    // Works when it is this thread's turn. Nobody waits with the GIL: whoever works may need it for interrupt checks.
    template <class Work>
    auto alone(Work work) const {
        if (thread_ == std::this_thread::get_id()) throw std::runtime_error("it is in use: a signal handler cannot use what it has interrupted");
        const GilRelease released;
        take();
        const std::unique_lock lock(mutex_, std::adopt_lock);
        const Mark mark(thread_);
        return work();
    }

    // Whether this process made the object, or has used it since it was forked.
    bool are_of_this_process() const { return process_ == getpid(); }

  private:
    struct Mark {
        explicit Mark(std::atomic<std::thread::id>& its_thread) : thread(its_thread) { thread = std::this_thread::get_id(); }
        ~Mark() { thread = std::thread::id(); }
        std::atomic<std::thread::id>& thread;
    };

    void take() const {
        if (are_of_this_process()) return mutex_.lock();
        // In a forked process: if somebody had the turn, that thread was left behind and never ends it.
        constexpr int kTries = 100;
        for (int tries = 0; !mutex_.try_lock(); ++tries) {
            if (are_of_this_process()) return mutex_.lock();  // another thread was first
            if (tries == kTries) throw std::runtime_error("it was in use when this process was forked; make another one here");
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        process_ = getpid();
    }

    mutable std::mutex mutex_;
    mutable std::atomic<pid_t> process_{getpid()};
    mutable std::atomic<std::thread::id> thread_{};
};

}  // namespace polyversi::bindings
