// Helpers of the bindings: conversion of clues from Python.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include <optional>
#include <utility>

#include "board/board.hpp"
#include "python/python_values.hpp"

namespace nonosat {

// (length, colour); no length if it is unknown
using PyBlock = std::pair<std::optional<int32_t>, int32_t>;
using PyClue = nanobind::typed<nanobind::sequence, PyBlock>;

// Types of `nonosat.core.model`, for signatures only: calls merely check for a tuple.
struct ModelBlock : nanobind::tuple {
  NB_OBJECT_DEFAULT(ModelBlock, nanobind::tuple, "nonosat.core.model.Block", PyTuple_Check)
};
struct ModelClue : nanobind::tuple {
  NB_OBJECT_DEFAULT(ModelClue, nanobind::tuple, "nonosat.core.model.Clue", PyTuple_Check)
};
using ModelClues = nanobind::typed<nanobind::tuple, ModelClue, nanobind::ellipsis>;
using BlockType = nanobind::typed<nanobind::type_object, ModelBlock>;

// Reads a block that is a tuple of two, as puzzles of this package have it, in a third of the time
// of `to_value`, which accepts any sequence. Returns no value for other blocks.
inline std::optional<PyBlock> plain_block(PyObject* item) {
  if (!PyTuple_Check(item) || PyTuple_Size(item) != 2) return {};
  PyObject* const length = PyTuple_GetItem(item, 0);
  int32_t known = 0, colour = 0;
  if (length != Py_None && !plain_number(length, known)) return {};
  if (!plain_number(PyTuple_GetItem(item, 1), colour)) return {};
  return PyBlock{length == Py_None ? std::nullopt : std::optional(known), colour};
}

inline Clue to_clue(const nanobind::object& blocks, int num_colours, Watch& watch) {
  Clue clue;
  clue.reserve(nanobind::len(blocks));
  each_item(blocks, watch, [&](const nanobind::object& block) {
    const auto plain = plain_block(block.ptr());
    const auto [length, colour] = plain ? *plain : to_value<PyBlock>(block);
    if (length.value_or(1) < 1 || colour < 1 || colour > num_colours) {
      throw nanobind::value_error(
          "a block has a length of at least 1 (or None) and a known colour");
    }
    clue.push_back({length.value_or(0), colour});
  });
  return clue;
}

}  // namespace nonosat
