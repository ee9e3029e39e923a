// The interpreter's lock, given away while the core works and taken again. When the interpreter ends meanwhile it ends the
// thread by unwinding it, which C++ takes for a fault that ends the process: such a thread waits for the end instead.
#pragma once

#include <Python.h>

#include <chrono>
#include <thread>

namespace polyversi::bindings {

template <class Take>
auto or_wait_for_the_end(Take take) {
    try {
        return take();
    } catch (...) {  // the unwinding of this thread: it is not over as long as nobody leaves here
        for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
    }
}

class Unlocked {
  public:
    Unlocked() : state_(PyEval_SaveThread()) {}
    ~Unlocked() {
        or_wait_for_the_end([this] { PyEval_RestoreThread(state_); });
    }
    Unlocked(const Unlocked&) = delete;
    Unlocked& operator=(const Unlocked&) = delete;

  private:
    PyThreadState* state_;
};

class Locked {
  public:
    Locked() : state_(or_wait_for_the_end([] { return PyGILState_Ensure(); })) {}
    ~Locked() { PyGILState_Release(state_); }
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;

  private:
    PyGILState_STATE state_;
};

}  // namespace polyversi::bindings
