// Python bindings of readers: clues of pictures and of lines of text, as tuples of blocks.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <span>
#include <unordered_map>
#include <utility>

#include "cost.hpp"
#include "formats/lists.hpp"
#include "formats/runs.hpp"
#include "python/python_clue.hpp"
#include "python/python_values.hpp"
#include "python/python_watch.hpp"
#include "python/rooms.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonosat {
namespace {

using formats::Run;

// Converts clues to Python. Equal blocks are created only once, and so are equal clues of one or
// two blocks: a board of one row and 16 million columns has only a few different ones.
class Clues {
 public:
  explicit Clues(nb::object block) : block_(std::move(block)), none_(nb::tuple()) {}

  nb::object of(std::span<const Run> runs) {
    if (runs.empty()) return none_;
    if (runs.size() > 2) return made(runs);
    const Key key{packed(runs[0]), runs.size() > 1 ? packed(runs[1]) : 0};
    if (const auto found = short_.find(key); found != short_.end()) return found->second;
    return short_.size() < kMaxShort ? short_.emplace(key, made(runs)).first->second : made(runs);
  }

 private:
  struct Key {
    uint64_t first, second;
    bool operator==(const Key&) const = default;
  };
  struct Mixed {
    size_t operator()(uint64_t key) const { return key * 0x9e3779b97f4a7c15u >> 20; }
    size_t operator()(Key key) const { return (*this)(key.first * 31 + key.second); }
  };
  static constexpr size_t kMaxShort = 1 << 20;

  static uint64_t packed(Run run) {
    return uint64_t(uint32_t(run.length)) << 32 | uint32_t(run.colour);
  }

  nb::object made(std::span<const Run> runs) {
    auto clue = nb::steal(PyTuple_New(std::ssize(runs)));
    if (!clue.is_valid()) throw nb::python_error();
    for (size_t i = 0; i < runs.size(); ++i) {
      PyTuple_SetItem(clue.ptr(), static_cast<Py_ssize_t>(i), block(runs[i]).release().ptr());
    }
    return clue;
  }

  nb::object block(Run run) {
    nb::object& kept = blocks_[packed(run)];
    if (!kept.is_valid()) {
      const bool is_known = run.length != formats::kUnknownLength;
      kept = block_(is_known ? nb::cast(run.length) : nb::none(), run.colour);
    }
    return kept;
  }

  nb::object block_;
  nb::object none_;
  std::unordered_map<uint64_t, nb::object, Mixed> blocks_;
  std::unordered_map<Key, nb::object, Mixed> short_;
};

// Returns a tuple of `count` clues, each created by `clue(index)`.
template <class Clue>
ModelClues all_of(size_t count, Clue clue) {
  const auto found = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(count)));
  if (!found.is_valid()) throw nb::python_error();
  for (size_t i = 0; i < count; ++i) {
    nb::object one = clue(i);
    PyTuple_SetItem(found.ptr(), static_cast<Py_ssize_t>(i), one.release().ptr());
  }
  return nb::borrow<ModelClues>(found);
}

nb::typed<nb::tuple, ModelClues, ModelClues> picture_clues(const nb::bytes& cells, size_t height,
                                                           size_t width, const BlockType& block) {
  if (width && height > cells.size() / width) throw nb::value_error("a byte a cell is expected");
  Watch watch = make_watch({}, {});
  Clues clues(block);
  std::vector<Run> runs;
  const auto* data = reinterpret_cast<const uint8_t*>(cells.c_str());
  const auto side = [&](size_t lines, size_t start, size_t count, size_t step) {
    return all_of(lines, [&](size_t line) {
      formats::runs_of(data + line * start, count, step, runs);
      watch.work(static_cast<int64_t>(2 * count) + cost::kItem);
      return clues.of(runs);
    });
  };
  const ModelClues rows = side(height, width, width, 1);
  return nb::typed<nb::tuple, ModelClues, ModelClues>(
      nb::make_tuple(rows, side(width, 1, height, width)));
}

formats::Writing writing_of(const nb::typed<nb::dict, std::string, int32_t>& inks,
                            const std::string& gaps) {
  formats::Writing writing;
  for (const char blank : {' ', '\t', '\v', '\f', '\r'}) {
    writing.gap[static_cast<uint8_t>(blank)] = formats::Writing::kBlank;
  }
  for (const char separator : gaps) {
    writing.gap[static_cast<uint8_t>(separator) % 128] = formats::Writing::kSeparator;
  }
  for (const auto [sign, number] : inks) {
    const auto text = nb::cast<std::string>(sign);
    const auto colour = nb::cast<int32_t>(number);
    if (text.empty()) writing.plain = colour;
    if (text.size() == 1) writing.colour[static_cast<uint8_t>(text[0]) % 128] = colour;
  }
  return writing;
}

using PyOther = nb::typed<nb::callable, ModelClue(int)>;

ModelClues text_clues(const nb::typed<nb::sequence, nb::str>& lines,
                      const nb::typed<nb::dict, std::string, int32_t>& inks,
                      const std::string& gaps, const BlockType& block, const PyOther& other) {
  Watch watch = make_watch({}, {});
  Clues clues(block);
  const formats::Writing writing = writing_of(inks, gaps);
  std::vector<Run> runs;
  return all_of(nb::len(lines), [&](size_t index) -> nb::object {
    const nb::object line = lines[index];
    Py_ssize_t size = 0;
    const char* const text = PyUnicode_AsUTF8AndSize(line.ptr(), &size);
    if (!text) throw nb::python_error();
    watch.work(size + cost::kItem);
    const std::string_view view(text, static_cast<size_t>(size));
    return formats::blocks_of(view, writing, runs) ? clues.of(runs) : nb::object(other(index));
  });
}

using PyKeys = nb::typed<nb::sequence, std::string>;

std::optional<nb::typed<nb::tuple, ModelClues, size_t>> json_clues(const nb::bytes& text,
                                                                   size_t start,
                                                                   const BlockType& block,
                                                                   const PyKeys& keys) {
  Watch watch = make_watch({}, {});
  Clues clues(block);
  std::vector<nb::object> found;
  const auto end = formats::listed_clues(
      std::string_view(text.c_str(), text.size()), std::min(start, text.size()),
      formats::ListedClues(to_vector<std::string>(keys, watch)), [&](const std::vector<Run>& runs) {
        found.push_back(clues.of(runs));
        watch.work(std::ssize(runs) + cost::kItem);
      });
  if (!end) return {};
  const auto taken = [&](size_t index) { return std::move(found[index]); };
  return nb::typed<nb::tuple, ModelClues, size_t>(
      nb::make_tuple(all_of(found.size(), taken), *end));
}

// Returns true for an object of the exact type int between 1 and `most`.
bool is_positive(PyObject* item, long most) {
  if (!PyLong_CheckExact(item)) return false;
  int overflow = 0;
  const long value = PyLong_AsLongAndOverflow(item, &overflow);
  return !overflow && 0 < value && value <= most;
}

bool is_block(PyObject* item, const BlockType& block, long most_length, long most_colour) {
  if (reinterpret_cast<PyObject*>(Py_TYPE(item)) != block.ptr()) return false;
  if (!PyTuple_Check(item) || PyTuple_Size(item) != 2) return false;
  PyObject* const length = PyTuple_GetItem(item, 0);
  PyObject* const colour = PyTuple_GetItem(item, 1);
  return (length == Py_None || is_positive(length, most_length)) &&
         is_positive(colour, most_colour);
}

bool are_clues(const nb::typed<nb::tuple, nb::object, nb::ellipsis>& clues, const BlockType& block,
               long most_length, long most_colour) {
  Watch watch = make_watch({}, {});
  for (const nb::handle clue : clues) {
    if (!PyTuple_CheckExact(clue.ptr())) return false;
    const Py_ssize_t size = PyTuple_Size(clue.ptr());
    for (Py_ssize_t i = 0; i < size; ++i) {
      if (!is_block(PyTuple_GetItem(clue.ptr(), i), block, most_length, most_colour)) return false;
    }
    watch.work(cost::kItem / 6 * size + 1);
  }
  return true;
}

}  // namespace

void bind_formats(nb::module_& module) {
  module.def("picture_clues", &picture_clues, "cells"_a, "height"_a, "width"_a, "block"_a,
             "Return the clues of the rows and columns of a picture, one byte per cell, row by\n"
             "row; each block is `block(length, colour)`.");
  module.def(
      "text_clues", &text_clues, "lines"_a, "inks"_a, "gaps"_a, "block"_a, "other"_a,
      "Return the clue of each line of text.\n\n"
      "A line has lengths, separated by blanks or characters of `gaps`, each followed by at\n"
      "most one sign, whose colour is in `inks`. `other(index)` returns the clue of any\n"
      "other line, and may raise.");
  module.def("json_clues", &json_clues, "text"_a, "start"_a, "block"_a, "keys"_a,
             "Return the clues of a JSON list of clues that begins at `start`, and the position\n"
             "after it; None if it contains anything else. `keys` name the colours.");
  module.def("are_clues", &are_clues, "clues"_a, "block"_a, "most_length"_a, "most_colour"_a,
             "Return True if all are tuples of blocks of type `block`, with lengths from 1 or\n"
             "None.");
}

}  // namespace nonosat
