#include "explain/solver.hpp"

namespace nonosat::explain {
namespace {

constexpr int kMostRefuted = 400;  // assumptions from which the easiest to refute is chosen

}  // namespace

std::optional<Step> Solver::next(Watch& watch) {
  if (auto step = reasoner_.line_step(watch)) return step;
  if (board_.is_complete() || hardest_ < kTechniques[kParallelLines].grade) return {};
  board_.propagate(watch);  // changes nothing: no line allows a step
  if (const auto refuted = chains_.kept(board_, watch)) return reasoner_.refutation_step(*refuted);
  if (!ahead_) ahead_.emplace(board_);
  ahead_->run(board_, kMostRefuted, watch);
  outlook_ = ahead_->found();
  if (is_brief_ && !outlook_.refuted.empty()) return reasoner_.refutations_step(outlook_.refuted);
  if (const auto refuted = chains_.easiest(board_, outlook_.refuted, watch)) {
    return reasoner_.refutation_step(*refuted);
  }
  ahead_.reset();
  if (outlook_.either >= 0) return reasoner_.either_step(outlook_.either, outlook_.agreed);
  return {};
}

}  // namespace nonosat::explain
