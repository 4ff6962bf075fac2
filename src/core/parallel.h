// A loop over both (all) cores.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace sinew {

// Calls work(first, last) for pieces of [0, count) of at most `piece` items, on as many threads as
// there are cores. The pieces are the same on every machine; their order is not. An exception of
// one piece ends the loop and is thrown again here.
template <class Work>
void parallelFor(std::size_t count, std::size_t piece, Work&& work) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex lock;
  const auto run = [&] {
    try {
      for (std::size_t first = next.fetch_add(piece); first < count; first = next.fetch_add(piece))
        work(first, std::min(first + piece, count));
    } catch (...) {
      const std::scoped_lock guard(lock);
      failure = std::current_exception();
      next = count;
    }
  };
  const std::size_t pieces = (count + piece - 1) / std::max<std::size_t>(piece, 1);
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < std::min(cores, pieces); ++i)
    threads.emplace_back(run);
  run();
  for (std::thread& thread : threads)
    thread.join();
  if (failure) std::rethrow_exception(failure);
}

} // namespace sinew
