// Threads that are kept from one frame to the next: waking them takes a fraction of the time that
// starting them does (core/parallel.h).
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace sinew {

class Workers {
 public:
  // threads: with the caller's own; 0: as many as there are cores.
  explicit Workers(unsigned threads = 0);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  Workers(Workers&&) = delete;
  Workers& operator=(Workers&&) = delete;

  unsigned count() const { return static_cast<unsigned>(threads_.size()) + 1; }

  // Calls task(item, worker) for every item below `items`, in any order; worker is below count(),
  // and one worker does one item at a time. Returns when all are done; rethrows the exception of
  // the first that failed. From one thread at a time.
  using Task = std::function<void(std::size_t item, unsigned worker)>;
  void run(std::size_t items, const Task& task);

 private:
  void serve(unsigned worker);
  void work(unsigned worker);

  std::mutex mutex_;
  std::condition_variable begun_, ended_;
  // Under the mutex.
  const Task* task_ = nullptr;
  std::size_t items_ = 0;
  std::size_t next_ = 0;
  std::size_t round_ = 0;
  unsigned busy_ = 0;
  bool closing_ = false;
  std::exception_ptr failure_;

  std::vector<std::thread> threads_; // last: they use the rest
};

} // namespace sinew
