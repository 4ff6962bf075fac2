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

TEST_CASE("a moving camera beside a skeleton alone is no joint") {
  Model model;
  model.hierarchy.nodes = {{"root", kNoNode, {}}, {"hips", 0, {}},   {"spine", 1, {}},
                           {"head", 2, {}},       {"camera", 0, {}}, {"target", 0, {}}};
  Clip clip;
  for (const std::uint32_t node : {1u, 2u, 3u, 4u, 5u})
    clip.channels.push_back({node, {{0.0f}, {vec3(0.0f)}}, {}, {}});
  model.clips.push_back(clip);
  CHECK(jointNodes(model) == std::vector<std::uint32_t>{1, 2, 3});
  model.clips[0].channels.erase(model.clips[0].channels.begin()); // too few to be a skeleton
  CHECK(jointNodes(model) == std::vector<std::uint32_t>{2, 3, 4, 5});
}
