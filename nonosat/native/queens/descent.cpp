#include "queens/descent.hpp"

#include <bit>
#include <utility>

#include "line/vectors.hpp"

#if NONOSAT_HAS_AVX2
#include <immintrin.h>
#endif

namespace nonosat::queens {
namespace {

// Processes one state after another without branches: a dropped state is overwritten by the next.
template <class Word>
bool step_portably(const Rule<Word>& rule, Batch<Word>& from, Pass& pass, Batch<Word>& to) {
  while (from.num) {
    for (; pass.at < from.num; ++pass.at) {
      if (to.num >= kBatch) return false;
      const int at = pass.at, kept = pass.kept, next = to.num;
      const Word free = from.free[at], square = free & -free, rest = free ^ square;
      const Word old_columns = from.columns[at], old_left = from.left[at];
      const Word old_right = from.right[at], columns = old_columns | square;
      const Word left = (old_left | square) << 1, right = (old_right | square) >> 1;
      const Word beyond = rule.beyond & ~(columns | left << 1 | right >> 1);
      const Word missing = rule.due & ~columns;
      const Word open = rule.allowed & ~(columns | left | right) & (missing ? missing : ~Word{0});
      to.free[next] = open;
      to.columns[next] = columns + (Word{(square & rule.ties) != 0} << kTiesAt<Word>);
      to.left[next] = left;
      to.right[next] = right;
      to.num += (open != 0) & ((beyond | rule.is_last) != 0) & !(missing & (missing - 1));
      from.free[kept] = rest;
      from.columns[kept] = old_columns;
      from.left[kept] = old_left;
      from.right[kept] = old_right;
      pass.kept += rest != 0;
    }
    from.num = std::exchange(pass.kept, 0);
    pass.at = 0;
  }
  return true;
}

#if NONOSAT_HAS_AVX2

// Numbers of the lanes that are kept, in order, one byte each; indexed by the set of these lanes as
// bits.
constexpr auto kOrders = [] {
  std::array<uint64_t, 256> orders{};
  for (unsigned set = 0; set < orders.size(); ++set) {
    for (unsigned lane = 0, place = 0; lane < kLanes; ++lane) {
      if (set >> lane & 1) orders[set] |= uint64_t{lane} << 8 * place++;
    }
  }
  return orders;
}();

NONOSAT_AVX2 inline __m256i all(uint32_t word) { return _mm256_set1_epi32(static_cast<int>(word)); }

NONOSAT_AVX2 inline __m256i is_zero(__m256i lanes) {
  return _mm256_cmpeq_epi32(lanes, _mm256_setzero_si256());
}

NONOSAT_AVX2 inline __m256i load(const Batch<uint32_t>::Words& words, int at) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(&words[at]));
}

NONOSAT_AVX2 inline void store(Batch<uint32_t>::Words& words, int at, __m256i lanes) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(&words[at]), lanes);
}

// Writes the states of those lanes in which `kept` is all ones consecutively, followed by arbitrary
// data, and returns their number.
NONOSAT_AVX2 inline int store_kept(Batch<uint32_t>& batch, int at, __m256i kept, __m256i free,
                                   __m256i columns, __m256i left, __m256i right) {
  const auto set = static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(kept)));
  const __m256i order = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<int64_t>(kOrders[set])));
  store(batch.free, at, _mm256_permutevar8x32_epi32(free, order));
  store(batch.columns, at, _mm256_permutevar8x32_epi32(columns, order));
  store(batch.left, at, _mm256_permutevar8x32_epi32(left, order));
  store(batch.right, at, _mm256_permutevar8x32_epi32(right, order));
  return std::popcount(set);
}

// Like `step_portably`, but processes eight states at a time. Lanes after the last state get all
// columns and no free square, so that they are dropped.
NONOSAT_AVX2 bool step_with_vectors(const Rule<uint32_t>& rule, Batch<uint32_t>& from, Pass& pass,
                                    Batch<uint32_t>& to) {
  const __m256i none = _mm256_setzero_si256(), every = all(~0u), tie = all(1u << kTiesAt<uint32_t>);
  const __m256i ties = all(rule.ties), allowed = all(rule.allowed), due = all(rule.due);
  const __m256i after = all(rule.beyond), is_last = all(rule.is_last);
  while (from.num) {
    store(from.free, from.num, none);
    store(from.columns, from.num, every);
    for (; pass.at < from.num; pass.at += kLanes) {
      if (to.num >= kBatch) return false;
      const __m256i free = load(from.free, pass.at), old_columns = load(from.columns, pass.at);
      const __m256i old_left = load(from.left, pass.at), old_right = load(from.right, pass.at);
      const __m256i square = _mm256_and_si256(free, _mm256_sub_epi32(none, free));
      const __m256i rest = _mm256_xor_si256(free, square);
      const __m256i columns = _mm256_or_si256(old_columns, square);
      const __m256i left = _mm256_slli_epi32(_mm256_or_si256(old_left, square), 1);
      const __m256i right = _mm256_srli_epi32(_mm256_or_si256(old_right, square), 1);
      const __m256i taken = _mm256_or_si256(columns, _mm256_or_si256(left, right));
      const __m256i taken_after = _mm256_or_si256(
          columns, _mm256_or_si256(_mm256_slli_epi32(left, 1), _mm256_srli_epi32(right, 1)));
      const __m256i beyond = _mm256_or_si256(_mm256_andnot_si256(taken_after, after), is_last);
      const __m256i missing = _mm256_andnot_si256(columns, due);
      const __m256i others = _mm256_and_si256(missing, _mm256_add_epi32(missing, every));
      const __m256i open = _mm256_and_si256(_mm256_andnot_si256(taken, allowed),
                                            _mm256_or_si256(missing, is_zero(missing)));
      const __m256i is_dead = _mm256_or_si256(is_zero(open), is_zero(beyond));
      const __m256i is_tie = _mm256_andnot_si256(is_zero(_mm256_and_si256(square, ties)), tie);
      to.num += store_kept(to, to.num, _mm256_andnot_si256(is_dead, is_zero(others)), open,
                           _mm256_add_epi32(columns, is_tie), left, right);
      const __m256i is_kept = _mm256_xor_si256(is_zero(rest), every);
      pass.kept += store_kept(from, pass.kept, is_kept, rest, old_columns, old_left, old_right);
    }
    from.num = std::exchange(pass.kept, 0);
    pass.at = 0;
  }
  return true;
}

#endif

template <class Word>
Step<Word> step_for() {
#if NONOSAT_HAS_AVX2
  if constexpr (sizeof(Word) == 4) {
    if (has_vectors() && vectors_allowed) return step_with_vectors;
  }
#endif
  return step_portably<Word>;
}

}  // namespace

template <class Word>
Descent<Word>::Descent(std::vector<Row<Word>> rows, Watch& watch)
    : rows_(std::move(rows)), batches_(rows_.size()), step_(step_for<Word>()), watch_(watch) {
  set_due(rows_);
}

template <class Word>
void Descent<Word>::run() {
  Batch<Word>& first = batches_[0];
  first.free[0] = promising(rows_[0], rows_[0].allowed, Word{0});
  first.num = first.free[0] != 0;
  for (size_t row = 0; row < rows_.size(); ++row) expand(row);
}

// Processes the batch of a row completely; fewer states than a full batch may remain in the next.
template <class Word>
void Descent<Word>::expand(size_t row) {
  Batch<Word>& batch = batches_[row];
  if (row + 1 == rows_.size()) return tally(batch, rows_[row].ties);
  const Row<Word>& next = rows_[row + 1];
  const bool is_last = row + 2 == rows_.size();
  const Rule<Word> rule{rows_[row].ties, next.allowed, next.due,
                        is_last ? 0 : rows_[row + 2].allowed, is_last};
  Pass pass;
  do {
    watch_.work(2 * kBatch);
    if (batches_[row + 1].num >= kBatch) expand(row + 1);
  } while (!step_(rule, batch, pass, batches_[row + 1]));
}

template <class Word>
void Descent<Word>::tally(Batch<Word>& batch, Word ties) {
  for (int i = 0; i < batch.num; ++i) {
    ++counts_[(batch.columns[i] >> kTiesAt<Word>)+((batch.free[i] & ties) != 0)];
  }
  batch.num = 0;
}

template class Descent<uint32_t>;
template class Descent<uint64_t>;

}  // namespace nonosat::queens
