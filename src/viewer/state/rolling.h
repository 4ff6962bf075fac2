// The last values of a measurement, for a plot and a median that does not jump.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace sinew {

class Rolling {
 public:
  static constexpr std::size_t kCapacity = 120;

  void push(double value) {
    values_[next_] = static_cast<float>(value);
    next_ = (next_ + 1) % kCapacity;
    count_ = std::min(count_ + 1, kCapacity);
  }
  void clear() { next_ = count_ = 0; }
  std::size_t count() const { return count_; }

  // Oldest first: i in [0, count()).
  float at(std::size_t i) const { return values_[(next_ + kCapacity - count_ + i) % kCapacity]; }

  // The median of all values held; 0 without any.
  float median() const {
    if (count_ == 0) return 0.0f;
    std::vector<float> sorted(count_);
    for (std::size_t i = 0; i < count_; ++i)
      sorted[i] = at(i);
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(count_ / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    return *middle;
  }
  float largest() const {
    float largest = 0.0f;
    for (std::size_t i = 0; i < count_; ++i)
      largest = std::max(largest, at(i));
    return largest;
  }

 private:
  std::array<float, kCapacity> values_{};
  std::size_t next_ = 0;
  std::size_t count_ = 0;
};

} // namespace sinew
