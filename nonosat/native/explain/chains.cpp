#include "explain/chains.hpp"

#include <algorithm>
#include <deque>
#include <iterator>
#include <set>
#include <utility>

#include "board/trial.hpp"
#include "explain/rules.hpp"

namespace nonosat::explain {
namespace {

constexpr int kBounds[] = {8, 24, kUnbounded};  // maximal lengths of a chain, in turn

// A board under an assumption, with the derivation; undone at the end.
class Chain {
 public:
  Chain(Board& board, Pair assumed) : board_(board), trial_(board) {
    board.assign(assumed.cell, assumed.value);
  }

  int row(int cell) const { return cell / board_.width(); }
  int column(int cell) const { return board_.height() + cell % board_.width(); }

  // Removes the values that a line rules out; returns their places, or nothing if the line has no
  // placement.
  std::optional<std::vector<int>> follow(int line, Watch& watch) {
    auto removals = implied(board_, line, watch);
    if (!removals) {
      links_.push_back({line, {}});
      return {};
    }
    std::vector<int> places;
    for (const auto& [cell, value] : *removals) {
      board_.remove(cell, value);
      places.push_back(cell);
    }
    if (!places.empty()) links_.push_back({line, std::move(*removals)});
    return places;
  }

  bool is_refuted_by(int line, Watch& watch) { return !implied(board_, line, watch); }

  // Returns the links on which the last link depends, and the last link.
  std::vector<Link> needed() const {
    std::vector<Link> links;
    std::set<int> lines;
    for (size_t i = links_.size(); i-- > 0;) {
      const auto& [line, removals] = links_[i];
      const bool is_used = std::any_of(removals.begin(), removals.end(), [&](const Pair& gone) {
        return lines.contains(row(gone.cell)) || lines.contains(column(gone.cell));
      });
      if (!is_used && !links.empty()) continue;
      lines.insert(line);
      links.push_back(links_[i]);
    }
    std::reverse(links.begin(), links.end());
    return links;
  }

 private:
  Board& board_;
  Trial<Board> trial_;
  std::vector<Link> links_;
};

// Propagates the line `first`, then lines that cross it; returns true at a contradiction, which may
// also be in a line parallel to `first` that the crossing lines changed.
bool breaks_beside(Chain& chain, bool is_row, int cell, Watch& watch) {
  const auto along = [&](int place) { return is_row ? chain.row(place) : chain.column(place); };
  const auto across = [&](int place) { return is_row ? chain.column(place) : chain.row(place); };
  const int first = along(cell);
  auto changed = chain.follow(first, watch);
  if (!changed) return true;
  changed->insert(changed->begin(), cell);
  std::set<int> beside;
  for (const int crossed : *changed) {
    const auto passed = chain.follow(across(crossed), watch);
    if (!passed) return true;
    for (const int place : *passed) beside.insert(along(place));
  }
  beside.erase(first);
  for (const int line : beside) {
    if (!chain.is_refuted_by(line, watch)) continue;
    chain.follow(line, watch);
    return true;
  }
  return false;
}

// Refutes an assumption by two parallel lines and the lines that cross them, if possible.
std::optional<Refuted> parallel_lines(Board& board, Pair assumed, Watch& watch) {
  std::optional<Refuted> shortest;
  for (const bool is_row : {true, false}) {
    Chain chain(board, assumed);
    if (!breaks_beside(chain, is_row, assumed.cell, watch)) continue;
    std::vector<Link> links = chain.needed();
    if (shortest && shortest->chain.size() <= links.size()) continue;
    shortest = {assumed, std::move(links), true};
  }
  return shortest;
}

// Repeats a refutation with these lines, in order; nothing if they do not refute the assumption.
std::optional<std::vector<Link>> replayed(Board& board, Pair assumed, const std::vector<int>& lines,
                                          Watch& watch) {
  Chain chain(board, assumed);
  for (const int line : lines) {
    if (!chain.follow(line, watch)) return chain.needed();
  }
  return {};
}

// Returns the refutation with a chain from which no single link can be left out.
Refuted thinned(Board& board, Refuted refuted, Watch& watch) {
  std::vector<int> lines;
  for (const Link& link : refuted.chain) lines.push_back(link.line);
  for (size_t i = lines.size() - 1; i-- > 0;) {
    std::vector<int> fewer = lines;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (replayed(board, refuted.assumed, fewer, watch)) lines = std::move(fewer);
  }
  refuted.chain = *replayed(board, refuted.assumed, lines, watch);
  return refuted;
}

}  // namespace

std::optional<Refuted> line_by_line(Board& board, Pair assumed, int bound,
                                    const std::vector<uint8_t>& allowed, Watch& watch) {
  Chain chain(board, assumed);
  std::deque<int> queue;
  std::vector<uint8_t> waits(allowed.size());
  const auto add = [&](int line) {
    if (!allowed[line] || waits[line]) return;
    waits[line] = 1;
    queue.push_back(line);
  };
  add(chain.row(assumed.cell));
  add(chain.column(assumed.cell));
  for (int num_followed = 0; num_followed < bound && !queue.empty(); ++num_followed) {
    const int line = queue.front();
    queue.pop_front();
    const auto changed = chain.follow(line, watch);
    if (!changed) return Refuted{assumed, chain.needed(), false};
    waits[line] = 1;  // its own changes do not queue it again
    for (const int cell : *changed) {
      add(chain.row(cell));
      add(chain.column(cell));
    }
    waits[line] = 0;
  }
  return {};
}

std::optional<Refuted> ChainSearch::kept(Board& board, Watch& watch) {
  const std::vector<uint8_t> all(board.num_lines(), 1);
  for (; !found_.empty(); found_.pop_back()) {
    const Pair assumed = found_.back().assumed;
    if (!board.may(assumed.cell, assumed.value)) continue;
    std::optional<Refuted> again = parallel_lines(board, assumed, watch);
    if (!again) again = line_by_line(board, assumed, kUnbounded, all, watch);
    Refuted shortest = thinned(board, std::move(*again), watch);
    found_.pop_back();
    return shortest;
  }
  return {};
}

// Round 0 searches parallel lines, each later one chains up to the next bound.
std::optional<Refuted> ChainSearch::search(Board& board, Pair assumed, size_t round, Watch& watch) {
  const std::vector<uint8_t> all(board.num_lines(), 1);
  auto found = round == 0 ? parallel_lines(board, assumed, watch)
                          : line_by_line(board, assumed, kBounds[round - 1], all, watch);
  ++num_searches_;
  return found;
}

std::optional<Refuted> ChainSearch::easiest(Board& board, const std::vector<Pair>& refuted,
                                            Watch& watch) {
  if (begun_.num_pairs != board.num_pairs()) begun_ = {board.num_pairs(), 0, {}};
  auto& [num_pairs, num_tried, found] = begun_;
  for (; num_tried < refuted.size() * (1 + std::size(kBounds)); ++num_tried) {
    const size_t at = num_tried % refuted.size();
    if (at == 0 && !found.empty()) break;  // a later round is not needed
    auto argued = search(board, refuted[at], num_tried / refuted.size(), watch);
    if (argued) found.push_back(std::move(*argued));
  }
  std::stable_sort(found.begin(), found.end(), [](const Refuted& one, const Refuted& other) {
    return one.chain.size() < other.chain.size();
  });
  std::reverse(found.begin(), found.end());
  found_ = std::move(found);
  begun_ = {};
  return kept(board, watch);
}

}  // namespace nonosat::explain
