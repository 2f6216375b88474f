// What the bindings share: native objects that one call at a time may use.
//
// Calls leave Python's lock, so that two threads could be at work on one object. Nothing waits: the
// later call is refused. An object that works on another one (a search on its board) takes both.
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

// Whether a call is at work on an object.
class Busy {
 public:
  // `on`: what the object works on; it outlives the object.
  explicit Busy(Busy* on) : on_(on), seen_(on ? on->num_changes_ : 0) {}

  // False, with nothing taken, where one of the two is in use.
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

  // While both are taken: the object has changed; so has what it works on.
  void change() { ++num_changes_; }
  void change_other() { on_->change(); }

  // The same for an object that relies on what it works on, which only it may change. False, with
  // nothing done, where something else has changed that since the last call.
  bool change_own() {
    if (on_->num_changes_ != seen_) return false;
    seen_ = ++on_->num_changes_;
    return true;
  }

 private:
  Busy* on_;
  uint64_t num_changes_ = 0;
  uint64_t seen_;  // changes of what it works on
  std::atomic_flag is_taken_;
};

template <class T>
class Use;

// What Python holds in place of a T. Its T is reached through a Use.
template <class T>
class Exclusive {
 public:
  template <class... Arguments>
  explicit Exclusive(Busy* on, Arguments&&... arguments)
      : busy_(on), object_(std::in_place, std::forward<Arguments>(arguments)...) {}
  Exclusive(const Exclusive&) = delete;

  // To free millions of lists takes long.
  ~Exclusive() {
    const Unlocked unlock;
    object_.reset();
  }

 private:
  friend class Use<T>;

  Busy busy_;
  std::optional<T> object_;
};

// The right to use an object, for as long as this lives.
template <class T>
class Use {
 public:
  // To be called with Python's lock held. Raises RuntimeError where another call is at work.
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

  // For an object that will work on this one.
  Busy* busy() const { return &object_.busy_; }

  // See `Busy`. To be called before a change.
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

// A getter of something small.
template <auto method, class T = typename ClassOf<decltype(method)>::type>
auto got(Exclusive<T>& self) {
  const Use<T> use(self);
  return ((*use).*method)();
}

}  // namespace nonosat
