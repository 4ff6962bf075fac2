// Which of several ways to do the same is the fastest, measured by turns.
//
// Noise only adds time, so that the least of several rounds counts. One order of the turns would
// give what follows a slow way its cold caches, so that each round begins with another. Rounds go
// on until the two fastest are far enough apart, or until it no longer matters which one it is.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace sinew {

// Ways that cost at most so much more than the fastest are as good: the first of them is taken, so
// that the choice does not depend on noise.
inline constexpr double kAsFast = 1.05;

struct FastestWay {
  std::size_t way = 0;
  std::vector<double> least; // of each way, what measure() gave
  int rounds = 0;            // without the first, which warms up
};

// measure(i) does it once by way i and returns its cost, of which at least one exists.
FastestWay fastestWay(std::size_t ways, const std::function<double(std::size_t)>& measure);

} // namespace sinew
