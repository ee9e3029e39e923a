// Releasing and acquiring the interpreter's lock (GIL). If the interpreter exits in the meantime, it ends a waiting thread
// by unwinding its stack, which would terminate a C++ process. With these guards, unlike nanobind's, such a thread sleeps
// until the process ends.
#pragma once

#include <Python.h>

#include <chrono>
#include <thread>

namespace polyversi::bindings {

template <class Take>
auto or_wait_for_exit(Take take) {
    try {
        return take();
    } catch (...) {  // the unwinding of this thread; it stays here
        for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
    }
}

class GilRelease {
  public:
    GilRelease() : state_(PyEval_SaveThread()) {}
    ~GilRelease() {
        or_wait_for_exit([this] { PyEval_RestoreThread(state_); });
    }
    GilRelease(const GilRelease&) = delete;
    GilRelease& operator=(const GilRelease&) = delete;

  private:
    PyThreadState* state_;
};

class GilAcquire {
  public:
    GilAcquire() : state_(or_wait_for_exit([] { return PyGILState_Ensure(); })) {}
    ~GilAcquire() { PyGILState_Release(state_); }
    GilAcquire(const GilAcquire&) = delete;
    GilAcquire& operator=(const GilAcquire&) = delete;

  private:
    PyGILState_STATE state_;
};

}  // namespace polyversi::bindings
