#include "explain/reasoner.hpp"

#include <algorithm>
#include <utility>

namespace nonosat::explain {

Reasoner::Reasoner(Board& board, Words words, const std::vector<int>& lines)
    : board_(board),
      words_(std::move(words)),
      allowed_(board.num_lines(), lines.empty()),
      candidates_(board.num_lines()) {
  for (const int line : lines) allowed_[line] = 1;
  for (int line = 0; line < board.num_lines(); ++line) {
    if (allowed_[line]) changed_.insert(line);
  }
}

std::optional<Step> Reasoner::line_step(Watch& watch) {
  while (!changed_.empty()) {
    evaluate(*changed_.begin(), watch);
    changed_.erase(changed_.begin());
  }
  while (!queue_.empty()) {
    const Entry top = queue_.top();
    const Candidate& candidate = candidates_[top.line];
    if (candidate.entry != top.entry) {  // an outdated entry
      queue_.pop();
    } else if (candidate.num_tried == kNumRules || candidate.found) {
      return step_of(top.line, candidate);
    } else {
      advance(top.line, watch);
      queue_.pop();
      queue_.push({order_of(candidate), top.line, top.entry});
    }
  }
  return {};
}

// Queues a line if its clue rules out values.
void Reasoner::evaluate(int line, Watch& watch) {
  const Plan& plan = board_.plan(line);
  std::optional<std::vector<Pair>> removals = implied(board_, line, watch);
  Candidate& candidate = candidates_[line];
  candidate = {};
  if (!removals) {
    throw Impossible{line, words_.line(line) + " has no placement that fits the known cells"};
  }
  if (removals->empty()) return;
  const LineView view(plan, board_.planes(line));
  int slack = plan.length - std::max(0, static_cast<int>(plan.blocks.size()) - 1);
  for (const Block& block : plan.blocks) slack -= std::max(1, block.length);
  candidate.entry = ++num_entries_;
  candidate.removals = std::move(*removals);
  candidate.score = std::min(view.count(Board::kOpen), slack);
  queue_.push({order_of(candidate), line, candidate.entry});
}

Reasoner::Order Reasoner::order_of(const Candidate& candidate) const {
  return {static_cast<int>(candidate.num_tried), candidate.score,
          -static_cast<int>(candidate.removals.size())};
}

// Tries the next rule; complete reasoning comes after the last one.
void Reasoner::advance(int line, Watch& watch) {
  Candidate& candidate = candidates_[line];
  const LineView view(board_.plan(line), board_.planes(line));
  candidate.found = kRules[candidate.num_tried].find(view, words_, watch);
  if (!candidate.found) {
    ++candidate.num_tried;
    return;
  }
  candidate.removals.clear();
  for (const auto& [at, value] : candidate.found->values) {
    for (int other = 0; other < view.num_values(); ++other) {
      if (other == value || !view.may(at, other)) continue;
      candidate.removals.push_back({board_.cell_of(line, at), other});
    }
  }
}

Step Reasoner::step_of(int line, const Candidate& candidate) {
  Finding finding{{}, "in every placement of ", " that fits the known cells, "};
  if (candidate.found) finding = *candidate.found;
  const auto technique =
      candidate.found ? kRules[candidate.num_tried].technique : Technique::kCompleteLine;
  auto [settled, ruled_out] = take(candidate.removals);
  std::string text = finding.before + words_.line(line) + finding.after;
  if (finding.names_outcome) {
    const auto in_line = [&](std::vector<Pair> pairs) {
      for (Pair& pair : pairs) {
        pair.cell =
            line < board_.height() ? pair.cell % board_.width() : pair.cell / board_.width();
      }
      return pairs;
    };
    text += words_.outcome(in_line(settled), in_line(ruled_out));
  }
  return {technique, {line}, std::move(settled), std::move(ruled_out), sentence(std::move(text))};
}

Reasoner::Taken Reasoner::take(const std::vector<Pair>& removals) {
  std::set<int> cells;
  for (const auto& [cell, value] : removals) {
    board_.remove(cell, value);
    cells.insert(cell);
  }
  Taken taken;
  for (const int cell : cells) {
    for (const int line : {cell / board_.width(), board_.height() + cell % board_.width()}) {
      if (allowed_[line]) changed_.insert(line);
    }
    if (board_.num_left(cell) > 1) continue;
    int value = 0;
    while (value + 1 < board_.num_values() && !board_.may(cell, value)) ++value;
    taken.settled.push_back({cell, value});
  }
  for (const Pair& removal : removals) {
    if (board_.num_left(removal.cell) > 1) taken.ruled_out.push_back(removal);
  }
  return taken;
}

std::optional<Step> Reasoner::refute(int cell, Watch& watch) {
  if (board_.num_left(cell) < 2) return {};
  for (int value = 0; value < board_.num_values(); ++value) {
    if (!board_.may(cell, value)) continue;
    if (const auto refuted = line_by_line(board_, {cell, value}, kUnbounded, allowed_, watch)) {
      return refutation_step(*refuted);
    }
  }
  return {};
}

Step Reasoner::refutation_step(const Refuted& refuted) {
  auto [settled, ruled_out] = take({refuted.assumed});
  std::vector<int> lines;
  for (const Link& link : refuted.chain) lines.push_back(link.line);
  const std::string last = words_.line(lines.back());
  std::string how;
  if (refuted.is_parallel) {
    std::set<int> between(lines.begin(), lines.end());
    between.erase(lines.front());
    between.erase(lines.back());
    how = words_.line(lines.front()) + " and then " +
          lines_listed({between.begin(), between.end()}, board_.height()) +
          " would leave no room for " + last;
  } else if (lines.size() == 1) {
    how = "there would be no room for " + last;
  } else if (lines.size() <= kShownLines) {
    for (size_t i = 0; i + 1 < lines.size(); ++i) {
      how += (i ? ", then " : "") + words_.short_line(lines[i]);
    }
    how += " would leave no room for " + last;
  } else {
    how = "a chain of " + std::to_string(lines.size() - 1) +
          " deductions in lines would leave no room for " + last;
  }
  std::string text = "if " + words_.place(refuted.assumed.cell) + " were " +
                     words_.value(refuted.assumed.value) + ", " + how + ", so " +
                     words_.scattered(settled, ruled_out);
  std::vector<int> distinct;
  for (const int line : lines) {
    if (std::find(distinct.begin(), distinct.end(), line) == distinct.end()) {
      distinct.push_back(line);
    }
  }
  return {refuted.is_parallel ? kParallelLines : kProbing,
          std::move(distinct),
          std::move(settled),
          std::move(ruled_out),
          sentence(std::move(text)),
          refuted.assumed,
          refuted.chain};
}

Step Reasoner::refutations_step(const std::vector<Pair>& refuted) {
  auto [settled, ruled_out] = take(refuted);
  return {kProbing, {}, std::move(settled), std::move(ruled_out), ""};
}

Step Reasoner::either_step(int cell, const std::vector<Pair>& agreed) {
  std::string values;
  for (int value = 0; value < board_.num_values(); ++value) {
    if (board_.may(cell, value)) values += (values.empty() ? "" : " or ") + words_.value(value);
  }
  std::vector<Pair> removals;
  for (const auto& [other_cell, kept] : agreed) {
    for (int value = 0; value < board_.num_values(); ++value) {
      if (value != kept && board_.may(other_cell, value)) removals.push_back({other_cell, value});
    }
  }
  auto settled = take(removals).settled;
  std::string text = "whether " + words_.place(cell) + " is " + values +
                     ", it follows line by line that " + words_.scattered(settled, {});
  return {kEitherWay,
          {cell / board_.width(), board_.height() + cell % board_.width()},
          std::move(settled),
          {},
          sentence(std::move(text)),
          {cell, Board::kOpen}};
}

}  // namespace nonosat::explain
