// AVX2: compilation of functions for it, and the test if they may run.
//
// The line solvers for AVX2 and the portable ones are compiled into one build, which chooses
// between them at run time, so that it runs on all x86-64 processors.
#pragma once

// Only functions marked NONOSAT_AVX2 use the instructions.
#if defined(__x86_64__) && defined(__GNUC__)
#define NONOSAT_HAS_AVX2 1
#define NONOSAT_AVX2 __attribute__((target("avx2,bmi,bmi2")))
#else
#define NONOSAT_HAS_AVX2 0
#endif

namespace nonosat {

// Returns true if this processor has the instructions of functions marked NONOSAT_AVX2.
inline bool has_vectors() {
#if NONOSAT_HAS_AVX2
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
         __builtin_cpu_supports("bmi2");
#else
  return false;
#endif
}

// Allows the solvers for AVX2 if the processor has it. Only tests of the portable solvers change
// this, while no line is being solved.
inline bool vectors_allowed = true;

}  // namespace nonosat
