// Shared by fuzzers of lines and boards: solves one line by the core, in calls that are stopped.
#pragma once

#include <chrono>
#include <vector>

#include "drawing.hpp"
#include "line/line.hpp"

namespace solving {

using namespace nonosat;

// A watch that stops at its `count`-th check and checks at every piece of work.
inline Watch stopping(int count) {
  return Watch({}, [count]() mutable { return count-- <= 0; },
               {.check_every = 1, .poll_every = std::chrono::milliseconds(0)});
}

// Solves a line, stopped several times with growing limits. Neither the stopped calls nor earlier
// contents of memory may change the result.
inline bool solve_line(const Plan& plan, const std::vector<Word>& may, std::vector<Word>& kept,
                       bool lasting = false, Windows* windows = nullptr) {
  static Scratch scratch;
  kept.assign(may.size(), ~Word{0});
  for (int patience = drawing::below(6);; patience = patience * 2 + 1) {
    Watch watch = stopping(patience);
    try {
      return propagate_line(plan, may.data(), kept.data(), lasting, scratch, watch, windows);
    } catch (const Stopped&) {
      continue;
    }
  }
}

}  // namespace solving
