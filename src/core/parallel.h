// Runs independent tasks on all cores.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace sinew {

// Calls task(i) for every i below count, in any order, on as many threads as there are cores;
// returns when all are done. Rethrows the exception of the first task that failed, after the others
// end.
template <class Task>
void forEachInParallel(std::size_t count, const Task& task) {
  std::atomic<std::size_t> next = 0;
  std::exception_ptr failure;
  std::mutex failing;
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++)
      try {
        task(i);
      } catch (...) {
        const std::lock_guard lock(failing);
        if (!failure) failure = std::current_exception();
        next = count;
      }
  };
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < std::min(cores, count); ++i)
    others.emplace_back(work);
  work();
  others.clear(); // joins
  if (failure) std::rethrow_exception(failure);
}

// Calls task(first, last) for pieces of [0, count) of at most `piece` items, as above. The pieces
// do not depend on the number of cores.
template <class Task>
void forEachPieceInParallel(std::size_t count, std::size_t piece, const Task& task) {
  forEachInParallel((count + piece - 1) / piece,
                    [&](std::size_t i) { task(i * piece, std::min((i + 1) * piece, count)); });
}

} // namespace sinew
