// Helpers of the bindings: release and acquisition of the GIL.
//
// A thread that waits for the GIL of an interpreter that is shutting down never gets it. Up to
// Python 3.13 such a thread is ended by pthread_exit, which unwinds its stack, here through frames
// that allow no exception (destructors, nanobind), so that the whole process would abort. Therefore
// the thread is blocked until the process has ended, as Python 3.14 does itself.
#pragma once

#include <cxxabi.h>
#include <nanobind/nanobind.h>
#include <unistd.h>

#include <exception>

namespace nonosat {

// Calls `acquire`, which may wait for the GIL, and blocks the thread if the interpreter is shutting
// down. `acquire` must not have local objects with destructors while it waits for the GIL, because
// unwinding its frames would run them.
template <class Acquire>
auto held_at_exit(Acquire acquire) -> decltype(acquire()) {
#ifdef __GLIBCXX__
  try {
    return acquire();
  } catch (const abi::__forced_unwind&) {
    while (true) pause();
  }
#else
  return acquire();
#endif
}

// Allocates the memory for a thread's first exception, without which the C library would end the
// process. Allocation at the throw would fail when the exception is due to lack of memory. The
// result is stored in a volatile because compilers would otherwise remove the call.
inline void make_ready_to_throw() {
  [[maybe_unused]] const volatile int taken = std::uncaught_exceptions();
}

// Releases the GIL for its lifetime.
class Unlocked {
 public:
  Unlocked() {
    make_ready_to_throw();
    state_ = PyEval_SaveThread();
  }
  Unlocked(const Unlocked&) = delete;
  ~Unlocked() {
    held_at_exit([this] { PyEval_RestoreThread(state_); });
  }

 private:
  PyThreadState* state_;
};

// Holds the GIL for its lifetime.
class Locked {
 public:
  Locked() : state_(held_at_exit(PyGILState_Ensure)) {}
  Locked(const Locked&) = delete;
  ~Locked() { PyGILState_Release(state_); }

 private:
  PyGILState_STATE state_;
};

}  // namespace nonosat
