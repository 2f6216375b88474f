// Helpers of the bindings: conversion of sequences, lists and bytes of any size. nanobind's vectors
// are used for results only: with the stable ABI nanobind trusts the length that a sequence
// reports. Conversion of numbers needs the GIL, which the watch releases from time to time. The
// stable ABI excludes Python's macros that access the fields of objects.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "cost.hpp"
#include "python/python_lock.hpp"
#include "watch.hpp"

namespace nonosat {

// Calls `visit` with each item of a sequence.
template <class Visit>
void each_item(const nanobind::object& sequence, Watch& watch, Visit visit) {
  const auto take = [&](nanobind::handle item) {
    visit(nanobind::borrow(item));
    watch.work(cost::kItem);
  };
  PyObject* const items = sequence.ptr();
  // Other threads may change a list while the watch releases the GIL. An iterator would take half
  // as long again for the clues of a board.
  if (PyTuple_CheckExact(items)) {
    for (Py_ssize_t i = 0; i < PyTuple_Size(items); ++i) take(PyTuple_GetItem(items, i));
  } else if (PyList_CheckExact(items)) {
    for (Py_ssize_t i = 0; i < PyList_Size(items); ++i) take(PyList_GetItem(items, i));
  } else {
    for (const nanobind::handle item : sequence) take(item);
  }
}

// Reads an ordinary int in a fifth of nanobind's instructions. Returns false for any other object,
// which nanobind may still be able to convert.
inline bool plain_number(PyObject* item, int32_t& value) {
  if (!PyLong_CheckExact(item)) return false;
  int overflow = 0;
  const long number = PyLong_AsLongAndOverflow(item, &overflow);
  value = static_cast<int32_t>(number);
  return !overflow && value == number;
}

template <class T>
T to_value(nanobind::handle item) {
  T value;
  if constexpr (std::is_same_v<T, int32_t>) {
    if (plain_number(item.ptr(), value)) return value;
  }
  if (!nanobind::try_cast<T>(item, value)) {
    throw nanobind::type_error("an item of a sequence has a wrong type");
  }
  return value;
}

template <class T>
std::vector<T> to_vector(const nanobind::object& sequence, Watch& watch) {
  std::vector<T> values;
  values.reserve(nanobind::len(sequence));
  each_item(sequence, watch,
            [&](const nanobind::object& item) { values.push_back(to_value<T>(item)); });
  return values;
}

inline PyObject* to_number(int32_t number) { return PyLong_FromLong(number); }
inline PyObject* to_number(int64_t number) { return PyLong_FromLongLong(number); }
inline PyObject* to_number(double number) { return PyFloat_FromDouble(number); }

// Creates a list without calls of the watch; for at most a few thousand numbers.
template <class T>
nanobind::list to_short_list(std::span<const T> numbers) {
  PyObject* const made = PyList_New(std::ssize(numbers));
  if (!made) throw nanobind::python_error();
  const auto list = nanobind::steal<nanobind::list>(made);
  for (size_t i = 0; i < numbers.size(); ++i) {
    PyObject* const number = to_number(numbers[i]);
    if (!number) throw nanobind::python_error();
    PyList_SetItem(made, static_cast<Py_ssize_t>(i), number);  // cannot fail for a new list
  }
  return list;
}

// Creates a list in pieces, between which the watch releases the GIL.
template <class T>
nanobind::typed<nanobind::list, T> to_list(std::span<const T> numbers, Watch& watch) {
  constexpr size_t kPiece = 4096;
  nanobind::list list = to_short_list(numbers.first(std::min(kPiece, numbers.size())));
  watch.work(cost::kItem * static_cast<int64_t>(list.size()));
  for (size_t at = kPiece; at < numbers.size(); at += kPiece) {
    list.extend(to_short_list(numbers.subspan(at, std::min(kPiece, numbers.size() - at))));
    watch.work(cost::kItem * kPiece);
  }
  return nanobind::borrow<nanobind::typed<nanobind::list, T>>(list);
}

template <class T>
nanobind::typed<nanobind::list, T> to_list(const std::vector<T>& numbers, Watch& watch) {
  return to_list(std::span<const T>(numbers), watch);
}

// Converts to bytes; large data are copied and freed without the GIL.
template <class Items>
nanobind::bytes to_bytes(Items items) {
  constexpr size_t kLarge = size_t{1} << 20;
  const size_t size = items.size() * sizeof(*items.data());
  if (size < kLarge) return nanobind::bytes(items.data(), size);
  const auto bytes =
      nanobind::steal(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size)));
  if (!bytes.is_valid()) throw nanobind::python_error();
  char* const memory = PyBytes_AsString(bytes.ptr());
  {
    const Unlocked unlock;
    std::memcpy(memory, items.data(), size);
    items = Items();
  }
  return nanobind::borrow<nanobind::bytes>(bytes);
}

}  // namespace nonosat
