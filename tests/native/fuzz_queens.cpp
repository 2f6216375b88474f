// Random test of counting and enumerating queens, built with sanitizers by .ci/run.
//
// On drawn boards (without blocked squares, mirror-symmetric, or neither; some with states for many
// batches): the number equals that of a naive search that compares pairs of queens, with and
// without vector instructions; if stopped it is never above that; the same number of placements is
// enumerated, in order; and one is found by completion if there is any, also in small turns.

#include <cstdlib>

#include "fuzzing.hpp"
#include "line/vectors.hpp"
#include "queens/completion.hpp"
#include "queens/count.hpp"
#include "queens/search.hpp"

namespace {

using drawing::rng, fuzzing::require, fuzzing::start;
using namespace nonosat::queens;
using nonosat::Stopped, nonosat::vectors_allowed, nonosat::Watch;

using Board = std::vector<uint64_t>;

Board drawn(int size) {
  const uint64_t all = (uint64_t{1} << size) - 1;
  Board board(static_cast<size_t>(size), all);
  const unsigned kind = rng() % 5;
  if (!kind) return board;
  for (unsigned blocked = rng() % static_cast<unsigned>(2 * size); blocked--;) {
    const auto row = rng() % board.size(), column = rng() % board.size();
    board[row] &= ~(uint64_t{1} << column);
    if (kind == 1) board[row] &= ~(uint64_t{1} << (board.size() - 1 - column));
  }
  return board;
}

uint64_t naive(const Board& board, std::vector<int>& columns) {
  const size_t row = columns.size();
  if (row == board.size()) return 1;
  uint64_t number = 0;
  for (int column = 0; column < static_cast<int>(board.size()); ++column) {
    bool is_free = board[row] >> column & 1;
    for (size_t other = 0; other < row && is_free; ++other) {
      const int across = std::abs(columns[other] - column);
      is_free = across && across != static_cast<int>(row - other);
    }
    if (!is_free) continue;
    columns.push_back(column);
    number += naive(board, columns);
    columns.pop_back();
  }
  return number;
}

void check_count(const Board& board, uint64_t number) {
  Count count(board);
  Watch watch;
  count.run(watch);
  require(count.total() == number, "the number of placements");
  int num_checks = static_cast<int>(rng() % 20);
  Watch hurried({}, [&] { return num_checks-- == 0; }, {1, std::chrono::milliseconds(0)});
  try {
    count.run(hurried);
    require(count.total() == number, "the number in a hurry");
  } catch (const Stopped&) {
    require(count.total() <= number, "a lower bound");
  }
}

void check_search(const Board& board, uint64_t number) {
  Search search(board);
  Watch watch;
  std::vector<Search::Placement> found;
  while (!search.is_exhausted()) {
    for (const auto& placement : search.next(1 + rng() % 50, 1000, watch)) {
      require(found.empty() || found.back() < placement, "the order of placements");
      found.push_back(placement);
    }
  }
  require(found.size() == number, "placements that are enumerated");
}

void check_completion(const Board& board, uint64_t number) {
  const size_t size = board.size();
  std::vector<uint8_t> squares;
  for (const uint64_t row : board) {
    for (size_t column = 0; column < size; ++column) squares.push_back(row >> column & 1);
  }
  Completion search(static_cast<int>(size), squares, rng());
  int turn = 0;
  Watch hurried({}, [&] { return ++turn % 3 == 0; }, {1, std::chrono::milliseconds(0)});
  auto outcome = Completion::Outcome::kBudget;
  while (outcome == Completion::Outcome::kBudget) {
    try {
      outcome = search.next(hurried, 1 + rng() % 20);
    } catch (const Stopped&) {
    }
  }
  require((outcome == Completion::Outcome::kSolution) == (number > 0), "whether there is one");
  if (!number) return;
  const auto& columns = search.columns();
  for (size_t row = 0; row < size; ++row) {
    require(board[row] >> columns[row] & 1, "a queen on a blocked square");
    for (size_t other = 0; other < row; ++other) {
      const int across = std::abs(columns[row] - columns[other]);
      require(across && across != static_cast<int>(row - other), "queens that attack each other");
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int num_boards = argc > 1 ? std::atoi(argv[1]) : 1600;
  const int seed = argc > 2 ? std::atoi(argv[2]) : 1;
  for (int i = 0; i < num_boards; ++i) {
    start("queens", i, seed);
    const Board board = drawn(i % 40 ? static_cast<int>(1 + rng() % 9) : 11);
    std::vector<int> columns;
    const uint64_t number = naive(board, columns);
    for (const bool with_vectors : {true, false}) {
      vectors_allowed = with_vectors;
      check_count(board, number);
    }
    check_search(board, number);
    check_completion(board, number);
  }
  std::printf("%d boards of queens counted, searched and completed\n", num_boards);
}
