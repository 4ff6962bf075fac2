#include "viewer/importer.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <thread>

namespace sinew {

using Clock = std::chrono::steady_clock;

struct Importer::Job {
  std::string name;
  Clock::time_point start = Clock::now();
  std::atomic<bool> cancelled = false;

  mutable std::mutex mutex;
  std::condition_variable changed;
  std::string what;
  float fraction = 0.0f;
  bool ended = false;           // result is there
  bool gone = false;            // the thread will touch nothing of ours any more
  std::optional<Result> result; // none after the end: cancelled
};

namespace {

ImportFailure failureOf(const std::string& name, std::exception_ptr problem) {
  try {
    std::rethrow_exception(std::move(problem));
  } catch (const Error& error) {
    return {error.what(), error.code()};
  } catch (const std::bad_alloc&) {
    return {name + ": not enough memory to read it; close other programs or use a smaller file",
            ExitCode::limit};
  } catch (const std::exception& error) {
    return {name + ": " + error.what(), ExitCode::input};
  }
}

} // namespace

void Importer::runJob(const std::shared_ptr<Job>& job, const Load& load,
                      const std::function<void()>& wake) {
  const ImportProgress report = [&](float fraction, std::string_view what) {
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
    result = failureOf(job->name, std::current_exception());
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

Importer::~Importer() {
  cancel();
}

void Importer::start(std::string name, Load load) {
  cancel();
  current_ = std::make_shared<Job>();
  current_->name = std::move(name);
  jobs_.push_back(current_);
  // Detached: a reader stuck in a hostile file must not hold the window. finish() waits for those
  // that listen.
  std::thread([job = current_, load = std::move(load), wake = wake_] {
    runJob(job, load, wake);
  }).detach();
}

void Importer::cancel() {
  std::erase_if(jobs_, [](const auto& job) {
    const std::lock_guard lock(job->mutex);
    return job->gone;
  });
  if (current_) current_->cancelled = true;
  current_.reset();
}

Importer::Progress Importer::progress() const {
  const std::lock_guard lock(current_->mutex);
  return {current_->name, current_->what, current_->fraction,
          std::chrono::duration<double>(Clock::now() - current_->start).count()};
}

std::optional<Importer::Result> Importer::take() {
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

bool Importer::finish(double seconds) {
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
