// Clause sharing between searches over the same variables, each in a thread of its own. All shared
// clauses follow from the clauses and lines that every worker was given.
//
// Every worker has an inbox. If `is_prompt`, a clause is put into the inboxes at once. Otherwise
// its sender keeps it in an outbox until `deliver`, which distributes all outboxes in the order of
// the workers: what a search learns then depends on the calls of `deliver`, and not on the speed of
// the threads. A worker may send and take at any time, in any thread. An inbox holds at most
// `kMostWords` words; clauses sent to a full inbox are dropped. Workers may enter while others run;
// they do not receive clauses sent earlier.
//
// Worker 0 receives only external clauses, so that it runs like a single-threaded search, conflict
// by conflict: a team is never slower than its first worker alone. Importing halves the conflicts
// on average, but multiplies them on some puzzles.
// Source: M. Luby, W. Ertel (1994) on racing seeds; Y. Hamadi, S. Jabbour, L. Sais, ManySAT (2009)
// on sharing learnt clauses.
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
  static constexpr uint32_t kExternal =
      0;  // marks clauses of `broadcast`, in the place of the glue

  // Makes an exchange for at most `num_workers`. Shared clauses have variables 1 .. `num_vars`
  // only, which all workers have.
  Exchange(size_t num_workers, size_t num_vars, bool is_prompt)
      : num_vars_(num_vars), is_prompt_(is_prompt), workers_(num_workers) {}
  Exchange(const Exchange&) = delete;

  size_t num_workers() const { return workers_.size(); }
  size_t num_vars() const { return num_vars_; }

  // Registers a worker. Workers enter in the order of their numbers, each before it sends or takes.
  void enter(size_t worker) {
    assert(worker < workers_.size());
    size_t before = num_entered_.load(std::memory_order_relaxed);
    while (before <= worker && !num_entered_.compare_exchange_weak(before, worker + 1)) {
    }
  }

  // Sends a clause to all other workers but the first, unless it contains variables that only the
  // sender has.
  void send(size_t from, std::span<const Lit> clause, uint32_t glue) {
    const auto is_known = [&](Lit lit) { return var_of(lit) <= num_vars_; };
    if (!std::all_of(clause.begin(), clause.end(), is_known)) return;
    if (!is_prompt_) {
      const std::lock_guard lock(workers_[from].mutex);
      put(workers_[from].outbox, clause, glue);
      return;
    }
    post_to_others(from, clause, glue);
  }

  // Sends an external clause to all workers at once.
  void broadcast(std::span<const Lit> clause) {
    for (size_t to = 0; to < num_entered_; ++to) post(workers_[to], clause, kExternal);
  }

  // Distributes the clauses of all outboxes.
  void deliver() {
    for (size_t from = 0; from < num_entered_; ++from) {
      std::vector<uint32_t> words;
      {
        const std::lock_guard lock(workers_[from].mutex);
        words.swap(workers_[from].outbox);
      }
      for_each(words, [&](std::span<const Lit> clause, uint32_t glue) {
        post_to_others(from, clause, glue);
      });
    }
  }

  bool has_mail(size_t to) const { return workers_[to].has_mail.load(std::memory_order_acquire); }

  // Returns true if the inbox holds an external clause.
  bool has_external(size_t to) const {
    return workers_[to].has_external.load(std::memory_order_acquire);
  }

  // Empties a worker's inbox: calls `visit(clause, glue)` for each clause, in the order of arrival.
  template <class Visit>
  void take(size_t to, Visit visit) {
    std::vector<uint32_t> words;
    {
      const std::lock_guard lock(workers_[to].mutex);
      words.swap(workers_[to].inbox);
      workers_[to].has_mail.store(false, std::memory_order_release);
      workers_[to].has_external.store(false, std::memory_order_release);
    }
    for_each(words, visit);
  }

 private:
  struct Worker {
    std::mutex mutex;  // guards both boxes
    std::vector<uint32_t> inbox, outbox;
    std::atomic<bool> has_mail = false, has_external = false;
  };

  void post_to_others(size_t from, std::span<const Lit> clause, uint32_t glue) {
    for (size_t to = 1; to < num_entered_; ++to) {
      if (to != from) post(workers_[to], clause, glue);
    }
  }

  static void put(std::vector<uint32_t>& words, std::span<const Lit> clause, uint32_t glue) {
    if (words.size() + clause.size() + 2 > kMostWords) return;
    words.push_back(glue);
    words.push_back(static_cast<uint32_t>(clause.size()));
    words.insert(words.end(), clause.begin(), clause.end());
  }

  static void post(Worker& worker, std::span<const Lit> clause, uint32_t glue) {
    const std::lock_guard lock(worker.mutex);
    put(worker.inbox, clause, glue);
    worker.has_mail.store(true, std::memory_order_release);
    if (glue == kExternal) worker.has_external.store(true, std::memory_order_release);
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
  std::vector<Worker> workers_;
  std::atomic<size_t> num_entered_ = 0;
};

}  // namespace nonosat::learn
