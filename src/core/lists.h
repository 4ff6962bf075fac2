// A list of values for each of many things (the influences of every vertex), all in one vector.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace sinew {

// The list of i is values[offsets[i] .. offsets[i + 1]).
template <class T>
struct Lists {
  std::vector<std::uint32_t> offsets{0};
  std::vector<T> values;

  std::size_t count() const { return offsets.size() - 1; }
  std::span<const T> of(std::size_t i) const {
    return {values.data() + offsets[i], values.data() + offsets[i + 1]};
  }
  void append(std::span<const T> list) {
    values.insert(values.end(), list.begin(), list.end());
    endList();
  }
  // Ends the list of the values appended to `values` since the last list.
  void endList() { offsets.push_back(static_cast<std::uint32_t>(values.size())); }
};

// From pairs in any order: walk(each) calls each(i, value) for every value of the list of i, and is
// itself called twice, with the same pairs in the same order.
template <class T, class Walk>
Lists<T> gatherLists(std::size_t count, const Walk& walk) {
  Lists<T> out;
  out.offsets.assign(count + 1, 0);
  walk([&](std::size_t i, const T&) { ++out.offsets[i + 1]; });
  for (std::size_t i = 0; i < count; ++i)
    out.offsets[i + 1] += out.offsets[i];
  out.values.resize(out.offsets.back());
  std::vector<std::uint32_t> next(out.offsets.begin(), out.offsets.end() - 1);
  walk([&](std::size_t i, const T& value) { out.values[next[i]++] = value; });
  return out;
}

// As std::stable_sort(), which allocates memory at every call: for lists as short as the influences
// of a vertex.
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
