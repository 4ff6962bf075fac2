#include "cpu_skin/workers.h"

#include <algorithm>

namespace sinew {

Workers::Workers(unsigned threads) {
  if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
  for (unsigned worker = 1; worker < threads; ++worker)
    threads_.emplace_back([this, worker] { serve(worker); });
}

Workers::~Workers() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  begun_.notify_all();
  for (std::thread& thread : threads_)
    thread.join();
}

void Workers::serve(unsigned worker) {
  std::size_t seen = 0;
  std::unique_lock lock(mutex_);
  while (true) {
    begun_.wait(lock, [&] { return closing_ || round_ != seen; });
    if (closing_) return;
    seen = round_;
    ++busy_;
    lock.unlock();
    work(worker);
    lock.lock();
    if (--busy_ == 0) ended_.notify_one();
  }
}

void Workers::work(unsigned worker) {
  while (true) {
    std::size_t item = 0;
    const Task* task = nullptr;
    {
      const std::lock_guard lock(mutex_);
      if (next_ >= items_) return;
      item = next_++;
      task = task_;
    }
    try {
      (*task)(item, worker);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      next_ = items_;
    }
  }
}

void Workers::run(std::size_t items, const Task& task) {
  if (items <= 1 || threads_.empty()) {
    for (std::size_t item = 0; item < items; ++item)
      task(item, 0);
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    task_ = &task;
    items_ = items;
    next_ = 0;
    failure_ = nullptr;
    ++round_;
  }
  begun_.notify_all();
  work(0);
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [&] { return busy_ == 0; });
  task_ = nullptr; // who wakes late finds no item left
  if (failure_) std::rethrow_exception(failure_);
}

} // namespace sinew
