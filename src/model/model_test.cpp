#include "core/error.h"
#include "model/model.h"

#include <doctest/doctest.h>

using namespace sinew;

namespace {

Model withClips(std::initializer_list<const char*> names) {
  Model model;
  for (const char* name : names)
    model.clips.emplace_back().name = name;
  return model;
}

} // namespace

TEST_CASE("clips are found by name, by index, and by an ending that only one has") {
  const Model model = withClips(
      {"HumanArmature|Man_Run", "HumanArmature|Man_Walk", "a|Jump", "b|Jump", "Man_Walk", "1"});
  CHECK(findClip(model, "HumanArmature|Man_Run") == 0);
  CHECK(findClip(model, "Man_Run") == 0);
  CHECK(findClip(model, "man_run") == 0);
  CHECK(findClip(model, "Man_Walk") == 4); // a whole name before an ending
  CHECK(findClip(model, "1") == 5);        // a name before an index
  CHECK(findClip(model, "3") == 3);
  CHECK_THROWS_WITH_AS(findClip(model, "Jump"), doctest::Contains("a|Jump"), Error);
  CHECK_THROWS_AS(findClip(model, "Run"), Error);
  CHECK_THROWS_AS(findClip(model, ""), Error);
  CHECK_THROWS_AS(findClip(withClips({"a|"}), ""), Error);
}
