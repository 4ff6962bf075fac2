// Sorting of short lists, such as the influences of a vertex, millions of times.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace sinew {

// As std::stable_sort(), which allocates memory at every call.
template <class T, class Less>
void sortFewStably(std::vector<T>& values, const Less& less) {
  constexpr std::size_t kFew = 32; // beyond, insertion would be quadratic
  if (values.size() > kFew) {
    std::stable_sort(values.begin(), values.end(), less);
    return;
  }
  for (std::size_t i = 1; i < values.size(); ++i)
    for (std::size_t k = i; k > 0 && less(values[k], values[k - 1]); --k)
      std::swap(values[k], values[k - 1]);
}

} // namespace sinew
