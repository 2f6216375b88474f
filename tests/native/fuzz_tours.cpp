// Random test of local search for knight's tours, built with sanitizers by .ci/run.
//
// Boards with holes and some given numbers of a tour by Warnsdorff's rule, open and closed, some
// with two numbers exchanged: found tours visit every square once by knight's moves and have the
// given numbers, wherever the search is stopped; and penalties of a walk stay in their range.

#include "fuzzing.hpp"
#include "knight/beliefs.hpp"
#include "knight/completion.hpp"

namespace {

using drawing::rng, fuzzing::require, fuzzing::start;
using namespace nonosat::knight;
using nonosat::Stopped, nonosat::Watch;

using Numbers = std::vector<std::pair<Square, int>>;

struct Drawn {
  Board board;
  bool is_closed = false;
  Numbers numbers;
  bool is_twisted = false;  // so that there may be no tour
};

// Draws a board for which Warnsdorff's rule finds a tour.
Drawn drawn() {
  while (true) {
    const int rows = static_cast<int>(3 + rng() % 9), columns = static_cast<int>(3 + rng() % 9);
    std::vector<Place> holes;
    for (int place = 0; place < rows * columns; ++place) {
      if (rng() % 30 == 0) holes.push_back(place);
    }
    const Board board(rows, columns, holes);
    if (board.num_free() == 0) continue;
    const auto squares = board.squares();
    Random random(rng());
    Watch watch;
    auto path =
        warnsdorff(board, squares[rng() % squares.size()], false, Ties::kRandom, random, watch);
    if (!path) continue;
    const bool can_close = path->size() > 2 && board.is_move(path->back(), path->front());
    Drawn drawn{board, can_close && rng() % 4 != 0, {}, false};
    const unsigned share = 1 + rng() % 12;
    for (size_t step = 0; step < path->size(); ++step) {
      if (rng() % share == 0) drawn.numbers.emplace_back((*path)[step], static_cast<int>(step));
    }
    if (drawn.numbers.empty()) drawn.numbers.emplace_back((*path)[0], 0);
    if (rng() % 4 == 0) {
      drawn.is_twisted = true;
      std::swap(drawn.numbers.front().first, drawn.numbers[rng() % drawn.numbers.size()].first);
    }
    return drawn;
  }
}

bool is_tour(const Drawn& drawn, const std::vector<Square>& path) {
  if (static_cast<int>(path.size()) != drawn.board.num_free()) return false;
  std::vector<uint8_t> is_visited(drawn.board.num_squares());
  for (size_t step = 0; step < path.size(); ++step) {
    if (!drawn.board.is_free(path[step]) || is_visited[path[step]]++) return false;
    if (step > 0 && !drawn.board.is_move(path[step - 1], path[step])) return false;
  }
  if (drawn.is_closed && !drawn.board.is_move(path.back(), path.front())) return false;
  for (const auto& [square, step] : drawn.numbers) {
    if (path[step] != square) return false;
  }
  return true;
}

void check(const Drawn& drawn, const Completion& found) {
  if (found.outcome == Search::Outcome::kSolution) {
    require(is_tour(drawn, found.tour), "a tour");
  } else {
    require(found.tour.empty(), "no tour");
    require(found.outcome == Search::Outcome::kBudget || drawn.is_twisted, "a board has its tour");
  }
}

bool check_completion(const Drawn& drawn) {
  const uint64_t seed = rng();
  const auto budget = static_cast<int64_t>(rng() % 20'000'000);
  int num_checks = static_cast<int>(rng() % 200);
  Watch hurried({}, [&] { return num_checks-- == 0; }, {1000, std::chrono::milliseconds(0)});
  try {
    check(drawn, complete(drawn.board, drawn.numbers, drawn.is_closed, seed, budget, hurried));
  } catch (const Stopped&) {
  }
  Watch watch;
  const auto found = complete(drawn.board, drawn.numbers, drawn.is_closed, seed, budget, watch);
  check(drawn, found);
  return found.outcome == Search::Outcome::kSolution;
}

void check_penalties(const Drawn& drawn) {
  std::vector<Square> squares(static_cast<size_t>(drawn.board.num_free()), kNoSquare);
  for (const auto& [square, step] : drawn.numbers) squares[step] = square;
  Walk walk(drawn.board, squares);
  Random random(rng());
  Watch watch;
  if (!walk.start(random, watch)) return;
  Beliefs beliefs(walk, watch);
  for (const bool leads : {false, true, true}) {
    beliefs.exchange(static_cast<int>(rng() % 60), leads, watch);
    for (int step = 0; step < walk.num_steps(); ++step) {
      for (const Square square : drawn.board.squares()) {
        const int penalty = beliefs.penalty(step, std::span(&square, 1));
        require(0 <= penalty && penalty <= Beliefs::kMost, "a penalty");
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int num_boards = argc > 1 ? std::atoi(argv[1]) : 100;
  const int seed = argc > 2 ? std::atoi(argv[2]) : 1;
  int num_tours = 0;
  for (int i = 0; i < num_boards; ++i) {
    start("tours", i, seed);
    const Drawn board = drawn();
    num_tours += check_completion(board);
    check_penalties(board);
  }
  std::printf("tours found of %d of %d boards\n", num_tours, num_boards);
  require(num_tours > num_boards / 4, "how often a tour is found");
}
