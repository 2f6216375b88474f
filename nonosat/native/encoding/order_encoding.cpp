#include "encoding/order_encoding.hpp"

#include <utility>

namespace nonosat {
namespace {

// Returns the domains of the cells according to the constants among their literals: planes of
// empty, then of the colours.
std::vector<Word> possible_values(const LineLits& line) {
  const int num_words = words_for(line.length);
  std::vector<Word> planes((line.cells.size() + 1) * num_words, 0);
  const auto bit = [](int cell) { return Word{1} << (cell % kWordBits); };
  const auto word = [&](size_t value, int cell) -> Word& {
    return planes[value * num_words + cell / kWordBits];
  };
  for (int i = 0; i < line.length; ++i) word(0, i) |= bit(i);
  for (size_t k = 0; k < line.cells.size(); ++k) {
    for (int i = 0; i < line.length; ++i) {
      if (line.cells[k][i] != kFalse) word(k + 1, i) |= bit(i);
    }
  }
  for (size_t k = 0; k < line.cells.size(); ++k) {
    for (int i = 0; i < line.length; ++i) {
      if (line.cells[k][i] != kTrue) continue;
      for (size_t other = 0; other <= line.cells.size(); ++other) {
        if (other != k + 1) word(other, i) &= ~bit(i);
      }
    }
  }
  for (const int32_t cell : line.filled) word(0, cell) &= ~bit(cell);
  return planes;
}

}  // namespace

Bound::Bound(std::vector<int32_t> places_given, int32_t first_var)
    : places(std::move(places_given)) {
  lits.reserve(places.size());
  window_.reserve(places.back() - places.front());
  for (size_t index = 0; index + 1 < places.size(); ++index) {
    const int32_t lit = first_var + static_cast<int32_t>(index);
    lits.push_back(lit);
    window_.insert(window_.end(), places[index + 1] - places[index], lit);
  }
  lits.push_back(kTrue);
}

OrderEncoding::OrderEncoding(const LineLits& line, const Plan& plan, Watch& watch) : line_(line) {
  const std::vector<Word> may = possible_values(line);
  std::vector<Word> starts, ends;
  Scratch scratch;
  is_feasible_ = block_domains(plan, may.data(), starts, ends, scratch, watch);
  if (!is_feasible_) return;
  const int num_words = words_for(line.length);
  for (size_t b = 0; b < line.blocks.size(); ++b) {
    const size_t at = b * num_words;
    start_places_.push_back(bits_of(&starts[at], num_words));
    num_vars_ += static_cast<int64_t>(start_places_.back().size()) - 1;
    end_places_.emplace_back();
    if (line.blocks[b].length) continue;
    end_places_.back() = bits_of(&ends[at], num_words);
    num_vars_ += static_cast<int64_t>(end_places_.back().size()) - 1;
  }
}

void OrderEncoding::clauses(int32_t first, std::vector<int32_t>& out, Watch& watch) {
  out_ = &out;
  make_bounds(first);
  put_blocks(watch);
  for (size_t b = 0; b < line_.blocks.size(); ++b) {
    put_filled(b);
    watch.work(2 * (end_of(b).last() - starts_[b].places.front()));
  }
  put_gaps(watch);
}

void OrderEncoding::make_bounds(int32_t first) {
  for (size_t b = 0; b < line_.blocks.size(); ++b) {
    starts_.emplace_back(std::move(start_places_[b]), first);
    first += static_cast<int32_t>(starts_.back().places.size()) - 1;
    ends_.emplace_back();
    if (line_.blocks[b].length) continue;
    ends_.back() = Bound(std::move(end_places_[b]), first);
    first += static_cast<int32_t>(ends_.back().places.size()) - 1;
  }
}

OrderEncoding::End OrderEncoding::end_of(size_t block) const {
  const int length = line_.blocks[block].length;
  return length ? End{&starts_[block], length - 1} : End{&ends_[block], 0};
}

// Appends a clause of two or three literals, which may be constants: a clause with a true one is
// dropped, false ones are omitted.
void OrderEncoding::put(int32_t one, int32_t other) {
  if (one == kTrue || other == kTrue) return;
  if (one != kFalse) out_->push_back(one);
  if (other != kFalse) out_->push_back(other);
  out_->push_back(0);
}

void OrderEncoding::put(int32_t one, int32_t other, int32_t third) {
  if (one == kTrue) return;
  if (one == kFalse) return put(other, third);
  if (other == kTrue || third == kTrue) return;
  out_->push_back(one);
  if (other != kFalse) out_->push_back(other);
  if (third != kFalse) out_->push_back(third);
  out_->push_back(0);
}

// Clause group: "at or before a position" implies "at or before the next position".
void OrderEncoding::put_chain(const std::vector<int32_t>& lits) {
  for (size_t index = 0; index + 1 < lits.size(); ++index) put(-lits[index], lits[index + 1]);
}

// Clause group: "at or before p implies of(p)" for all positions p of a bound. Among consecutive
// positions with the same consequence only the last needs a clause, since the chain implies the
// others. The last position of all needs none, since its consequence always holds.
template <class Consequence>
void OrderEncoding::put_implied(const Bound& by, Consequence of) {
  for (size_t index = 0; index + 1 < by.places.size(); ++index) {
    const int32_t consequence = of(by.places[index]);
    if (of(by.places[index + 1]) != consequence) put(-by.lits[index], consequence);
  }
}

// Clause groups: chains of all bounds; a block of unknown length has begun if it has ended; a block
// has begun only if the preceding one has ended, with an empty cell between two of one colour.
void OrderEncoding::put_blocks(Watch& watch) {
  for (size_t b = 0; b < starts_.size(); ++b) {
    const Bound& start = starts_[b];
    put_chain(start.lits);
    if (!line_.blocks[b].length) {
      put_chain(ends_[b].lits);
      put_implied(ends_[b], [&](int place) { return start.at(place); });
    }
    if (b) {
      const End before = end_of(b - 1);
      const int distance = line_.blocks[b - 1].colour == line_.blocks[b].colour ? 2 : 1;
      put_implied(start, [&](int place) { return before.at(place - distance); });
    }
    watch.work(8 * static_cast<int64_t>(start.places.size()));
  }
}

// Clause group: a cell has the block's colour if the block has begun and not ended.
void OrderEncoding::put_filled(size_t block) {
  const Bound& start = starts_[block];
  const End end = end_of(block);
  const std::vector<int32_t>& plane = line_.cells[line_.blocks[block].colour - 1];
  for (int cell = start.places.front(); cell <= end.last(); ++cell) {
    const int32_t begun = start.at(cell), ended = end.at(cell - 1);
    // If both are the same literal, the clause is a tautology: no placement covers the cell.
    if (begun != ended || end.bound != &start) put(-begun, ended, plane[cell]);
  }
}

// Clause group: a cell is empty if one block has ended and the next has not begun.
void OrderEncoding::put_gaps(Watch& watch) {
  std::vector<std::vector<int32_t>> emptied = line_.cells;
  for (auto& plane : emptied) {
    for (int32_t& lit : plane) lit = -lit;
  }
  // A cell that must have a colour cannot be in a gap; one clause states this for all colours.
  for (const int32_t cell : line_.filled) {
    for (size_t k = 0; k < emptied.size(); ++k) emptied[k][cell] = k ? kTrue : kFalse;
  }
  const size_t num_blocks = starts_.size();
  for (size_t gap = 0; gap <= num_blocks; ++gap) {
    const int first = gap ? end_of(gap - 1).place(0) + 1 : 0;
    const int stop = gap < num_blocks ? starts_[gap].places.back() : line_.length;
    for (const auto& plane : emptied) {
      for (int cell = first; cell < stop; ++cell) {
        const int32_t ended = gap ? end_of(gap - 1).at(cell - 1) : kTrue;
        const int32_t begun = gap < num_blocks ? starts_[gap].at(cell) : kFalse;
        put(-ended, begun, plane[cell]);
      }
      watch.work(2 * (stop - first));
    }
  }
}

}  // namespace nonosat
