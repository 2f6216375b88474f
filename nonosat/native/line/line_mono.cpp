#include "line/line_mono.hpp"

#include "line/vectors.hpp"

#if NONOSAT_HAS_AVX2
#include <immintrin.h>

#include <cstring>

namespace nonosat {
namespace {

// Loads four bytes of a plan, one into each lane.
NONOSAT_AVX2 inline __m256i lanes(const uint8_t* bytes) {
  int four;
  std::memcpy(&four, bytes, sizeof four);
  return _mm256_cvtepu8_epi64(_mm_cvtsi32_si128(four));
}

// Repeats 16 bytes in both halves, since byte shuffles do not cross them.
NONOSAT_AVX2 inline __m256i twice(__m128i half) { return _mm256_broadcastsi128_si256(half); }

// Puts a word into the first lane, and zeros into the others.
NONOSAT_AVX2 inline __m256i one(Word word) {
  return _mm256_zextsi128_si256(_mm_cvtsi64_si128(static_cast<int64_t>(word)));
}

// Moves bit p of each lane to bit 63 - p: reverses the bytes, then the bits of each nibble by a
// table, then the two nibbles of each byte.
NONOSAT_AVX2 inline __m256i reversed(__m256i bits) {
  const __m256i swap_bytes =
      twice(_mm_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8));
  const __m256i swap_nibble =
      twice(_mm_setr_epi8(0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15));
  const __m256i low = _mm256_set1_epi8(15);
  bits = _mm256_shuffle_epi8(bits, swap_bytes);
  const __m256i from_low = _mm256_shuffle_epi8(swap_nibble, _mm256_and_si256(bits, low));
  const __m256i from_high =
      _mm256_shuffle_epi8(swap_nibble, _mm256_and_si256(_mm256_srli_epi64(bits, 4), low));
  return _mm256_or_si256(_mm256_slli_epi64(from_low, 4), from_high);
}

NONOSAT_AVX2 inline __m256i load(const Word* words) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words));
}

NONOSAT_AVX2 inline void store(Word* words, __m256i lanes) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(words), lanes);
}

// Like find_room, but for each block: sets room[b] for block b. Writes whole registers, up to three
// words after the last block.
NONOSAT_AVX2 inline void find_rooms(const MonoPlan& plan, int num_blocks, Word empty, Word filled,
                                    Word* room) {
  const __m256i empties = _mm256_set1_epi64x(static_cast<int64_t>(empty));
  const __m256i fits = _mm256_set1_epi64x(static_cast<int64_t>(filled << 1));
  for (int b = 0; b < num_blocks; b += 4) {
    __m256i fit = fits;
    for (int i = 0; i < plan.num_growths; ++i) {
      fit &= _mm256_sllv_epi64(fit, lanes(plan.growth(i) + b));
    }
    store(&room[b], fit & empties & _mm256_sllv_epi64(empties, lanes(plan.shift() + b)));
  }
}

// Solves a line of one word, with the contract of solve_mono_line. The two passes are scalar and
// interleaved; everything else processes four blocks at a time. The lanes after the last block are
// cleared after the passes, so that they contribute nothing to the result.
NONOSAT_AVX2 bool solve_with_vectors(const Plan& line, const Word* may, Word* kept) {
  // Blocks, and the unused lanes after the last one.
  constexpr int kRoom = kMaxMonoCells<Word> / 2 + 5;
  alignas(32) Word room[kRoom], mirrored_room[kRoom], after[kRoom], gap[kRoom], back[kRoom];
  const MonoPlan& plan = line.mono;
  const uint8_t* shift = plan.shift();
  const int num_blocks = static_cast<int>(line.blocks.size()), end = line.length + 1;
  const __m128i unused = _mm_cvtsi32_si128(kMaxMonoCells<Word> - line.length);
  const Word empty = may[0] << 1 | 1 | Word{1} << end, filled = may[1] << 1;
  const auto mirror = [&](__m256i bits)
                          NONOSAT_AVX2 { return _mm256_srl_epi64(reversed(bits), unused); };
  const __m128i ends = _mm_set_epi64x(static_cast<int64_t>(filled), static_cast<int64_t>(empty));
  const __m128i mirrored = _mm256_castsi256_si128(mirror(_mm256_zextsi128_si256(ends)));
  const auto mirrored_empty = static_cast<Word>(_mm_cvtsi128_si64(mirrored));
  find_rooms(plan, num_blocks, empty, filled, room);
  find_rooms(plan, num_blocks, mirrored_empty, static_cast<Word>(_mm_extract_epi64(mirrored, 1)),
             mirrored_room);

  Word reach = flood_past(Word{1}, empty), mirrored_reach = flood_past(Word{1}, mirrored_empty);
  const Word first_gap = reach;
  for (int b = 0, c = num_blocks - 1; c >= 0; ++b, --c) {
    after[b] = reach << shift[b] & room[b];
    gap[b] = reach = flood_past(after[b], empty);
    back[c] = mirrored_reach;
    const Word before = mirrored_reach << shift[c] & mirrored_room[c];
    mirrored_reach = flood_past(before, mirrored_empty);
  }
  if (!(reach >> end & 1)) return false;
  store(&after[num_blocks], _mm256_setzero_si256());
  store(&gap[num_blocks], _mm256_setzero_si256());
  store(&back[num_blocks], _mm256_setzero_si256());

  __m256i white = one(first_gap) & mirror(one(mirrored_reach)), covered = _mm256_setzero_si256();
  for (int b = 0; b < num_blocks; b += 4) {
    const __m256i meeting = mirror(load(&back[b]));
    white |= load(&gap[b]) & meeting;
    __m256i cover = load(&after[b]) & meeting;
    for (int i = 0; i < plan.num_growths; ++i) {
      cover |= _mm256_srlv_epi64(cover, lanes(plan.growth(i) + b));
    }
    covered |= cover;
  }
  const __m256i halves =
      _mm256_unpacklo_epi64(white, covered) | _mm256_unpackhi_epi64(white, covered);
  const __m128i both = _mm256_castsi256_si128(halves) | _mm256_extracti128_si256(halves, 1);
  const auto all_white = static_cast<Word>(_mm_cvtsi128_si64(both));
  kept[0] = (all_white & empty & ~(Word{1} << end)) >> 1;
  kept[1] = static_cast<Word>(_mm_extract_epi64(both, 1)) >> 2;
  return true;
}

}  // namespace

MonoSolver vector_mono_solver() { return has_vectors() ? solve_with_vectors : nullptr; }

}  // namespace nonosat

#else

namespace nonosat {
MonoSolver vector_mono_solver() { return nullptr; }
}  // namespace nonosat

#endif
