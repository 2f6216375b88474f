// What the bindings share: sequences, lists and bytes of any size. To turn numbers of Python into
// native ones and back takes Python's lock: the watch hands it on in between.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "watch.hpp"

namespace nonosat {

constexpr int64_t kItemCost = 30;  // units of work

// Calls `visit` with each item of a sequence.
template <class Visit>
void each_item(const nanobind::object& sequence, Watch& watch, Visit visit) {
  for (const nanobind::handle item : sequence) {
    visit(nanobind::borrow(item));
    watch.work(kItemCost);
  }
}

template <class T>
T to_value(nanobind::handle item) {
  T value;
  if (!nanobind::try_cast<T>(item, value)) {
    throw nanobind::type_error("something of another type is expected in a sequence");
  }
  return value;
}

template <class T>
std::vector<T> to_vector(const nanobind::object& sequence, Watch& watch) {
  std::vector<T> values;
  each_item(sequence, watch,
            [&](const nanobind::object& item) { values.push_back(to_value<T>(item)); });
  return values;
}

template <class T>
nanobind::typed<nanobind::list, T> to_list(const std::vector<T>& values, Watch& watch) {
  nanobind::list list;
  for (const T& value : values) {
    list.append(value);
    watch.work(kItemCost);
  }
  return nanobind::borrow<nanobind::typed<nanobind::list, T>>(list);
}

// Large ones are copied, and freed, without Python's lock.
template <class Items>
nanobind::bytes to_bytes(Items items) {
  constexpr size_t kLarge = size_t{1} << 20;
  const size_t size = items.size() * sizeof(*items.data());
  if (size < kLarge) return nanobind::bytes(items.data(), size);
  const auto bytes =
      nanobind::steal(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size)));
  if (!bytes.is_valid()) throw nanobind::python_error();
  {
    nanobind::gil_scoped_release unlock;
    std::memcpy(PyBytes_AS_STRING(bytes.ptr()), items.data(), size);
    items = Items();
  }
  return nanobind::borrow<nanobind::bytes>(bytes);
}

}  // namespace nonosat
