// Progress reports and cancellation of long operations.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>

namespace sinew {

// Called with the completed fraction in [0, 1] and the current stage; false cancels.
using Progress = std::function<bool(float fraction, std::string_view what)>;

// Thrown by an operation whose Progress has returned false.
class Cancelled : public std::runtime_error {
 public:
  Cancelled() : std::runtime_error("cancelled") {}
};

// The progress of an operation with several stages, each of a number of equal pieces. Threads may
// complete pieces concurrently: reports are serialised and never decrease.
class ProgressMeter {
 public:
  // An empty report is allowed.
  explicit ProgressMeter(const Progress& report) : report_(report) {}

  // Completes the previous stage. The new one ends at the fraction `end`, or at once where the
  // operation is beyond it. Throws Cancelled.
  void startStage(std::string_view what, float end, std::size_t pieces = 1) {
    const std::lock_guard lock(mutex_);
    what_ = what;
    start_ = end_;
    end_ = std::max(end_, end);
    pieces_ = pieces;
    done_ = 0;
    tell(start_);
  }

  // So much of the stage is done, of 1. Throws Cancelled.
  void reach(float share) {
    const std::lock_guard lock(mutex_);
    tell(start_ + (end_ - start_) * share);
  }

  // Completes one piece of the stage. Throws Cancelled.
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
