#include "knight/completion.hpp"

#include <algorithm>

#include "cost.hpp"
#include "knight/beliefs.hpp"
#include "knight/local_search.hpp"
#include "knight/repair.hpp"
#include "knight/walk.hpp"

namespace nonosat::knight {

namespace {

constexpr int kMostSteps = 300'000;  // steps of local search between two attempts at repair
constexpr int kStepsASquare = 500;   // likewise, for each open square
constexpr int kStepsPerPoll = 1000;  // steps between two calls of Watch::work
// The search returns to the best walk if the current one misses this many squares more.
constexpr int kMostWorse = 2;
constexpr int kFirstRounds = 200;  // rounds of messages at the beginning
constexpr int kMoreRounds = 20;    // rounds before each attempt at repair

// Number of missed squares up to which repair is attempted: local search alone reaches it.
int few(const Walk& walk) { return 4 + static_cast<int>(walk.open().size()) / 40; }

// Best walk so far, to which the search returns.
class Best {
 public:
  explicit Best(Walk& walk) : walk_(walk), squares_(walk.squares()), missed_(walk.num_missed()) {}

  // Keeps the current walk if it is about as good as the best one, else returns to that.
  void settle() {
    if (walk_.num_missed() <= missed_ + kMostWorse) {
      keep();
      return;
    }
    for (int step = 0; step < walk_.num_steps(); ++step) {
      if (walk_.at(step) != squares_[step]) walk_.put(step, squares_[step]);
    }
  }
  void keep() {
    squares_ = walk_.squares();
    missed_ = std::min(missed_, walk_.num_missed());
  }

 private:
  Walk& walk_;
  std::vector<Square> squares_;
  int missed_;  // the minimum, perhaps below that of `squares_`
};

void search_locally(Walk& walk, LocalSearch& local_search, Watch& watch) {
  const int most = std::min(kMostSteps, kStepsASquare * static_cast<int>(walk.open().size()));
  for (int step = 0; step < most && walk.num_missed() > 0; ++step) {
    if (step % kStepsPerPoll == 0) watch.work(kStepsPerPoll * cost::kTourStep);
    local_search.step();
  }
}

Search::Outcome search(Walk& walk, Random& random, int64_t budget, Watch& watch) {
  using enum Search::Outcome;
  const int64_t end = watch.done() + budget;
  if (!walk.start(random, watch)) return kExhausted;
  Repair repair(walk, random);
  if (walk.num_missed() > 0 && repair.attempt_whole(watch) == learn::Answer::kUnsat) {
    return kExhausted;
  }
  Beliefs beliefs(walk, watch);
  beliefs.exchange(kFirstRounds, false, watch);
  LocalSearch local_search(walk, beliefs, random);
  while (walk.num_missed() > few(walk)) {
    if (watch.done() >= end) return kBudget;
    search_locally(walk, local_search, watch);
  }
  for (Best best(walk); walk.num_missed() > 0; search_locally(walk, local_search, watch)) {
    if (watch.done() >= end) return kBudget;
    best.settle();
    beliefs.exchange(kMoreRounds, true, watch);
    if (repair.attempt(watch)) best.keep();
  }
  return kSolution;
}

}  // namespace

Completion complete(const Board& board, const std::vector<std::pair<Square, int>>& given,
                    bool is_closed, uint64_t seed, int64_t budget, Watch& watch) {
  const int num_steps = board.num_free();
  // A closed walk begins and ends at its first given square.
  int first = 0;
  if (is_closed)
    first = std::ranges::min_element(given, {}, [](auto& one) { return one.second; })->second;
  std::vector<Square> squares(num_steps + is_closed, kNoSquare);
  for (const auto& [square, step] : given) squares[step - first] = square;
  if (is_closed) squares.back() = squares.front();
  Walk walk(board, std::move(squares));
  Random random(seed);
  const auto outcome = search(walk, random, budget, watch);
  if (outcome != Search::Outcome::kSolution) return {outcome, {}};
  std::vector<Square> path(walk.squares().begin(), walk.squares().begin() + num_steps);
  std::rotate(path.begin(), path.end() - first, path.end());
  return {outcome, std::move(path)};
}

}  // namespace nonosat::knight
