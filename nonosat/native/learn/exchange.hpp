// What searches over the same variables tell each other, each in a thread of its own: clauses that
// follow from what all of them were given.
//
// Every member has a box. Prompt mail is in it at once. Other mail is held by its sender until
// `deliver`, which hands it out in the order of the members: then what a search learns depends on
// when `deliver` is called, not on how fast the others are. A member may take its mail and send at
// any time, in any thread. Memory is that of the mail that was not taken yet, at most `kMostWords`
// a box: what comes to a full one is lost. There is room for members that enter later, while others
// are at work; they do not get what was sent before.
//
// Member 0 receives only what comes from outside, so that its search is that of a single thread,
// conflict by conflict: a team is never slower than its first member alone. Importing halves the
// conflicts on average, but multiplies them on some puzzles.
// Source: M. Luby, W. Ertel (1994) on racing seeds; Y. Hamadi, S. Jabbour, L. Sais, ManySAT (2009)
// on sharing what is learnt.
#pragma once

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "learn/literal.hpp"

namespace nonosat::learn {

class Exchange {
 public:
  static constexpr size_t kMostWords = size_t{1} << 22;
  static constexpr uint32_t kTold = 0;  // the glue of what comes from outside

  // Room for `num_members`. Clauses may have the variables 1 .. num_vars, which all members have.
  Exchange(size_t num_members, size_t num_vars, bool is_prompt)
      : num_vars_(num_vars), is_prompt_(is_prompt), members_(num_members) {}
  Exchange(const Exchange&) = delete;

  size_t num_members() const { return members_.size(); }
  size_t num_vars() const { return num_vars_; }

  // Members enter in the order of their numbers, each before it sends or takes anything.
  void enter(size_t member) {
    assert(member < members_.size());
    size_t before = num_present_.load(std::memory_order_relaxed);
    while (before <= member && !num_present_.compare_exchange_weak(before, member + 1)) {
    }
  }

  // A clause for all others but the first, unless it has variables that only its sender knows.
  void send(size_t from, std::span<const Lit> clause, uint32_t glue) {
    const auto is_known = [&](Lit lit) { return var_of(lit) <= num_vars_; };
    if (!std::all_of(clause.begin(), clause.end(), is_known)) return;
    if (!is_prompt_) {
      const std::lock_guard lock(members_[from].mutex);
      put(members_[from].held, clause, glue);
      return;
    }
    post_to_others(from, clause, glue);
  }

  // A clause for all of them at once, from outside.
  void tell(std::span<const Lit> clause) {
    for (size_t to = 0; to < num_present_; ++to) post(members_[to], clause, kTold);
  }

  // Hands out what was held.
  void deliver() {
    for (size_t from = 0; from < num_present_; ++from) {
      std::vector<uint32_t> words;
      {
        const std::lock_guard lock(members_[from].mutex);
        words.swap(members_[from].held);
      }
      for_each(words, [&](std::span<const Lit> clause, uint32_t glue) {
        post_to_others(from, clause, glue);
      });
    }
  }

  bool has_mail(size_t to) const { return members_[to].has_mail.load(std::memory_order_acquire); }

  // Whether some of it comes from outside.
  bool has_news(size_t to) const { return members_[to].has_news.load(std::memory_order_acquire); }

  // Empties a member's box: `visit(clause, glue)` for each clause, in the order in which they came.
  template <class Visit>
  void take(size_t to, Visit visit) {
    std::vector<uint32_t> words;
    {
      const std::lock_guard lock(members_[to].mutex);
      words.swap(members_[to].box);
      members_[to].has_mail.store(false, std::memory_order_release);
      members_[to].has_news.store(false, std::memory_order_release);
    }
    for_each(words, visit);
  }

 private:
  struct Member {
    std::mutex mutex;  // of the box and of what is held
    std::vector<uint32_t> box, held;
    std::atomic<bool> has_mail = false, has_news = false;
  };

  void post_to_others(size_t from, std::span<const Lit> clause, uint32_t glue) {
    for (size_t to = 1; to < num_present_; ++to) {
      if (to != from) post(members_[to], clause, glue);
    }
  }

  static void put(std::vector<uint32_t>& words, std::span<const Lit> clause, uint32_t glue) {
    if (words.size() + clause.size() + 2 > kMostWords) return;
    words.push_back(glue);
    words.push_back(static_cast<uint32_t>(clause.size()));
    words.insert(words.end(), clause.begin(), clause.end());
  }

  static void post(Member& member, std::span<const Lit> clause, uint32_t glue) {
    const std::lock_guard lock(member.mutex);
    put(member.box, clause, glue);
    member.has_mail.store(true, std::memory_order_release);
    if (glue == kTold) member.has_news.store(true, std::memory_order_release);
  }

  template <class Visit>
  static void for_each(const std::vector<uint32_t>& words, Visit visit) {
    for (size_t at = 0; at < words.size();) {
      const uint32_t glue = words[at], size = words[at + 1];
      visit(std::span<const Lit>(&words[at + 2], size), glue);
      at += 2 + size;
    }
  }

  size_t num_vars_;
  bool is_prompt_;
  std::vector<Member> members_;
  std::atomic<size_t> num_present_ = 0;
};

}  // namespace nonosat::learn
