// Independent pieces of work on all cores.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace sinew {

// Calls task(i) for every i below count, in any order, from as many threads as there are cores;
// returns when all are done. Throws what the first task to fail threw; the others end first.
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

} // namespace sinew
