// Python bindings of lines: conversion of arguments and results, no logic.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <bit>

#include "line/line.hpp"
#include "python/python_line.hpp"
#include "python/python_watch.hpp"
#include "python/rooms.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonosat {
namespace {

PyPositions set_bits(const Word* words, int length, Watch& watch) {
  std::vector<int> positions;
  for (int i = 0; i < words_for(length); ++i) {
    for (Word left = words[i]; left; left &= left - 1) {
      positions.push_back(i * kWordBits + std::countr_zero(left));
    }
  }
  return to_list(positions, watch);
}

std::optional<nb::typed<nb::list, PyPositions>> line_values(int length, const PyClue& clue,
                                                            const PyMay& may, const Poll& poll) {
  Watch watch = make_watch({}, poll);
  PyLine line(length, clue, may, watch);
  std::vector<Word> kept(line.planes.size());
  Scratch scratch;
  if (!unlocked([&] {
        return propagate_line(line.plan, line.planes.data(), kept.data(), false, scratch, watch);
      })) {
    return {};
  }
  nb::list values;
  for (size_t value = 0; value < line.num_values(); ++value) {
    values.append(set_bits(&kept[value * words_for(length)], length, watch));
  }
  return nb::borrow<nb::typed<nb::list, PyPositions>>(values);
}

using PyDomain = nb::typed<nb::tuple, PyPositions, PyPositions>;

std::optional<nb::typed<nb::list, PyDomain>> line_domains(int length, const PyClue& clue,
                                                          const PyMay& may, const Poll& poll) {
  Watch watch = make_watch({}, poll);
  PyLine line(length, clue, may, watch);
  std::vector<Word> starts, ends;
  Scratch scratch;
  if (!unlocked([&] {
        return block_domains(line.plan, line.planes.data(), starts, ends, scratch, watch);
      })) {
    return {};
  }
  nb::list domains;
  for (size_t b = 0; b < line.plan.blocks.size(); ++b) {
    const size_t at = b * words_for(length);
    domains.append(
        nb::make_tuple(set_bits(&starts[at], length, watch), set_bits(&ends[at], length, watch)));
  }
  return nb::borrow<nb::typed<nb::list, PyDomain>>(domains);
}

}  // namespace

void bind_line(nb::module_& module) {
  module.def("line_values", &line_values, "length"_a, "clue"_a, "may"_a, "poll"_a = nb::none(),
             "Return by value the cells that have it in some placement; None if there is no\n"
             "placement.\n"
             "`poll` may raise.");
  module.def("line_domains", &line_domains, "length"_a, "clue"_a, "may"_a, "poll"_a = nb::none(),
             "Return (starts, last cells) of each block in some placement; None if there is no\n"
             "placement.\n"
             "`poll` may raise.");
}

}  // namespace nonosat
