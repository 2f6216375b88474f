// Random test of the separators of parts in the plane, built with sanitizers by .ci/run.
//
// On drawn boards: the model violates the returned clauses; none are returned exactly if inside and
// outside are connected (decided here by flooding the board from each cell); and every earlier
// model with a single loop satisfies every clause.

#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "loops/cells.hpp"

namespace {

using nonosat::loops::Cells;

int failures = 0;

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "failed: %s\n", what);
  ++failures;
}

struct Board {
  int height, width;

  int var(int row, int column) const {
    const bool on_board = row >= 0 && row < height && column >= 0 && column < width;
    return on_board ? 1 + row * width + column : 0;
  }

  std::vector<int32_t> pairs() const {
    std::vector<int32_t> found;
    for (int row = 0; row <= height; ++row) {
      for (int column = 0; column <= width; ++column) {
        if (column < width) found.insert(found.end(), {var(row - 1, column), var(row, column)});
        if (row < height) found.insert(found.end(), {var(row, column), var(row, column - 1)});
      }
    }
    return found;
  }

  // Number of connected components of cells with this value; for the outside with the cells beyond
  // the board.
  int num_parts(const std::vector<uint8_t>& values, uint8_t value) const {
    std::vector<uint8_t> seen((height + 2) * (width + 2));
    int found = 0;
    for (int start = 0; start < std::ssize(seen); ++start) {
      if (flood(values, value, start, seen)) ++found;
    }
    return found;
  }

 private:
  bool flood(const std::vector<uint8_t>& values, uint8_t value, int start,
             std::vector<uint8_t>& seen) const {
    std::vector<int> stack{start};
    bool any = false;
    while (!stack.empty()) {
      const int at = stack.back();
      stack.pop_back();
      if (at < 0 || at >= std::ssize(seen) || seen[at]) continue;
      const int row = at / (width + 2) - 1, column = at % (width + 2) - 1;
      if (values[var(row, column)] != value) continue;
      seen[at] = any = true;
      stack.insert(stack.end(), {at - width - 2, at + width + 2});
      if (column > -1) stack.push_back(at - 1);
      if (column < width) stack.push_back(at + 1);
    }
    return any;
  }
};

// For each clause of the buffer: true if it has a true literal.
template <class Visit>
void for_each(const std::vector<int32_t>& clauses, const std::vector<uint8_t>& values,
              Visit visit) {
  bool holds = false;
  for (const int32_t lit : clauses) {
    if (lit) {
      holds |= (values[std::abs(lit)] != 0) == (lit > 0);
    } else {
      visit(holds);
      holds = false;
    }
  }
}

void check_board(std::mt19937& rng) {
  const Board board{static_cast<int>(1 + rng() % 6), static_cast<int>(1 + rng() % 6)};
  nonosat::Watch watch;
  Cells cells(board.pairs(), rng() % 40, watch);
  std::vector<std::vector<uint8_t>> loops;
  for (int round = 0; round < 60; ++round) {
    std::vector<uint8_t> values(1 + board.height * board.width);
    const unsigned share = rng() % 11;
    for (size_t var = 1; var < values.size(); ++var) values[var] = rng() % 10 < share;
    const auto clauses = cells.refine(values, watch);
    const bool is_loop = board.num_parts(values, 1) == 1 && board.num_parts(values, 0) == 1;
    expect(clauses.empty() == is_loop, "nothing is returned for one loop alone");
    for_each(clauses, values, [](bool holds) { expect(!holds, "the model violates the clause"); });
    if (is_loop) loops.push_back(values);
    for (const auto& loop : loops) {
      for_each(clauses, loop, [](bool holds) { expect(holds, "a loop keeps the clause"); });
    }
  }
}

}  // namespace

int main() {
  std::mt19937 rng(1);
  for (int i = 0; i < 400; ++i) check_board(rng);
  if (!failures) std::puts("loops: ok");
  return failures ? 1 : 0;
}
