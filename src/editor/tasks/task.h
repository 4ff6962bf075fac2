// Work on a background thread, one piece wanted at a time.
//
// Its result becomes visible in one step, through take(). Cancelling (or starting another) returns
// at once: the thread is told to stop and its result, if any, is discarded. The threads share
// nothing with the caller but their own state.
#pragma once

#include "core/error.h"
#include "core/progress.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

namespace sinew {

struct TaskFailure {
  std::string message; // one line: what it was about, what is wrong, remedy
  ErrorCause cause = ErrorCause::input;
};
TaskFailure describeFailure(const std::string& name, std::exception_ptr problem);

template <class T>
class Task {
 public:
  using Load = std::function<T(const Progress& progress)>; // throws Cancelled when told to stop
  using Result = std::variant<T, TaskFailure>;

  // wake is called on the thread when there is something new to show; it may be empty.
  explicit Task(std::function<void()> wake = {}) : wake_(std::move(wake)) {}
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;
  ~Task() { cancel(); }

  void start(const std::string& name, Load load);
  void cancel();
  bool running() const { return current_ != nullptr; }

  struct Status {
    std::string name;
    std::string what;
    float fraction = 0.0f;
    double seconds = 0.0; // since the start
  };
  Status progress() const; // only while running

  // The result of the wanted work, once.
  std::optional<Result> take();

  // Cancels all and waits for the threads. False if one is still at it after that time.
  bool finish(double seconds);

 private:
  using Clock = std::chrono::steady_clock;
  struct Job {
    std::string name;
    Clock::time_point start = Clock::now();
    std::atomic<bool> cancelled = false;

    mutable std::mutex mutex;
    std::condition_variable changed;
    std::string what;
    float fraction = 0.0f;
    bool ended = false;           // the result is available
    bool gone = false;            // the thread no longer accesses shared state
    std::optional<Result> result; // none after the end: cancelled
  };
  static void runJob(const std::shared_ptr<Job>& job, const Load& load,
                     const std::function<void()>& wake);

  std::function<void()> wake_;
  std::shared_ptr<Job> current_;
  std::vector<std::shared_ptr<Job>> jobs_; // jobs whose threads may still run
};

template <class T>
void Task<T>::runJob(const std::shared_ptr<Job>& job, const Load& load,
                     const std::function<void()>& wake) {
  const Progress report = [&](float fraction, std::string_view what) {
    const std::lock_guard lock(job->mutex);
    job->fraction = fraction;
    job->what = what;
    return !job->cancelled;
  };
  std::optional<Result> result;
  try {
    result = load(report);
  } catch (const Cancelled&) {
    result.reset();
  } catch (...) {
    result = describeFailure(job->name, std::current_exception());
  }
  {
    const std::lock_guard lock(job->mutex);
    if (!job->cancelled) job->result.swap(result);
    job->ended = true;
  }
  result.reset(); // one nobody wants is destroyed here, on this thread
  if (wake) wake();
  {
    const std::lock_guard lock(job->mutex);
    job->gone = true;
  }
  job->changed.notify_all();
}

template <class T>
void Task<T>::start(const std::string& name, Load load) {
  cancel();
  current_ = std::make_shared<Job>();
  current_->name = name;
  jobs_.push_back(current_);
  // Detached: work stuck in a hostile file must not hold the window. finish() waits for what
  // listens.
  std::thread([job = current_, load = std::move(load), wake = wake_] {
    runJob(job, load, wake);
  }).detach();
}

template <class T>
void Task<T>::cancel() {
  std::erase_if(jobs_, [](const auto& job) {
    const std::lock_guard lock(job->mutex);
    return job->gone;
  });
  if (current_) current_->cancelled = true;
  current_.reset();
}

template <class T>
typename Task<T>::Status Task<T>::progress() const {
  const std::lock_guard lock(current_->mutex);
  return {current_->name, current_->what, current_->fraction,
          std::chrono::duration<double>(Clock::now() - current_->start).count()};
}

template <class T>
std::optional<typename Task<T>::Result> Task<T>::take() {
  if (!current_) return std::nullopt;
  std::optional<Result> result;
  {
    const std::lock_guard lock(current_->mutex);
    if (!current_->ended) return std::nullopt;
    result = std::move(current_->result);
  }
  current_.reset();
  return result;
}

template <class T>
bool Task<T>::finish(double seconds) {
  cancel();
  const auto until = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                        std::chrono::duration<double>(seconds));
  for (const auto& job : jobs_) {
    std::unique_lock lock(job->mutex);
    if (!job->changed.wait_until(lock, until, [&] { return job->gone; })) return false;
  }
  jobs_.clear();
  return true;
}

} // namespace sinew
