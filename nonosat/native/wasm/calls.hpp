// Helpers of the WebAssembly bindings: conversion of arguments, and calls under a watch. One
// file of a module includes this.
//
// The caller writes into memory that `nonosat_alloc` returns. Returned pointers are valid until the
// next call on the same session. No exception propagates: a call that ran out of memory returns -1
// or null.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <new>
#include <vector>

#include "board/board.hpp"
#include "watch.hpp"

#ifdef __EMSCRIPTEN__
#include <emscripten.h>

// Called instead of the function that libc++ calls if a clock or a mutex fails, which cannot happen
// in a browser: the texts of its exception, made by printf, are a thirtieth of the core.
extern "C" void __wrap__ZNSt3__220__throw_system_errorEiPKc(int, const char*) { std::abort(); }
#else
#define EMSCRIPTEN_KEEPALIVE  // for tests that compile this natively
#endif

#define NONOSAT_EXPORT extern "C" EMSCRIPTEN_KEEPALIVE

NONOSAT_EXPORT inline void* nonosat_alloc(uint32_t num_bytes) { return std::malloc(num_bytes); }
NONOSAT_EXPORT inline void nonosat_free(void* memory) { std::free(memory); }

namespace nonosat {

// Returns 1 if the work is done, 0 at the time limit, -1 out of memory.
template <class Work>
int32_t watched(double milliseconds, Work work) {
  try {
    Watch watch(milliseconds / 1000);
    work(watch);
    return 1;
  } catch (const Stopped&) {
    return 0;
  } catch (const std::bad_alloc&) {
    return -1;
  }
}

// Reads clues from numbers: for each, the number of blocks, then length (0: unknown) and colour of
// each block.
inline std::vector<Clue> clues_at(const int32_t*& at, int32_t count) {
  std::vector<Clue> clues(static_cast<size_t>(count));
  for (Clue& clue : clues) {
    for (int32_t left = *at++; left > 0; --left, at += 2) clue.push_back({at[0], at[1]});
  }
  return clues;
}

}  // namespace nonosat
