// Threads that are kept from one parallel loop to the next: what runs in every frame starts no
// thread and allocates nothing. core/parallel.h is for what runs once.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace sinew {

class Workers {
 public:
  // How many threads work on a loop, the caller's among them; 0: as many as there are cores.
  explicit Workers(std::size_t threads = 0);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  std::size_t threads() const { return others_.size() + 1; }

  // Calls task(i, thread) for every i below count, in any order; thread, below threads(), is that
  // which calls. Returns when all are done. Rethrows the exception of the first task that failed,
  // after the others end. One loop at a time.
  template <class Task>
  void forEach(std::size_t count, const Task& task) {
    run(count, &task, [](const void* of, std::size_t i, std::size_t thread) {
      (*static_cast<const Task*>(of))(i, thread);
    });
  }

 private:
  using Call = void (*)(const void* task, std::size_t i, std::size_t thread);
  void run(std::size_t count, const void* task, Call call);
  void work(std::size_t thread);
  void serve(std::size_t thread);

  std::mutex mutex_;
  std::condition_variable begins_, ends_;
  std::size_t loop_ = 0; // number of loops begun
  bool open_ = false;    // other threads may still join the loop
  std::size_t busy_ = 0; // other threads that work on it
  bool stops_ = false;
  // State of the loop.
  std::size_t count_ = 0;
  std::atomic<std::size_t> next_ = 0;
  const void* task_ = nullptr;
  Call call_ = nullptr;
  std::exception_ptr failure_;
  std::vector<std::thread> others_;
};

} // namespace sinew
