#include "bake/bake_run.h"
#include "check/check.h"
#include "check/check_test_support.h"
#include "check/check_text.h"
#include "check/joint_repair.h"
#include "check/weight_repair.h"
#include "core/error.h"
#include "core/test_effort.h"
#include "demo/demo.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {
namespace {

Workbench makeLinearWorkbench(Model model) {
  Settings settings;
  settings.methods = {{&findMethod("lbs")}};
  settings.clip = "bind";
  return makeWorkbench(std::move(model), settings);
}

const JointFault& findFault(const Check& check, std::string_view joint) {
  const auto found = std::ranges::find(check.joints, joint, &JointFault::name);
  REQUIRE(found != check.joints.end());
  return *found;
}

} // namespace

TEST_CASE("check: joints are called as people call them") {
  CHECK(jointPhrase("LowerArm.R") == "Right elbow");
  CHECK(jointPhrase("mixamorig:LeftUpLeg") == "Left hip");
  CHECK(jointPhrase("Bip01_L_Calf") == "Left knee");
  CHECK(jointPhrase("wrist.r") == "Right wrist");
  CHECK(jointPhrase("Thumb2.R") == "Right thumb 2");
  CHECK(jointPhrase("LeftHandMiddle1") == "Left hand middle finger 1");
  CHECK(jointPhrase("Spine_Middle") == "Spine middle");
  CHECK(jointPhrase("b_Tail02_04") == "Tail 4");
  CHECK(jointPhrase("DEF-thumb.03.L") == "Left thumb 3");
  CHECK(jointPhrase("1.5") == "1.5");
  CHECK(clipPhrase("HumanArmature|Man_Death") == "Man_Death");
  CHECK(clipPhrase("Run") == "Run");
  CHECK(clipPhrase("Run|") == "Run|");
}

TEST_CASE("check: joints that would be called the same keep their names") {
  Hierarchy hierarchy;
  for (const char* name : {"Spine1", "Spine2", "LeftArm"}) {
    Node node;
    node.name = name;
    hierarchy.nodes.push_back(node);
  }
  const auto phrases = jointPhrases(hierarchy, {0, 1, 2});
  CHECK(phrases[0] != phrases[1]);
  CHECK(phrases[2] == "Left shoulder");
}

TEST_CASE("check: each kind of fault is told from the others") {
  const auto nameKind = [](JointShape shape) { return worstKind(shape, 0.0).name; };
  CHECK(nameKind({.section = 0.4, .volume = 1.0}) == "collapse");
  CHECK(nameKind({.section = 0.4, .volume = 1.0, .twist = -120.0}) == "candy-wrapper");
  CHECK(nameKind({.section = 1.0, .volume = 1.6}) == "bulge");
  CHECK(nameKind({.section = 1.0, .folded = 0.5}) == "fold");
  CHECK(nameKind({.section = 1.0, .crossing = 2.0}) == "self-intersection");
  CHECK(computeSeverity(JointShape{.section = 1.0, .volume = 1.0, .folded = 0.0, .crossing = 0.0},
                        0.0) == 0.0);
  CHECK(computeSeverity(JointShape{}, 0.0) == 0.0); // nothing is defined
  CHECK(std::isinf(computeSeverity(JointShape{.broken = true}, 0.0)));
  CHECK(computeSeverity(JointShape{.section = 0.4}, 0.6) == doctest::Approx(1.0));
}

TEST_CASE("check: the twisted arm is a candy wrapper, and methods that keep it are told") {
  const Workbench workbench = makeLinearWorkbench(findDemo("arm").make());
  const Check check = checkModel(workbench, {});
  CHECK(check.clips == workbench.model.clips.size());
  REQUIRE(!check.joints.empty());
  const JointFault& worst = check.joints.front();
  CHECK(worst.name == "LowerArm");
  CHECK(worst.kind->name == "candy-wrapper");
  CHECK(worst.shape.section < 0.1);
  CHECK(std::abs(worst.shape.twist) > 150.0);
  REQUIRE(worst.moments.front().clip);
  CHECK(describeFault(workbench.model, worst).find("elbow-twist") != std::string::npos);
  REQUIRE(worst.best);
  CHECK(worst.methods[*worst.best].severity < 0.5);
  CHECK(worst.methods[*worst.best].method->name != "rigid");
  const auto linear = std::ranges::find_if(
      worst.methods, [](const MethodShape& each) { return each.method->name == "lbs"; });
  CHECK(linear->severity == doctest::Approx(worst.severity).epsilon(0.01));
  CHECK(std::ranges::is_sorted(check.joints, std::greater{}, &JointFault::severity));
}

TEST_CASE("check: the skin of a bake's helpers counts as that of the joints they help") {
  const Workbench workbench = makeLinearWorkbench(findDemo("arm").make());
  Settings settings;
  settings.methods = {{&findMethod("dqs")}};
  settings.clip = "bind";
  BakeRunOptions options;
  options.bake.poses.clips = {0};
  options.bake.poses.limit = 24;
  options.bake.helpers = 2;
  const BakeRun run = runBake(makeWorkbench(findDemo("arm").make(), settings), options);
  REQUIRE(run.helpers == 2);
  CheckOptions whole;
  whole.rig = &workbench.rig;
  const Workbench baked = makeLinearWorkbench(run.outcome->model);
  const Check found = checkModel(baked, {});
  const Check expected = checkModel(baked, whole);
  REQUIRE(found.joints.size() == expected.joints.size());
  CHECK(faultCount(found) == faultCount(expected));
  for (const JointFault& fault : found.joints)
    CHECK(fault.name.find(kHelperSuffix) == std::string::npos);
}

TEST_CASE("check: without clips joints are turned over their range of motion") {
  Model model = findDemo("arm").make();
  model.clips.clear();
  const Workbench workbench = makeLinearWorkbench(std::move(model));
  const Check check = checkModel(workbench, {});
  CHECK(check.clips == 0);
  const JointFault& elbow = findFault(check, "LowerArm");
  CHECK(!elbow.moments.front().clip);
  CHECK(std::abs(elbow.moments.front().at) == doctest::Approx(90.0));
  CHECK(elbow.shape.section < 0.8);
  CHECK(describeFault(workbench.model, elbow).find(" by 90 degrees") != std::string::npos);
  CHECK(describeScope(check) == "no clips: each joint bent and twisted by 90 degrees");
}

TEST_CASE(
    "check: skin in which each vertex follows one joint is checked too, and can be repaired") {
  Model model = findDemo("arm").make();
  for (Mesh& mesh : model.meshes) {
    Influences first;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v)
      first.append(std::vector<Influence>{{mesh.influences.of(v)[0].joint, 1.0f}});
    mesh.influences = first;
  }
  const Workbench workbench = makeLinearWorkbench(std::move(model));
  REQUIRE(bendingNodes(workbench.rig).empty());
  const Check check = checkModel(workbench, {});
  const JointFault& elbow = findFault(check, "LowerArm");
  CHECK(elbow.severity >= 1.0);
  const std::vector<JointRepair> repairs = tryRepairs(workbench, check, elbow, 0.0, nullptr);
  REQUIRE(!repairs.empty());
  CHECK(repairs.front().severity < elbow.severity);
  const auto shape = std::ranges::find(repairs, "corrective", &JointRepair::kind);
  REQUIRE(shape != repairs.end());
  const JointRepair& corrective = *shape;
  const Workbench fixed = repaired(workbench, {&elbow, 1}, {&corrective, 1}, nullptr);
  CHECK(fixed.model.morphTargets.size() == workbench.model.morphTargets.size() + 1);
}

TEST_CASE("check: joints that share no triangle with another have nothing to break") {
  Model model = findDemo("arm").make();
  for (Mesh& mesh : model.meshes) {
    Influences root;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v)
      root.append(std::vector<Influence>{{0, 1.0f}});
    mesh.influences = root;
  }
  const Check check = checkModel(makeLinearWorkbench(std::move(model)), {});
  CHECK(check.joints.empty());
  CHECK(countText(check) == "no joint shares skin with another: none can be checked");
}

TEST_CASE("check: joints that all hang from one root are checked where their skin touches") {
  Model model = findDemo("arm").make();
  const std::vector<mat4> bound = modelFromNodes(model.hierarchy, bindPose(model));
  auto& nodes = model.hierarchy.nodes;
  nodes.insert(nodes.begin(), Node{"top", kNoNode, {}});
  for (std::size_t n = 1; n < nodes.size(); ++n) {
    nodes[n].parent = 0;
    nodes[n].rest = decompose(bound[n - 1]);
  }
  for (Skin& skin : model.skins)
    for (auto& joint : skin.joints)
      ++joint.node;
  for (Mesh& mesh : model.meshes) {
    ++mesh.node;
    mesh.splineInfluences = {};
  }
  model.splines.clear();
  model.clips.clear();
  const Workbench workbench = makeLinearWorkbench(std::move(model));
  REQUIRE(bendingNodes(workbench.rig).empty());
  const Check check = checkModel(workbench, {});
  CHECK(check.joints.size() >= 2);
  CHECK(findFault(check, "LowerArm").severity > 0.0);
  CHECK(countText(check).find("joints have a fault") != std::string::npos);
}

TEST_CASE("check: a joint that was bound badly is repaired by automatic weights") {
  Model model = findDemo("arm").make();
  for (Mesh& mesh : model.meshes) {
    Influences damaged; // every third vertex follows the first joint
    for (std::size_t v = 0; v < mesh.positions.size(); ++v)
      if (v % 3 == 0)
        damaged.append(std::vector<Influence>{{0, 1.0f}});
      else
        damaged.append(mesh.influences.of(v));
    mesh.influences = damaged;
  }
  const Workbench workbench = makeLinearWorkbench(std::move(model));
  const Check check = checkModel(workbench, {});
  const JointFault& elbow = findFault(check, "LowerArm");
  const auto automatic = makeAutomaticWeights(workbench);
  REQUIRE(automatic);
  const std::vector<JointRepair> repairs =
      tryRepairs(workbench, check, elbow, 0.0, automatic.get());
  const auto bound = std::ranges::find(repairs, "bind", &JointRepair::kind);
  REQUIRE(bound != repairs.end());
  CHECK(bound->severity < 0.9 * elbow.severity);
  const SkinRegion& region = check.analysis.regions[elbow.region];
  for (std::size_t v = 0; v < bound->weights->vertexCount(); ++v) {
    float sum = 0.0f;
    for (const Influence& each : bound->weights->of(v))
      sum += each.weight;
    CHECK(sum == doctest::Approx(1.0f));
  }
  for (const std::uint32_t v : region.vertices)
    CHECK(std::ranges::equal(bound->weights->of(v), automatic->of(v), {}, &Influence::joint,
                             &Influence::joint));
  const Workbench fixed = repaired(workbench, {&elbow, 1}, {&*bound, 1}, automatic.get());
  Workbench shown = fixed;
  shown.bound.clear();
  shown.bound.push_back(bindMethod(shown.rig, findMethod("lbs"), {}));
  double severity = 0.0;
  for (const CheckMoment& moment : elbow.moments)
    severity = std::max(
        severity, computeSeverity(shapeIn(shown, check.analysis, elbow.region, moment.pose), 0.0));
  CHECK(severity == doctest::Approx(bound->severity).epsilon(0.02));
}

TEST_CASE("check: sentences have the figures that were measured") {
  Workbench workbench = makeLinearWorkbench(findDemo("arm").make());
  JointFault fault;
  fault.phrase = "Left knee";
  fault.moments.emplace_back();
  fault.moments.front().at = -90.0;
  const auto sentence = [&](const JointShape& shape) {
    fault.shape = shape;
    fault.kind = &worstKind(shape, 0.0);
    return describeFault(workbench.model, fault);
  };
  CHECK(sentence({.section = 0.4}) == "Left knee collapses to 40 % when bent by 90 degrees.");
  CHECK(sentence({.section = 1.0, .crossing = 2.5}) ==
        "Left knee pushes its skin through itself when bent by 90 degrees: 250 crossings for every "
        "100 triangles.");
  fault.moments.front().twisted = true;
  CHECK(sentence({.section = 0.4, .twist = 90.0}) ==
        "Left knee shrinks to 40 % of its thickness when twisted by 90 degrees: a candy wrapper.");
  CHECK(figureText(faultKinds()[0], JointShape{}) == "none");
  CHECK(figureText(faultKinds()[0], JointShape{.section = 0.53}) == "53 %");
}

TEST_CASE("check: a character that holds is told so") {
  const Workbench workbench = makeLinearWorkbench(test::armAtRest());
  const Check check = checkModel(workbench, {});
  CHECK(faultCount(check) == 0);
  CHECK(unbrokenText(workbench.model, check) == "No joint breaks in 1 clip.");
  CHECK(countText(check).find("joints have a fault") != std::string::npos);
}

TEST_CASE("check: it can be cancelled, and a mesh is needed") {
  const Workbench workbench = makeLinearWorkbench(findDemo("arm").make());
  CheckOptions options;
  options.progress = [](float fraction, std::string_view) { return fraction < 0.3f; };
  CHECK_THROWS_AS(checkModel(workbench, options), Cancelled);
  Model bare = findDemo("arm").make();
  bare.meshes.clear();
  CHECK_THROWS_AS(checkModel(makeLinearWorkbench(std::move(bare)), {}), Error);
  Model unbound = findDemo("arm").make();
  unbound.skins.clear();
  for (Mesh& mesh : unbound.meshes) {
    mesh.skin.reset();
    mesh.influences = {};
  }
  CHECK_THROWS_AS(checkModel(makeLinearWorkbench(std::move(unbound)), {}), Error);
}

TEST_CASE("check: a threshold of one's own decides what is a fault") {
  const Workbench workbench = makeLinearWorkbench(findDemo("arm").make());
  CheckOptions options;
  options.threshold = 9.0;
  CHECK(faultCount(checkModel(workbench, options)) == 0);
  options.threshold = 0.0;
  CHECK(faultCount(checkModel(workbench, options)) > 0);
}

TEST_CASE("check: the best repair is better than none, and is what the repaired bench shows") {
  const Workbench workbench = makeLinearWorkbench(findDemo("arm").make());
  const Check check = checkModel(workbench, {});
  const JointFault& worst = check.joints.front();
  const std::vector<JointRepair> repairs = tryRepairs(workbench, check, worst, 0.0, nullptr);
  REQUIRE(!repairs.empty());
  CHECK(std::ranges::is_sorted(repairs, {}, &JointRepair::severity));
  CHECK(repairs.front().severity < 0.5 * worst.severity);
  for (const std::string_view kind : {"method", "bend-range", "weights"})
    CHECK(std::ranges::find(repairs, kind, &JointRepair::kind) != repairs.end());
  Workbench fixed = repaired(workbench, {&worst, 1}, {repairs.data(), 1}, nullptr);
  double severity = 0.0;
  for (const CheckMoment& moment : worst.moments)
    severity = std::max(
        severity, computeSeverity(shapeIn(fixed, check.analysis, worst.region, moment.pose), 0.0));
  CHECK(severity == doctest::Approx(repairs.front().severity).epsilon(0.02));
}

TEST_CASE("check: nothing beside a repaired joint is worse than its repair says" *
          doctest::skip(test::kSanitized)) {
  std::size_t worsened = 0;
  for (const char* name : {"arm", "humanoid"}) {
    const Workbench workbench = makeLinearWorkbench(findDemo(name).make());
    const Check check = checkModel(workbench, {});
    std::vector<std::size_t> regions;
    regions.reserve(check.joints.size());
    for (const JointFault& joint : check.joints)
      regions.push_back(joint.region);
    const auto severities = [&](Workbench& shown, const Pose& pose) {
      std::vector<double> out;
      out.reserve(regions.size());
      for (const JointShape& shape : shapesIn(shown, check.analysis, regions, pose))
        out.push_back(computeSeverity(shape, 0.0));
      return out;
    };
    for (std::size_t k = 0; k < 2; ++k) {
      const JointFault& fault = check.joints[k];
      for (const JointRepair& repair : tryRepairs(workbench, check, fault, 0.0, nullptr)) {
        if (repair.kind == "corrective") continue; // it changes the model
        CAPTURE(fault.name);
        CAPTURE(repair.text);
        Workbench linear = workbench,
                  fixed = repaired(workbench, {&fault, 1}, {&repair, 1}, nullptr);
        double named = 0.0; // severity of the joint that the repair says is worse
        for (const CheckMoment& moment : fault.moments) {
          const std::vector<double> before = severities(linear, moment.pose);
          const std::vector<double> after = severities(fixed, moment.pose);
          for (std::size_t i = 0; i < after.size(); ++i) {
            CHECK(after[i] < std::max(before[i] + 0.1, repair.severity) + 0.02);
            if (check.joints[i].phrase == repair.worsened) named = std::max(named, after[i]);
          }
        }
        if (repair.worsened.empty()) continue;
        ++worsened;
        CHECK(named == doctest::Approx(repair.severity).epsilon(0.02));
      }
    }
  }
  CHECK(worsened > 0);
}

TEST_CASE("check: smoothed weights sum to one, and other skin keeps its own") {
  const Workbench workbench = makeLinearWorkbench(findDemo("arm").make());
  const SkinAnalysis analysis = analyzeSkin(workbench.model, workbench.rig, {});
  const SkinRegion& region = analysis.regions.back();
  const Influences smooth = smoothedAround(workbench.rig, region, 3);
  REQUIRE(smooth.vertexCount() == workbench.rig.positions.size());
  std::size_t changed = 0;
  for (std::size_t v = 0; v < smooth.vertexCount(); ++v) {
    float sum = 0.0f;
    for (const Influence& each : smooth.of(v))
      sum += each.weight;
    CHECK(sum == doctest::Approx(1.0f));
    const auto before = workbench.rig.influences.of(v);
    const bool same = std::ranges::equal(before, smooth.of(v), [](const auto& a, const auto& b) {
      return a.joint == b.joint && a.weight == b.weight;
    });
    const bool inside = std::ranges::binary_search(region.vertices, static_cast<std::uint32_t>(v));
    if (!same) {
      ++changed;
      CHECK(inside);
    }
  }
  CHECK(changed > 0);
}

} // namespace sinew
