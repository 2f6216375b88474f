// Helpers of the bindings: conversion of a line with partly known cells.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <vector>

#include "line/line.hpp"
#include "python/python_clue.hpp"
#include "python/python_watch.hpp"

namespace nonosat {

// Sequence with one item per value: a byte for each cell, nonzero if the cell may have the value.
using PyMay = nanobind::typed<nanobind::sequence, nanobind::bytes>;
using BytePlanes = std::vector<nanobind::bytes>;
using PyPositions = nanobind::typed<nanobind::list, int>;

inline BytePlanes byte_planes(const PyMay& may, Watch& watch) {
  BytePlanes planes;
  each_item(may, watch, [&](const nanobind::object& plane) {
    if (!nanobind::isinstance<nanobind::bytes>(plane)) {
      throw nanobind::type_error("bytes are expected, a byte a cell");
    }
    planes.push_back(nanobind::borrow<nanobind::bytes>(plane));
  });
  return planes;
}

// Converts the planes of a line's values to words.
inline std::vector<Word> to_planes(int length, const BytePlanes& may) {
  const auto is_short = [&](const nanobind::bytes& plane) {
    return plane.size() < static_cast<size_t>(length);
  };
  if (length < 0 || may.empty() || may.size() > 256 ||
      std::any_of(may.begin(), may.end(), is_short)) {
    throw nanobind::value_error("one byte a cell is expected for each of 1 to 256 values");
  }
  return unlocked([&] {
    const int num_words = words_for(length);
    std::vector<Word> planes(may.size() * num_words, 0);
    for (size_t value = 0; value < may.size(); ++value) {
      const char* const bytes = may[value].c_str();
      for (int i = 0; i < length; ++i) {
        const Word bit = bytes[i] ? 1 : 0;
        planes[value * num_words + i / kWordBits] |= bit << (i % kWordBits);
      }
    }
    return planes;
  });
}

// Arguments of functions on a single line.
struct PyLine {
  PyLine(int length, const PyClue& clue, const PyMay& may, Watch& watch)
      : PyLine(length, clue, byte_planes(may, watch), watch) {}
  PyLine(int length, const PyClue& clue, const BytePlanes& may, Watch& watch)
      : planes(to_planes(length, may)), plan(plan_of(length, clue, may, watch)) {}

  size_t num_values() const { return static_cast<size_t>(plan.num_colours) + 1; }

  std::vector<Word> planes;
  Plan plan;

 private:
  static Plan plan_of(int length, const PyClue& clue, const BytePlanes& may, Watch& watch) {
    const int num_colours = static_cast<int>(may.size()) - 1;
    Clue blocks = to_clue(clue, num_colours, watch);
    return unlocked([&] { return Plan(length, num_colours, std::move(blocks)); });
  }
};

}  // namespace nonosat
