// What poses and packs in every frame asks for no memory once it has been through the clip.
#include "app/crowd.h"
#include "core/test_effort.h"
#include "demo/demo.h"

#include <doctest/doctest.h>

using namespace sinew;

namespace {

constexpr int kFrames = 30;

Workbench makeHumanoidWorkbench(std::string_view method) {
  Settings settings;
  readSetting(method, settings.methods);
  return makeWorkbench(findDemo("humanoid").make(), settings);
}

} // namespace

TEST_CASE("playing a clip allocates nothing, by any method" * doctest::skip(test::kSanitized)) {
  for (const Method& method : methods()) {
    CAPTURE(method.name);
    Workbench workbench = makeHumanoidWorkbench(method.name);
    const auto play = [&] {
      const std::size_t before = test::newCalls();
      for (int frame = 0; frame < kFrames; ++frame)
        evaluate(workbench, frame / 30.0, Wrap::loop);
      return test::newCalls() - before;
    };
    play();
    CHECK(play() == 0);
  }
}

TEST_CASE("posing a crowd allocates nothing, by any method" * doctest::skip(test::kSanitized)) {
  for (const Method& method : methods()) {
    CAPTURE(method.name);
    const Workbench workbench = makeHumanoidWorkbench(method.name);
    Crowd crowd = makeCrowd(workbench, 9 * workbench.rig.positions.size(), 1);
    const auto play = [&] {
      const std::size_t before = test::newCalls();
      for (int frame = 0; frame < kFrames; ++frame)
        evaluateCrowd(workbench, workbench.bound.front(), crowd, static_cast<float>(frame) / 30.0f);
      return test::newCalls() - before;
    };
    CHECK(play() > 0); // it is counted
    CHECK(play() == 0);
  }
}
