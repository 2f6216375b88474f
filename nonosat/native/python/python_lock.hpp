// What the bindings share: Python's lock, left and taken again.
//
// A thread that waits for the lock of a Python that is ending never gets it. Up to 3.13 Python ends
// such a thread by pthread_exit, which unwinds it, here through frames that let no exception pass
// (destructors, nanobind): the whole process would abort. So the thread is held where it stands
// until the process has ended, as Python 3.14 does by itself.
#pragma once

#include <cxxabi.h>
#include <nanobind/nanobind.h>
#include <unistd.h>

#include <exception>

namespace nonosat {

// Calls `ask`, which may wait for Python's lock at its beginning or at any step. Between the two
// nothing has a destructor: it would be run on the way here.
template <class Ask>
auto held_at_exit(Ask ask) -> decltype(ask()) {
#ifdef __GLIBCXX__
  try {
    return ask();
  } catch (const abi::__forced_unwind&) {
    while (true) pause();
  }
#else
  return ask();
#endif
}

// The first exception of a thread takes memory, without which the C library ends the process. It is
// taken here, not when the exception says that there is none left. The call has no other effect, so
// compilers would leave it out if nothing took the number.
inline void make_ready_to_throw() {
  [[maybe_unused]] const volatile int taken = std::uncaught_exceptions();
}

// Leaves Python's lock for as long as this lives.
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

// Holds Python's lock for as long as this lives.
class Locked {
 public:
  Locked() : state_(held_at_exit(PyGILState_Ensure)) {}
  Locked(const Locked&) = delete;
  ~Locked() { PyGILState_Release(state_); }

 private:
  PyGILState_STATE state_;
};

}  // namespace nonosat
