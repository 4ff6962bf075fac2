// Animation of FBX files, written here.
#include "import/fbx/fbx_test_scene.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

using namespace sinew;
using namespace sinew::test;

TEST_CASE("FBX: layers of animation add to one another, replace or fade") {
  struct Case {
    int blend;
    double weight;
    double expected; // x, over a base of 10 with a layer of 4
  };
  for (const Case& each : {Case{0, 100, 14}, Case{0, 25, 11}, Case{1, 25, 4}, Case{2, 25, 8.5}}) {
    FbxText file;
    file.model(1, "a", "Null");
    file.model(2, "b", "Null", {}, 1);
    addStack(file, 0.0, 1.0);
    file.object(102, "AnimationLayer", "AnimLayer::over", "",
                "Properties70:  {\n" + number("BlendMode", each.blend) +
                    number("Weight", each.weight) + "}\n",
                100);
    animate(file, 110, 101, 1, "Lcl Translation", {linearCurve({0, 1}, "10,10")});
    animate(file, 120, 102, 1, "Lcl Translation", {linearCurve({0, 1}, "4,4")});
    const Model model = importFbx(file);
    const Pose pose = sample(model.hierarchy, model.clips.at(0), 0.5f);
    CHECK(modelFromNode(model, "a", pose)[3].x == doctest::Approx(each.expected));
  }
}

TEST_CASE("FBX: muted layers do not count, and rotations are added as rotations") {
  FbxText file;
  file.model(1, "a", "Null");
  file.model(2, "b", "Null", {}, 1);
  addStack(file, 0.0, 1.0);
  file.object(102, "AnimationLayer", "AnimLayer::over", "", "", 100);
  file.object(103, "AnimationLayer", "AnimLayer::off", "",
              "Properties70:  {\n" + number("Mute", 1) + "}\n", 100);
  animate(file, 110, 101, 1, "Lcl Rotation", {linearCurve({0, 1}, "90,90")});
  animate(file, 120, 102, 1, "Lcl Rotation", {"", linearCurve({0, 1}, "0,90")});
  animate(file, 130, 103, 1, "Lcl Rotation", {linearCurve({0, 1}, "0,90")});
  const Model model = importFbx(file);
  CHECK(anyContains(model.warnings, "1 animation layer is muted"));
  const Pose pose = sample(model.hierarchy, model.clips.at(0), 0.5f);
  CHECK(matrixDifference(modelFromNode(model, "a", pose),
                         rotation({90, 0, 0}) * rotation({0, 45, 0})) < 1e-5);
}

TEST_CASE("FBX: a spin of more than half a turn between two keys is kept, and clips start at their "
          "start") {
  FbxText file;
  file.model(1, "a", "Null");
  file.model(2, "b", "Null", vector("Lcl Translation", 1, 0, 0), 1);
  addStack(file, 1.0, 3.0);
  animate(file, 110, 101, 1, "Lcl Rotation",
          {linearCurve({1, 3}, "0,400"), linearCurve({1, 3}, "0,-900"),
           linearCurve({0, 3}, "-360,720")});
  const Model model = importFbx(file);
  REQUIRE(model.clips.size() == 1);
  CHECK(model.clips[0].seconds == doctest::Approx(2.0f));
  double worst = 0.0;
  for (int i = 0; i <= 200; ++i) {
    const double t = 2.0 * i / 200.0;
    const Pose pose = sample(model.hierarchy, model.clips[0], static_cast<float>(t));
    worst = std::max(worst, matrixDifference(modelFromNode(model, "a", pose),
                                             rotation({200 * t, -450 * t, 360 * t})));
  }
  CHECK(worst < 1e-5);
}

TEST_CASE("FBX: a stack that states no times has those of the take of its name") {
  FbxText file;
  file.model(1, "a", "Null");
  file.object(100, "AnimationStack", "AnimStack::move", "", "", 0);
  file.object(101, "AnimationLayer", "AnimLayer::base", "", "", 100);
  animate(file, 110, 101, 1, "Lcl Translation", {linearCurve({1, 3}, "0,2")});
  const auto seconds = [&](const std::string& takes) {
    return importFbx(file.text() + takes).clips.at(0).seconds;
  };
  CHECK(seconds("") == doctest::Approx(3.0f));
  const std::string take = "Takes:  {{\nTake: \"{}\" {{\nLocalTime: {},{}\n}}\n}}\n";
  CHECK(seconds(fmt::format(fmt::runtime(take), "move", ticks(1), ticks(3))) ==
        doctest::Approx(2.0f));
  CHECK(seconds(fmt::format(fmt::runtime(take), "other", ticks(1), ticks(3))) ==
        doctest::Approx(3.0f));
}

TEST_CASE("FBX: a file of others whose stack states no times starts at its first key") {
  const std::filesystem::path file = sharedModels() / "faults" / "Decomposition_10.fbx";
  if (!std::filesystem::exists(file)) return;
  CHECK(importModel(file).clips.at(0).seconds == doctest::Approx(399.0f / 24.0f));
}

TEST_CASE("FBX: repeated curves, and a clip no longer than its stack or its last key") {
  struct Case {
    double stop;
    const char* after;
    double seconds;
  };
  for (const Case& each :
       {Case{5.0, "C", 2.0}, Case{1.0, "C", 1.0}, Case{1.98, "C", 2.0}, Case{5.0, "R", 5.0}}) {
    FbxText file;
    file.model(1, "a", "Null");
    file.model(2, "b", "Null", {}, 1);
    addStack(file, 0.0, each.stop);
    animate(file, 110, 101, 1, "Lcl Translation",
            {linearCurve({0, 1, 2}, "0,3,1") + "Post-Extrapolation:  {\nType: " + each.after +
             "\nRepetition: -1\n}\n"});
    const Model model = importFbx(file);
    CHECK(model.clips.at(0).seconds == doctest::Approx(each.seconds));
    if (each.after[0] != 'R') continue;
    for (const float time : {0.5f, 1.9f, 2.1f, 3.5f, 4.5f}) {
      const float cycle = std::fmod(time, 2.0f);
      const Pose pose = sample(model.hierarchy, model.clips[0], time);
      CHECK(modelFromNode(model, "a", pose)[3].x ==
            doctest::Approx(cycle < 1.0f ? 3.0f * cycle : 3.0f - 2.0f * (cycle - 1.0f)));
    }
  }
}
