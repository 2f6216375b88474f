// Test of all pictures of small boards: their sets of clues, and the core's number of solutions for
// each set, compared with the number of pictures that have it.
//
// The clues of all pictures are coded as one number each and sorted, so that the pictures of one
// set of clues are adjacent. Each set is propagated; if that leaves cells open, it is solved by the
// search for all solutions, the counter, and (some sets on large boards) prices, which must not
// claim anything false. On boards with few possible sets of clues those without a picture are
// tested, too.
//
// Usage: pictures [pictures] [sets]: boards of at most `pictures` pictures, and sets of clues
// without a picture on boards of at most `sets` sets. The last line of the output has the figures
// as JSON. Exit status 1 at an error.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "board/board.hpp"
#include "count/counter.hpp"
#include "drawing.hpp"
#include "fuzzing.hpp"
#include "prices/prices.hpp"
#include "search/search.hpp"

using namespace nonosat;
using drawing::Cells, drawing::clue_of;
using fuzzing::require;

namespace {

using Picture = std::vector<uint8_t>;
using Key = uint64_t;  // clues of a board, as digits: rows first

// The fillings of a line and their numbered clues.
struct Lines {
  int num_fillings = 1;  // a filling is coded as a number; the first cell is the lowest digit
  std::vector<Clue> clues;
  std::vector<int> clue_of_filling;

  Lines(int length, int num_values) {
    for (int i = 0; i < length; ++i) num_fillings *= num_values;
    std::map<Clue, int> numbers;
    for (int filling = 0; filling < num_fillings; ++filling) {
      Cells cells;
      for (int i = 0, rest = filling; i < length; ++i, rest /= num_values) {
        cells.push_back(rest % num_values);
      }
      const Clue clue = clue_of(cells);
      const auto [found, is_new] = numbers.insert({clue, static_cast<int>(clues.size())});
      if (is_new) clues.push_back(clue);
      clue_of_filling.push_back(found->second);
    }
  }
  Key num_clues() const { return clues.size(); }
};

struct Found {  // numbers of sets of clues
  int64_t sets = 0, unique = 0, unique_by_lines = 0, unsolvable = 0;
  int64_t searched = 0, priced = 0, unique_by_prices = 0;
};

// Boards of one shape.
class Shape {
 public:
  Shape(int height, int width, int num_colours)
      : height_(height),
        width_(width),
        num_values_(num_colours + 1),
        prices_every_(num_pictures(height, width, num_colours) <= 1 << 16 ? 1 : 10),
        rows_(width, num_values_),
        columns_(height, num_values_) {}

  static double num_pictures(int height, int width, int num_colours) {
    return power(num_colours + 1, height * width);
  }
  double num_sets() const {
    return power(static_cast<int>(rows_.num_clues()), height_) *
           power(static_cast<int>(columns_.num_clues()), width_);
  }
  std::string name() const {
    const std::string sides = std::to_string(height_) + "x" + std::to_string(width_);
    return num_values_ == 2 ? sides : sides + " in " + std::to_string(num_values_ - 1) + " colours";
  }

  // Tests all sets of clues that some picture has, and with `all` also the others.
  Found check(bool all) {
    const std::vector<Key> keys = keys_of_pictures();
    Key next = 0;
    for (size_t first = 0, last; first < keys.size(); first = last) {
      for (last = first; last < keys.size() && keys[last] == keys[first];) ++last;
      for (; all && next < keys[first]; ++next) check_set(next, 0);
      check_set(keys[first], static_cast<int64_t>(last - first));
      next = keys[first] + 1;
    }
    for (; all && static_cast<double>(next) < num_sets(); ++next) check_set(next, 0);
    return found_;
  }

 private:
  static double power(int base, int exponent) {
    double product = 1;
    while (exponent-- > 0) product *= base;
    return product;
  }

  // Enumerates pictures row by row like an odometer, the last row fastest.
  std::vector<Key> keys_of_pictures() const {
    std::vector<Key> keys;
    keys.reserve(static_cast<size_t>(num_pictures(height_, width_, num_values_ - 1)));
    std::vector<int> fillings(height_, 0);
    for (int row = 0; row >= 0;) {
      keys.push_back(key_of(fillings));
      for (row = height_ - 1; row >= 0 && ++fillings[row] == rows_.num_fillings; --row) {
        fillings[row] = 0;
      }
    }
    std::sort(keys.begin(), keys.end());
    return keys;
  }

  Key key_of(const std::vector<int>& fillings) const {
    Key key = 0;
    for (const int filling : fillings)
      key = key * rows_.num_clues() + rows_.clue_of_filling[filling];
    std::vector<int> rest = fillings;
    for (int column = 0; column < width_; ++column) {
      int down = 0;
      for (int row = height_; row-- > 0; rest[row] /= num_values_) {
        down = down * num_values_ + rest[row] % num_values_;
      }
      key = key * columns_.num_clues() + columns_.clue_of_filling[down];
    }
    return key;
  }

  Key key_of_cells(const Picture& cells) const {
    std::vector<int> fillings(height_, 0);
    for (int cell = height_ * width_; cell-- > 0;) {
      fillings[cell / width_] = fillings[cell / width_] * num_values_ + cells[cell];
    }
    return key_of(fillings);
  }

  Board board_of(Key key) const {
    std::vector<Clue> rows(height_), columns(width_);
    for (int i = width_; i-- > 0; key /= columns_.num_clues()) {
      columns[i] = columns_.clues[key % columns_.num_clues()];
    }
    for (int i = height_; i-- > 0; key /= rows_.num_clues()) {
      rows[i] = rows_.clues[key % rows_.num_clues()];
    }
    Watch watch;
    return Board(num_values_ - 1, std::move(rows), std::move(columns), watch);
  }

  void check_set(Key key, int64_t num_pictures) {
    fuzzing::place = name() + ", clues " + std::to_string(key);
    ++found_.sets;
    found_.unique += num_pictures == 1;
    found_.unsolvable += num_pictures == 0;
    Board board = board_of(key);
    Watch watch;
    if (!board.propagate(watch)) {
      require(num_pictures == 0, "propagation refutes clues that a picture has");
      return;
    }
    if (board.is_complete()) {
      require(num_pictures == 1, "propagation leaves one of several pictures");
      require(key_of_cells(board.cells()) == key, "propagation leaves another picture");
      ++found_.unique_by_lines;
      return;
    }
    ++found_.searched;
    check_count(board, num_pictures);
    const std::vector<Picture> solutions = check_solutions(board, key, num_pictures);
    if (!solutions.empty() && found_.searched % prices_every_ == 0) check_prices(board, solutions);
  }

  void check_count(Board board, int64_t num_pictures) {
    Watch watch;
    Counter counter(board, size_t{1} << 20);
    while (!counter.run(watch, 1'000'000)) continue;
    require(counter.total() == Natural(static_cast<uint64_t>(num_pictures)), "the counter's count");
  }

  std::vector<Picture> check_solutions(Board board, Key key, int64_t num_pictures) {
    Watch watch;
    Search search(board);
    std::vector<Picture> solutions;
    for (;;) {
      const SearchOutcome outcome = search.next(watch, 1'000'000);
      if (outcome == SearchOutcome::kExhausted) break;
      if (outcome == SearchOutcome::kBudget) continue;
      solutions.push_back(board.cells());
      require(key_of_cells(solutions.back()) == key, "a solution has other clues");
      require(std::ssize(solutions) <= num_pictures, "more solutions than pictures");
    }
    std::vector<Picture> sorted = solutions;
    std::sort(sorted.begin(), sorted.end());
    require(std::unique(sorted.begin(), sorted.end()) == sorted.end(), "a solution came twice");
    require(std::ssize(solutions) == num_pictures, "fewer solutions than pictures");
    return solutions;
  }

  // Two pictures with the same clues differ in at least two cells of a line, and so in two lines.
  static constexpr int64_t kLeastDistance = 4;

  // Checks that no solution is farther from the first than the bound, and that none has a ruled-out
  // value.
  void check_prices(const Board& board, const std::vector<Picture>& solutions) {
    Watch watch;
    Prices prices(board, solutions.front(), watch);
    prices.lower(watch, kLeastDistance, 2'000'000, true);
    int64_t furthest = 0;
    for (const Picture& other : solutions) {
      int64_t distance = 0;
      for (size_t i = 0; i < other.size(); ++i) distance += other[i] != solutions.front()[i];
      furthest = std::max(furthest, distance);
    }
    require(furthest * prices.scale() <= prices.bound(), "a solution is further than the bound");
    ++found_.priced;
    Board left = board;
    for (const auto& [cell, value] : prices.ruled_out(watch, kLeastDistance)) {
      for (const Picture& other : solutions) {
        require(other[cell] != value, "a value that a solution has is ruled out");
      }
      left.remove(cell, value);
    }
    require(left.propagate(watch), "prices and lines rule out all solutions");
    if (left.is_complete()) require(solutions.size() == 1, "prices leave one of several pictures");
    found_.unique_by_prices += left.is_complete();
  }

  int height_, width_, num_values_;
  // Prices are computed for one in so many sets: they take a thousand times longer than lines.
  int prices_every_;
  Lines rows_, columns_;  // of all rows; of all columns
  Found found_;
};

using Figures = std::vector<std::pair<std::string, int64_t>>;

void note(const Shape& shape, const Found& found, Figures& figures) {
  const auto note = [&](const char* what, int64_t number) {
    figures.emplace_back(shape.name() + " " + what, number);
  };
  note("sets of clues", found.sets);
  note("unsolvable", found.unsolvable);
  note("unique", found.unique);
  note("unique by lines", found.unique_by_lines);
  note("searched and counted", found.searched);
  note("priced", found.priced);
  note("unique by prices", found.unique_by_prices);
}

}  // namespace

int main(int argc, char** argv) {
  const double most_pictures = argc > 1 ? std::atof(argv[1]) : 1 << 11;
  const double most_sets = argc > 2 ? std::atof(argv[2]) : 1 << 11;
  Figures figures;
  for (int num_colours = 1; num_colours <= 3; ++num_colours) {
    for (int height = 1; height <= 16; ++height) {
      for (int width = 1; width <= 16; ++width) {
        if (std::max(height, width) > 5 && std::min(height, width) > 1) continue;
        if (Shape::num_pictures(height, width, num_colours) > most_pictures) continue;
        Shape shape(height, width, num_colours);
        note(shape, shape.check(shape.num_sets() <= most_sets), figures);
      }
    }
  }
  fuzzing::print_figures(figures);
}
