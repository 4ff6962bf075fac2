#include "core/nearest_name.h"

#include <doctest/doctest.h>

#include <vector>

namespace sinew {

TEST_CASE("nearest name: mistyped words find theirs, other words find none") {
  const std::vector<std::string> names{"view", "info", "render", "ragdoll", "zones"};
  CHECK(nearestName("rendr", names) == "render");   // a letter too few
  CHECK(nearestName("rennder", names) == "render"); // too many
  CHECK(nearestName("ernder", names) == "render");  // two swapped
  CHECK(nearestName("RENDER", names) == "render");
  CHECK(nearestName("ragdol", names) == "ragdoll");
  CHECK(nearestName("veiw", names) == "view");
  CHECK(nearestName("zoo", names).empty());
  CHECK(nearestName("elephant", names).empty());
  CHECK(nearestName("", names).empty());
  CHECK(nearestName("view", {}).empty());
}

} // namespace sinew
