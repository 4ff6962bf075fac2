// Work that takes a while: how it tells what it is at, and how it is told to stop.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>

namespace sinew {

// Called with the share done in [0, 1] and what is being done; false cancels.
using Progress = std::function<bool(float fraction, std::string_view what)>;

// Thrown by work whose Progress has returned false.
class Cancelled : public std::runtime_error {
 public:
  Cancelled() : std::runtime_error("cancelled") {}
};

// The share done by a work of several stages, each of a number of equal pieces. Threads may do
// pieces at once: reports come one after the other, and never fall.
class ProgressMeter {
 public:
  // An empty report: nobody listens, nobody cancels.
  explicit ProgressMeter(const Progress& report) : report_(report) {}

  // The stage before is done. The next one ends at `end` of the whole. Throws Cancelled.
  void startStage(std::string_view what, float end, std::size_t pieces = 1) {
    const std::lock_guard lock(mutex_);
    what_ = what;
    start_ = end_;
    end_ = end;
    pieces_ = pieces;
    done_ = 0;
    tell(start_);
  }

  // One more piece of the stage is done. Throws Cancelled.
  void piece() {
    const std::lock_guard lock(mutex_);
    if (done_ < pieces_) ++done_;
    tell(start_ + (end_ - start_) * static_cast<float>(done_) / static_cast<float>(pieces_));
  }

 private:
  void tell(float fraction) {
    if (report_ && !report_(fraction, what_)) throw Cancelled();
  }

  const Progress& report_;
  std::mutex mutex_;
  std::string what_;
  float start_ = 0.0f;
  float end_ = 0.0f;
  std::size_t pieces_ = 1;
  std::size_t done_ = 0;
};

} // namespace sinew
