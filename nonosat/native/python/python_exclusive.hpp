// Helpers of the bindings: native objects that only one call at a time may use.
//
// Calls release the GIL, so two threads could use one object at the same time. No call waits: the
// later one is refused. An object that works on another one (a search on its board) locks both.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "python/python_lock.hpp"

namespace nonosat {

// State of an object: in use or not, and its number of changes.
class Busy {
 public:
  // `on`: the state of the object that this one works on, or null; it outlives this one.
  explicit Busy(Busy* on) : on_(on), seen_(on ? on->num_changes_ : 0) {}

  // Locks both; returns false, with nothing locked, if one of them is in use.
  bool take() {
    if (is_taken_.test_and_set(std::memory_order_acquire)) return false;
    if (!on_ || on_->take()) return true;
    is_taken_.clear(std::memory_order_release);
    return false;
  }

  void give_back() {
    if (on_) on_->give_back();
    is_taken_.clear(std::memory_order_release);
  }

  // Counts a change of the object, or of the one it works on. Both must be locked.
  void change() { ++num_changes_; }
  void change_other() { on_->change(); }

  // Counts a change that this object makes to its target `*on_`. Returns false, without counting,
  // if another object has changed the target since the last change by this one.
  bool change_own() {
    if (on_->num_changes_ != seen_) return false;
    seen_ = ++on_->num_changes_;
    return true;
  }

 private:
  Busy* on_;
  uint64_t num_changes_ = 0;
  uint64_t seen_;  // number of changes of `on_` at the last own change
  std::atomic_flag is_taken_;
};

template <class T>
class Use;

// Holder of a T in a Python object; the T is accessible through a Use.
template <class T>
class Exclusive {
 public:
  template <class... Arguments>
  explicit Exclusive(Busy* on, Arguments&&... arguments)
      : busy_(on), object_(std::in_place, std::forward<Arguments>(arguments)...) {}
  Exclusive(const Exclusive&) = delete;

  // Releases the GIL: freeing millions of lists takes long.
  ~Exclusive() {
    const Unlocked unlock;
    object_.reset();
  }

 private:
  friend class Use<T>;

  Busy busy_;
  std::optional<T> object_;
};

// Scoped lock of an object.
template <class T>
class Use {
 public:
  // Requires the GIL. Raises RuntimeError if another call uses the object.
  explicit Use(Exclusive<T>& object) : object_(object) {
    if (object.busy_.take()) return;
    throw std::runtime_error("this " + word() +
                             ", or what it works on, is in use: another call has not returned; "
                             "wait for it, or give each thread a " +
                             word() + " of its own");
  }
  Use(const Use&) = delete;
  ~Use() { object_.busy_.give_back(); }

  T& operator*() const { return *object_.object_; }
  T* operator->() const { return &*object_.object_; }

  // State of the object, for the constructor of another object that will work on it.
  Busy* busy() const { return &object_.busy_; }

  // Call these before a change; see `Busy`.
  void change() const { object_.busy_.change(); }
  void change_other() const { object_.busy_.change_other(); }
  void change_own() const {
    if (object_.busy_.change_own()) return;
    throw std::runtime_error("what this " + word() +
                             " works on was changed by something else; make another " + word());
  }

 private:
  static std::string word() {
    return nanobind::str(nanobind::type<Exclusive<T>>().attr("__name__")).c_str();
  }

  Exclusive<T>& object_;
};

template <class>
struct ClassOf;
template <class T, class R>
struct ClassOf<R (T::*)() const> {
  using type = T;
};

// Getter of a small value.
template <auto method, class T = typename ClassOf<decltype(method)>::type>
auto getter(Exclusive<T>& self) {
  const Use<T> use(self);
  return ((*use).*method)();
}

}  // namespace nonosat
