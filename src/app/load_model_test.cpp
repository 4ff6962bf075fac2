#include "animation/sample.h"
#include "app/load_model.h"
#include "demo/demo.h"

#include <doctest/doctest.h>

#include <set>

namespace sinew {

TEST_CASE("added motions: all clips follow the model's own, under names of their own") {
  Model model = findDemo("humanoid").make();
  const std::size_t own = model.clips.size();
  const Model before = model;
  addMotions(model, {"demo:humanoid", "demo:humanoid"}, {});
  REQUIRE(model.clips.size() == 3 * own);
  const std::vector<std::string> names = clipNames(model);
  CHECK(std::set<std::string>(names.begin(), names.end()).size() == names.size());
  CHECK(names[own].starts_with("humanoid"));
  for (std::size_t i = 0; i < own; ++i) {
    CHECK(names[i] == before.clips[i].name);
    const float time = 0.3f * model.clips[i].seconds;
    CHECK(sample(model, model.clips[2 * own + i], time).parentFromNode ==
          sample(before, before.clips[i], time).parentFromNode);
  }
}

} // namespace sinew
