// Line solvers compiled for AVX2 stand beside the same for any processor; which runs is chosen when
// the program does.
#pragma once

namespace nonosat {

// Whether those for AVX2 may run where the processor has it. Only tests of the others change this,
// while no line is being solved.
inline bool vectors_allowed = true;

}  // namespace nonosat
