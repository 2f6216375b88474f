// Python bindings of knight's tours: conversion of arguments and results, no logic.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include <utility>
#include <vector>

#include "knight/completion.hpp"
#include "knight/construction.hpp"
#include "knight/repair.hpp"
#include "knight/rotation.hpp"
#include "knight/search.hpp"
#include "knight/warnsdorff.hpp"
#include "python/python_exclusive.hpp"
#include "python/python_values.hpp"
#include "python/python_watch.hpp"
#include "python/rooms.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonosat {
namespace {

using knight::Place;
using knight::Square;

constexpr int64_t kMaxPlaces = 1 << 24;

void check_size(int rows, int columns) {
  if (rows < 1 || columns < 1 || static_cast<int64_t>(rows) * columns > kMaxPlaces) {
    throw nb::value_error("a knight's board has 1 to 2^24 squares");
  }
}

Place checked(const knight::Board& board, Place place) {
  if (place < 0 || place >= board.rows() * board.columns() || !board.is_free(board.square(place))) {
    throw nb::index_error("no such square on the board");
  }
  return place;
}

using PyPlaces = nb::typed<nb::sequence, Place>;

void make_board(knight::Board* self, int rows, int columns, const PyPlaces& given) {
  check_size(rows, columns);
  Watch watch = make_watch({}, {});
  const auto holes = to_vector<Place>(given, watch);
  for (const Place hole : holes) {
    if (hole < 0 || hole >= rows * columns) throw nb::index_error("no such square on the board");
  }
  unlocked([&] { new (self) knight::Board(rows, columns, holes); });
}

std::vector<Place> places_of(const knight::Board& board, const std::vector<Square>& squares) {
  std::vector<Place> places;
  places.reserve(squares.size());
  for (const Square square : squares) places.push_back(board.place(square));
  return places;
}

std::optional<nb::bytes> construct(int rows, int columns, bool is_closed, Place start,
                                   uint64_t seed, std::optional<double> remaining_s,
                                   const Poll& poll) {
  check_size(rows, columns);
  if (start < -1 || start >= rows * columns) throw nb::index_error("no such square on the board");
  auto found = watched(remaining_s, poll, [&](Watch& watch) {
    auto path = knight::construct(rows, columns, is_closed, start, seed, watch);
    return path ? std::move(*path) : std::vector<Place>();
  });
  if (!found) return {};
  return to_bytes(std::move(*found));
}

std::optional<nb::bytes> warnsdorff(const knight::Board& board, Place start, bool is_closed,
                                    knight::Ties ties, uint64_t seed,
                                    std::optional<double> remaining_s, const Poll& poll) {
  const Square first = board.square(checked(board, start));
  auto found = watched(remaining_s, poll, [&](Watch& watch) {
    knight::Random random(seed);
    auto path = knight::warnsdorff(board, first, is_closed, ties, random, watch);
    return path ? places_of(board, *path) : std::vector<Place>();
  });
  if (!found) return {};
  return to_bytes(std::move(*found));
}

using PyFixed = nb::typed<nb::sequence, std::pair<Place, int>>;

// Converts pairs of a place and the step at which it is visited.
std::vector<std::pair<Square, int>> to_fixed(const knight::Board& board, const PyFixed& given) {
  std::vector<std::pair<Square, int>> fixed;
  Watch watch = make_watch({}, {});
  for (const auto& [place, step] : to_vector<std::pair<Place, int>>(given, watch)) {
    if (step < 0 || step >= board.num_free()) throw nb::index_error("no such step of the tour");
    fixed.emplace_back(board.square(checked(board, place)), step);
  }
  return fixed;
}

using PyCompletion = std::optional<std::pair<knight::Search::Outcome, nb::bytes>>;

PyCompletion complete(const knight::Board& board, const PyFixed& given, bool is_closed,
                      uint64_t seed, int64_t budget, std::optional<double> remaining_s,
                      const Poll& poll) {
  const auto fixed = to_fixed(board, given);
  std::vector<uint8_t> is_fixed(board.num_squares(), 0), is_taken(board.num_free(), 0);
  for (const auto& [square, step] : fixed) {
    if (is_fixed[square]++ != 0 || is_taken[step]++ != 0) {
      throw nb::value_error("a square or a step is given twice");
    }
  }
  if (fixed.empty()) throw nb::value_error("a walk needs a given square");
  auto found = watched(remaining_s, poll, [&](Watch& watch) {
    const auto found = knight::complete(board, fixed, is_closed, seed, budget, watch);
    return std::pair(found.outcome, places_of(board, found.tour));
  });
  if (!found) return {};
  return std::pair(found->first, to_bytes(std::move(found->second)));
}

using PyRings = nb::typed<nb::sequence, PyPlaces>;

// Converts lists of places and checks that they contain every free square of the board once.
std::vector<std::vector<Square>> shared_out(const knight::Board& board, const PyRings& lists) {
  Watch watch = make_watch({}, {});
  std::vector<std::vector<Square>> found;
  std::vector<uint8_t> is_left = board.free();
  int num_left = board.num_free();
  for (const nb::handle list : lists) {
    auto& squares = found.emplace_back();
    for (const Place place : to_vector<Place>(nb::cast<PyPlaces>(list), watch)) {
      const Square square = board.square(checked(board, place));
      if (!is_left[square]) throw nb::value_error("a square occurs twice");
      is_left[square] = 0;
      --num_left;
      squares.push_back(square);
    }
    if (squares.empty()) throw nb::value_error("a path or ring has no squares");
  }
  if (num_left != 0) throw nb::value_error("a square of the board is on no path or ring");
  return found;
}

std::optional<nb::bytes> rotated(const knight::Board& board, const PyRings& lists,
                                 bool is_start_fixed, bool is_closed, uint64_t seed, int64_t most,
                                 std::optional<double> remaining_s, const Poll& poll) {
  auto rings = shared_out(board, lists);
  auto found = watched(remaining_s, poll, [&](Watch& watch) {
    knight::Random random(seed);
    std::vector<Square> first = std::move(rings.front());
    rings.erase(rings.begin());
    auto path = knight::rotated(board, std::move(first), rings, is_start_fixed, is_closed, random,
                                most, watch);
    return path ? places_of(board, *path) : std::vector<Place>();
  });
  if (!found) return {};
  return to_bytes(std::move(*found));
}

// A search together with the board of its path.
struct TourSearch {
  TourSearch(const knight::Board& given, knight::Requirements required)
      : board(given), search(given, std::move(required)) {}

  int64_t num_calls() const { return search.num_calls(); }

  knight::Board board;
  knight::Search search;
};

void make_search(Exclusive<TourSearch>* self, const knight::Board& board, const PyPlaces& starts,
                 const PyFixed& fixed, bool is_closed, bool is_halved, bool is_guided) {
  knight::Requirements required{.starts = {},
                                .fixed = to_fixed(board, fixed),
                                .is_closed = is_closed,
                                .is_halved = is_halved,
                                .is_guided = is_guided};
  Watch watch = make_watch({}, {});
  for (const Place start : to_vector<Place>(starts, watch)) {
    required.starts.push_back(board.square(checked(board, start)));
  }
  unlocked([&] { new (self) Exclusive<TourSearch>(nullptr, board, std::move(required)); });
}

std::optional<knight::Search::Outcome> next(Exclusive<TourSearch>& self, int64_t budget,
                                            std::optional<double> remaining_s, const Poll& poll) {
  const Use tours(self);
  return watched(remaining_s, poll,
                 [&](Watch& watch) { return tours->search.next(watch, budget); });
}

nb::bytes path_of(Exclusive<TourSearch>& self) {
  const Use tours(self);
  return to_bytes(unlocked([&] { return places_of(tours->board, tours->search.path()); }));
}

}  // namespace

void bind_knight(nb::module_& module) {
  module.def("knight_construct", &construct, "rows"_a, "columns"_a, "closed"_a, "start"_a, "seed"_a,
             "remaining_s"_a = nb::none(), "poll"_a = nb::none(),
             "Construct a tour from `start` (-1: any) as 32-bit places.\n\n"
             "Empty if no construction applies, None when stopped.");

  nb::enum_<knight::Ties>(module, "Ties")
      .value("ORDER", knight::Ties::kOrder)
      .value("OUTER", knight::Ties::kOuter)
      .value("RANDOM", knight::Ties::kRandom);
  nb::enum_<knight::Search::Outcome>(module, "TourOutcome")
      .value("SOLUTION", knight::Search::Outcome::kSolution)
      .value("EXHAUSTED", knight::Search::Outcome::kExhausted)
      .value("BUDGET", knight::Search::Outcome::kBudget);

  // Number of squares up to which `complete` searches for the whole tour at once.
  module.attr("KNIGHT_MOST_WHOLE") = knight::kMostWhole;
  nb::class_<knight::Board>(module, "KnightBoard", "A chessboard with holes.")
      .def("__init__", &make_board, "rows"_a, "columns"_a, "holes"_a)
      .def("warnsdorff", &warnsdorff, "start"_a, "closed"_a, "ties"_a, "seed"_a,
           "remaining_s"_a = nb::none(), "poll"_a = nb::none(),
           "Return the 32-bit places of one attempt, empty after a dead end; None when stopped.")
      .def("complete", &complete, "fixed"_a, "closed"_a, "seed"_a, "budget"_a,
           "remaining_s"_a = nb::none(), "poll"_a = nb::none(),
           "Search for at most `budget` ns; return a TourOutcome and the tour's 32-bit places.\n"
           "None when stopped.")
      .def("rotated", &rotated, "lists"_a, nb::kw_only(), "start_fixed"_a, "closed"_a, "seed"_a,
           "most"_a, "remaining_s"_a = nb::none(), "poll"_a = nb::none(),
           "Join a path, the first list, and rings to a tour by rotations; return its 32-bit\n"
           "places, empty after `most` rotations. None when stopped.");

  nb::class_<Exclusive<TourSearch>>(module, "TourSearch",
                                    "Enumeration of a board's tours by depth-first search.")
      .def("__init__", &make_search, "board"_a, "starts"_a, "fixed"_a, nb::kw_only(), "closed"_a,
           "halved"_a, "guided"_a,
           "`fixed`: (place, step from 0). `halved`: closed tours in one direction only.")
      .def("next", &next, "budget"_a, "remaining_s"_a = nb::none(), "poll"_a = nb::none(),
           "Search for the next tour, entering at most `budget` squares; None when stopped.")
      .def("path", &path_of, "Return the 32-bit places of the current path, in order.")
      .def_prop_ro("num_calls", &getter<&TourSearch::num_calls>);
}

}  // namespace nonosat
