#include "core/workers.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace sinew {

Workers::Workers(std::size_t threads) {
  if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
  others_.reserve(threads - 1);
  try {
    for (std::size_t i = 1; i < threads; ++i)
      others_.emplace_back([this, i] { serve(i); });
  } catch (const std::system_error&) {
    // The system has no more: those that there are do the work.
  }
}

Workers::~Workers() {
  {
    const std::lock_guard lock(mutex_);
    stops_ = true;
  }
  begins_.notify_all();
  for (std::thread& other : others_)
    other.join();
}

void Workers::run(std::size_t count, const void* task, Call call) {
  const bool shared = count > 1 && !others_.empty();
  {
    const std::lock_guard lock(mutex_);
    count_ = count;
    next_ = 0;
    task_ = task;
    call_ = call;
    failure_ = nullptr;
    if (shared) ++loop_;
    open_ = shared;
  }
  if (shared) begins_.notify_all();
  work(0);
  std::unique_lock lock(mutex_);
  open_ = false; // who has not come by now is not waited for: the machine may be busy
  ends_.wait(lock, [&] { return busy_ == 0; });
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void Workers::work(std::size_t thread) {
  for (std::size_t i = next_++; i < count_; i = next_++)
    try {
      call_(task_, i, thread);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      next_ = count_;
    }
}

void Workers::serve(std::size_t thread) {
  std::size_t seen = 0;
  std::unique_lock lock(mutex_);
  while (true) {
    begins_.wait(lock, [&] { return stops_ || (open_ && loop_ != seen); });
    if (stops_) return;
    seen = loop_;
    ++busy_;
    lock.unlock();
    work(thread);
    lock.lock();
    if (--busy_ == 0) ends_.notify_one();
  }
}

} // namespace sinew
