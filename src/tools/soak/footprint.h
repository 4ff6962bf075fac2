// What this process holds of the system, counted between loads: whatever grows is a leak.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace sinew {

struct Footprint {
  std::int64_t resident = 0;  // bytes of memory but pages of files, free memory given back
  std::int64_t allocated = 0; // bytes that malloc has handed out
  std::size_t descriptors = 0;
  std::size_t threads = 0;
  std::size_t files = 0; // in the current and the temporary folder and below
  bool children = false; // a process was started and not waited for
  std::size_t glObjects = 0;
};

// glObjects: number in the current context, if there is one.
Footprint footprint(std::size_t glObjects = 0);

// "512.3 MB resident, 401.2 MB allocated, 9 descriptors, ...".
std::string toString(const Footprint& footprint);

// What `now` has more than `before`, as one line; empty: nothing that counts. Of memory up to a
// megabyte does not: the pieces that the allocator cannot give back differ a little.
std::string growth(const Footprint& before, const Footprint& now);

} // namespace sinew
