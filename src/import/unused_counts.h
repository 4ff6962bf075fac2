// What a file holds and sinew does not use, counted for one line of Model::warnings.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

class UnusedCounts {
 public:
  // Both forms of the name; a count of 0 adds nothing.
  void add(std::string_view one, std::string_view many, std::size_t count = 1);
  std::string line() const; // "2 cameras, 1 light", in the order of the first of each; or empty

 private:
  struct Counted {
    std::string one, many;
    std::size_t count = 0;
  };
  std::vector<Counted> all_;
};

} // namespace sinew
