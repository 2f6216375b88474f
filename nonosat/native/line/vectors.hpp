// AVX2, in one place: how functions are compiled for it, and whether they may run.
//
// Line solvers compiled for AVX2 stand beside the same for any processor. Which of them runs is
// chosen when the program does, so that one build serves all x86-64 processors.
#pragma once

// Only functions that carry NONOSAT_AVX2 use the instructions.
#if defined(__x86_64__) && defined(__GNUC__)
#define NONOSAT_HAS_AVX2 1
#define NONOSAT_AVX2 __attribute__((target("avx2,bmi,bmi2")))
#else
#define NONOSAT_HAS_AVX2 0
#endif

namespace nonosat {

// Whether this processor has what functions marked NONOSAT_AVX2 need.
inline bool has_vectors() {
#if NONOSAT_HAS_AVX2
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
         __builtin_cpu_supports("bmi2");
#else
  return false;
#endif
}

// Whether the solvers for AVX2 may run where the processor has it. Only tests of the portable ones
// change this, while no line is being solved.
inline bool vectors_allowed = true;

}  // namespace nonosat
