#include "animation/sample.h"
#include "bake/bake.h"
#include "bake/bake_run.h"
#include "bake/baked_model.h"
#include "bake/blend_weights.h"
#include "bake/place_weights.h"
#include "bake/test_support.h"
#include "core/test_effort.h"
#include "demo/demo.h"
#include "export/glb.h"
#include "metrics/compare.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

// The error of the model's own weights limited to so many for each place, the largest ones.
double meanOfLargest(const BakeResult& result, std::uint32_t influences) {
  BakeProblem limited = result.problem;
  for (std::size_t place = 0; place < limited.weights.size(); ++place) {
    const PlaceWeights& original = limited.original[place];
    std::vector<std::pair<float, std::uint32_t>> sorted;
    for (std::uint32_t i = 0; i < original.count; ++i)
      sorted.emplace_back(original.weights[i], original.bones[i]);
    std::sort(sorted.rbegin(), sorted.rend());
    sorted.resize(std::min<std::size_t>(sorted.size(), influences));
    float sum = 0.0f;
    for (const auto& each : sorted)
      sum += each.first;
    PlaceWeights& out = limited.weights[place];
    out = {};
    for (const auto& each : sorted) {
      out.weights[out.count] = each.first / sum;
      out.bones[out.count++] = each.second;
    }
  }
  return summarize(limited, result.heldOutShapes, computeErrors(limited, result.heldOutShapes))
      .mean;
}

// A vertex of a bone that is twisted by 180 degrees: where its own rotation brings (1, 0), and its
// distance from the bone.
struct TwistedVertex {
  glm::dvec2 rotated{0.0};
  double radius = 0.0;
};

// The vertices that follow neither of the two joints rigidly.
std::vector<TwistedVertex> twistedVertices(const BoneAxis& axis, const std::vector<vec3>& rest,
                                           const std::vector<vec3>& posed) {
  const auto across = [&](const vec3& position) {
    const vec3 out = position - axis.center;
    return glm::dvec3(out - glm::dot(out, axis.direction) * axis.direction);
  };
  std::vector<TwistedVertex> out;
  for (std::size_t v = 0; v < rest.size(); ++v) {
    const glm::dvec3 from = across(rest[v]), to = across(posed[v]);
    const glm::dvec2 rotated(glm::dot(from, to), glm::length(glm::cross(from, to)));
    if (rotated.y > 0.01 * glm::length(rotated))
      out.push_back({glm::normalize(rotated), glm::length(from)});
  }
  return out;
}

// The least of the largest distances that three helpers can leave which rotate about the bone: a
// vertex blends to a point of the polygon of their rotations and those of the two joints, best to
// the nearest.
double leastOfThreeHelpers(const std::vector<TwistedVertex>& vertices) {
  constexpr std::size_t kSteps = 60;
  std::vector<glm::dvec2> corners;
  for (std::size_t i = 0; i <= kSteps; ++i) {
    const double angle = std::acos(-1.0) * static_cast<double>(i) / static_cast<double>(kSteps);
    corners.emplace_back(std::cos(angle), std::sin(angle));
  }
  const auto distanceFrom = [](const glm::dvec2& a, const glm::dvec2& b, const glm::dvec2& p) {
    const double t = glm::dot(p - a, b - a) / glm::dot(b - a, b - a);
    return glm::distance(p, a + std::clamp(t, 0.0, 1.0) * (b - a));
  };
  double least = 1e9;
  for (std::size_t a = 1; a < kSteps; ++a)
    for (std::size_t b = a + 1; b < kSteps; ++b)
      for (std::size_t c = b + 1; c < kSteps; ++c) {
        const std::array angles{std::size_t{0}, a, b, c, kSteps};
        double largest = 0.0;
        for (const TwistedVertex& vertex : vertices) {
          if (largest >= least) break;
          double nearest = 2.0;
          for (std::size_t i = 0; i < 4; ++i)
            nearest = std::min(nearest, distanceFrom(corners[angles.at(i)],
                                                     corners[angles.at(i + 1)], vertex.rotated));
          largest = std::max(largest, vertex.radius * nearest);
        }
        least = std::min(least, largest);
      }
  return least;
}

} // namespace

TEST_CASE("bake: a vertex' weights are the best of those allowed") {
  Random random(7);
  for (int round = 0; round < test::rounds(2000, 300); ++round) {
    const int n = 2 + static_cast<int>(random.below(9));
    const std::uint32_t limit = 1 + random.below(5);
    BlendMatrix A(n, n);
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < n; ++k)
        A(i, k) = static_cast<double>(random.uniform(-1.0f, 1.0f));
    const BlendMatrix H = A * A.transpose() + 1e-6 * BlendMatrix::Identity(n, n);
    BlendVector c(n);
    for (int i = 0; i < n; ++i)
      c[i] = static_cast<double>(random.uniform(-1.0f, 1.0f));
    const auto cost = [&](const BlendVector& w) { return w.dot(H * w) - 2.0 * c.dot(w); };
    const BlendVector free = solveBlend(H, c, static_cast<std::uint32_t>(n));
    const BlendVector w = solveBlend(H, c, limit);
    for (const BlendVector& each : {free, w}) {
      CHECK(each.sum() == doctest::Approx(1.0).epsilon(1e-12));
      CHECK(each.minCoeff() >= 0.0);
    }
    CHECK((w.array() > 0.0).count() <= static_cast<Eigen::Index>(limit));
    CHECK(cost(free) <= cost(w) + 1e-9);
    // No other weights of the simplex cost less.
    for (int t = 0; t < 20; ++t) {
      BlendVector other(n);
      for (int i = 0; i < n; ++i)
        other[i] = static_cast<double>(random.below(3) == 0 ? random.uniform() : 0.0f) + 1e-12;
      other /= other.sum();
      CHECK(cost(free) <= cost(other) + 1e-9);
    }
  }
}

TEST_CASE("bake: linear blending is returned, without a helper") {
  for (int seed = 0; seed < test::rounds(20, 4); ++seed) {
    Model model = test::randomModelWithClips(static_cast<std::uint64_t>(seed), test::kSmall);
    model.skinnedBy = "dqs";
    std::vector<vec3>& positions = model.meshes.front().positions;
    for (std::size_t v = 1; v < positions.size(); v += 2) // as closed lips are
      positions[v] = positions[v - 1];
    const Workbench workbench = test::makeBakeWorkbench(model, "lbs");
    const BakeResult result = bake(workbench, test::bakeOptionsFor(model));
    CHECK(result.problem.helpers.empty());
    const BakedClips baked = bakedModel(result, {0, 1}, 30.0);
    CHECK(baked.model.skinnedBy.empty());
    CHECK(baked.model.hierarchy.nodes.size() == model.hierarchy.nodes.size());
    // The method itself rounds weights to 16 bits: compared with the model's own.
    const Rig rig = buildRig(baked.model);
    float largest = 0.0f;
    for (const Pose& pose : bakePoses(model, rig, test::bakeOptionsFor(model).poses).poses) {
      const std::vector<mat4> modelFromNode = modelFromNodes(model.hierarchy, pose);
      for (std::uint32_t v = 0; v < rig.positions.size(); ++v)
        largest =
            std::max(largest, glm::distance(test::byInfluences(rig, modelFromNode, v),
                                            test::byInfluences(workbench.rig, modelFromNode, v)));
    }
    CHECK(largest <= 1e-6f * result.problem.size);
    CHECK(result.heldOut.largest <= 1e-5);
  }
}

TEST_CASE("bake: error never grows with helpers, and weights are whole" *
          doctest::skip(test::kSanitized)) {
  const std::vector<const char*> methods{"dqs", "bones-blending", "arc-spline"};
  for (int seed = 0; seed < test::rounds(12, 3); ++seed) {
    const Model model =
        test::randomModelWithClips(40u + static_cast<std::uint64_t>(seed), test::kSmall);
    const Workbench workbench =
        test::makeBakeWorkbench(model, methods[static_cast<std::size_t>(seed) % 3]);
    BakeOptions options = test::bakeOptionsFor(model);
    options.helpers = 4;
    options.influences = 2 + static_cast<std::uint32_t>(seed) % 3;
    const BakeResult result = bake(workbench, options);
    CHECK(result.problem.helpers.size() <= 4);
    const double limited = meanOfLargest(result, options.influences);
    if (options.influences >= test::kSmall.influences)
      CHECK(limited == doctest::Approx(result.linear.mean).epsilon(1e-3));
    CHECK(result.curve.front().error.mean <= limited + 1e-3);
    for (std::size_t i = 1; i < result.curve.size(); ++i) {
      CHECK(result.curve[i].error.mean <= result.curve[i - 1].error.mean);
      CHECK(result.curve[i].error.largest <= result.curve[i - 1].error.largest);
    }
    for (const PlaceWeights& weights : result.problem.weights) {
      CHECK(weights.count >= 1);
      CHECK(weights.count <= options.influences);
      float sum = 0.0f;
      for (std::uint32_t i = 0; i < weights.count; ++i) {
        CHECK(weights.weights[i] > 0.0f);
        sum += weights.weights[i];
      }
      CHECK(sum == doctest::Approx(1.0).epsilon(1e-6));
    }
    // The same on every call, to the last bit.
    const BakedClips baked = bakedModel(result, {0, 1}, 30.0);
    const BakedClips again = bakedModel(bake(workbench, options), {0, 1}, 30.0);
    CHECK(toGlb(baked.model) == toGlb(again.model));
  }
}

TEST_CASE("bake: the model's linear blending is what was measured" *
          doctest::skip(test::kSanitized)) {
  for (int seed = 0; seed < test::rounds(8, 2); ++seed) {
    const Model model =
        test::randomModelWithClips(80u + static_cast<std::uint64_t>(seed), test::kSmall);
    Workbench workbench = test::makeBakeWorkbench(model, "dqs");
    BakeOptions options = test::bakeOptionsFor(model);
    options.helpers = 3;
    const BakeResult result = bake(workbench, options);
    const BakedClips baked = bakedModel(result, {0, 1}, 30.0);
    const Rig rig = buildRig(baked.model);
    const float size = result.problem.size;
    float largest = 0.0f;
    for (std::uint32_t c = 0; c < 2; ++c)
      for (int frame = 0; frame <= 15; ++frame) {
        const float time = static_cast<float>(static_cast<double>(frame) / 30.0);
        const Pose pose = sample(baked.model, baked.model.clips[c], time);
        const std::vector<mat4> ours = modelFromNodes(baked.model.hierarchy, pose);
        holdPose(workbench, sample(model, model.clips[c], time));
        evaluate(workbench, 0.0, Wrap::clamp);
        const SkinnedMesh target = skinOnCpu(workbench, workbench.bound.front());
        for (std::uint32_t v = 0; v < rig.positions.size(); ++v)
          largest = std::max(
              largest, glm::distance(test::byInfluences(rig, ours, v), target.positions[v]) / size);
      }
    double atKeys = 0.0;
    for (const BakedClipErrors& clip : baked.clips)
      atKeys = std::max(atKeys, clip.atKeys.largest);
    CHECK(static_cast<double>(largest) <= atKeys * 1.001);
    CHECK(baked.error.largest >= atKeys);
  }
}

TEST_CASE("bake: a twist that blends in over the whole limb is baked like any other" *
          doctest::skip(test::kSanitized || !test::kThorough)) {
  const Model model = findDemo("humanoid").make();
  // A clip that twists a hand.
  Model twisting = model;
  const std::uint32_t hand = *findNode(model.hierarchy, "LeftHand");
  Channel channel{hand, {}, {}, {}};
  const quat rest = bindPose(model).parentFromNode[hand].rotation;
  const vec3 along(0, 1, 0);
  for (int i = 0; i <= 4; ++i) {
    channel.rotation.times.push_back(0.25f * static_cast<float>(i));
    channel.rotation.values.push_back(
        glm::normalize(rest * glm::angleAxis(0.5f * static_cast<float>(i), along)));
  }
  twisting.clips = {{"twist", 1.0f, {channel}}};
  for (const char* method : {"bones-blending:twist=bone", "arc-spline:twist=bone"}) {
    CAPTURE(std::string(method));
    Settings settings;
    settings.methods = parseMethods(method);
    settings.clip = "bind";
    BakeRunOptions options;
    options.bake.helpers = 8;
    options.bake.poses.limit = 160;
    options.bake.poses.clips = {0};
    const BakeRun run = runBake(makeWorkbench(twisting, settings), options);
    REQUIRE(run.clips);
    CHECK(run.heldOut.mean < 0.6 * run.linear.mean);
    CHECK(run.clips->mean < 0.5 * run.clipErrors.front().linear.mean);
    CHECK(worseThanLinear(run, 0.005).empty());
  }
}

TEST_CASE("bake: skin that follows velocities moves in the clips of the result" *
          doctest::skip(test::kSanitized)) {
  const Model model = findDemo("arm").make();
  Settings settings;
  settings.methods = parseMethods("lbs");
  settings.drag = 0.3f;
  settings.clip = "bind";
  BakeRunOptions options;
  options.bake.helpers = 8;
  options.bake.poses.limit = 96;
  options.bake.poses.clips = {0};
  const BakeRun run = runBake(makeWorkbench(model, settings), options);
  CHECK(run.drivers.empty()); // poses alone do not say what moves
  CHECK_FALSE(run.helperDrivers);
  REQUIRE(run.clips);

  const Model& baked = run.outcome->model;
  const Rig rig = buildRig(baked), before = buildRig(model);
  settings.clip = "0";
  Workbench workbench = makeWorkbench(model, settings);
  double with = 0.0, without = 0.0;
  for (float time = 0.1f; time < model.clips[0].seconds; time += 0.13f) {
    evaluate(workbench, static_cast<double>(time), Wrap::clamp);
    const std::vector<vec3> target = skinOnCpu(workbench, workbench.bound.front()).positions;
    const std::vector<mat4> ours =
        modelFromNodes(baked.hierarchy, sample(baked, baked.clips[0], time));
    const std::vector<mat4> plain =
        modelFromNodes(model.hierarchy, sample(model, model.clips[0], time));
    for (std::uint32_t v = 0; v < target.size(); ++v) {
      with += static_cast<double>(glm::distance(test::byInfluences(rig, ours, v), target[v]));
      without +=
          static_cast<double>(glm::distance(test::byInfluences(before, plain, v), target[v]));
    }
  }
  CHECK(without > 0.0);
  CHECK(with < 0.25 * without);
}

TEST_CASE("bake: it ends where helpers gain little" * doctest::skip(test::kSanitized)) {
  // Delta mush moves places that follow one joint alone, which weights and helpers cannot.
  const Model model = findDemo("humanoid").make();
  const Workbench workbench = test::makeBakeWorkbench(model, "ddm");
  BakeOptions options;
  options.poses.limit = 60;
  options.tolerance = 1e-6f;
  const BakeResult result = bake(workbench, options);
  CHECK(!isWithin(result.heldOut, 1e-6));
  const std::vector<BakeStep>& curve = result.curve;
  REQUIRE(curve.size() > 6);
  for (std::size_t i = 6; i + 1 < curve.size(); ++i)
    CHECK((curve[i].error.mean <= 0.9 * curve[i - 6].error.mean ||
           curve[i].error.largest <= 0.9 * curve[i - 6].error.largest));
  CHECK(result.problem.helpers.size() <= 80);
}

TEST_CASE("bake: an elbow twisted by 180 degrees keeps its thickness" *
          doctest::skip(test::kSanitized)) {
  const Model model = findDemo("arm").make();
  const std::uint32_t clip = findClip(model, "elbow-twist");
  const Workbench workbench = test::makeBakeWorkbench(model, "arc-spline");
  std::uint32_t elbow = 0;
  while (model.hierarchy.nodes[workbench.rig.joints[elbow].node].name != "LowerArm")
    ++elbow;
  const JointProbe probe = probeJoint(model, workbench.rig, elbow);
  const auto posedBy = [&](const Model& of, std::uint32_t which) {
    const Rig rig = buildRig(of);
    const auto modelFromNode = modelFromNodes(of.hierarchy, sample(of, of.clips[which], 2.0f));
    std::vector<vec3> out;
    for (std::uint32_t v = 0; v < rig.positions.size(); ++v)
      out.push_back(test::byInfluences(rig, modelFromNode, v));
    return out;
  };
  const std::vector<vec3> linear = posedBy(model, clip);
  CHECK(computeMetrics(probe, workbench.rig, "", linear, linear).surfaceSection < 0.02f);
  // Rigid helpers lie on a circle, and blending cuts the corners between them: with three, by the
  // cosine of an eighth of 180 degrees. Scale makes up for half of that.
  for (const bool scale : {false, true}) {
    BakeOptions options;
    options.poses.clips = {clip};
    options.scale = scale;
    const BakeResult result = bake(workbench, options);
    const BakedClips baked = bakedModel(result, {clip}, 30.0);
    CHECK(baked.error.largest <= 0.005);
    const MethodMetrics metrics =
        computeMetrics(probe, workbench.rig, "", posedBy(baked.model, 0), linear);
    SINEW_FIGURE("thinnest ring ", metrics.crossSection, ", slice ", metrics.surfaceSection);
    CHECK(metrics.crossSection >= 0.9f);
    if (scale) {
      CHECK(metrics.surfaceSection >= 0.9f);
      continue;
    }
    // No better placement of three was missed.
    Workbench twisted = workbench;
    holdPose(twisted, sample(model, model.clips[clip], 2.0f));
    const std::vector<vec3> target = skinOnCpu(twisted, twisted.bound.front()).positions;
    const double least =
        leastOfThreeHelpers(twistedVertices(probe.axis, workbench.rig.positions, target)) /
        static_cast<double>(result.problem.size);
    SINEW_FIGURE("largest distance ", baked.error.largest, ", the least ", least);
    CHECK(baked.error.largest <= 1.1 * least);
  }
}

TEST_CASE("bake: it can be cancelled, and needs a skin") {
  const Model model = test::randomModelWithClips(3, test::kSmall);
  const Workbench workbench = test::makeBakeWorkbench(model, "dqs");
  BakeOptions options = test::bakeOptionsFor(model);
  options.progress = [](float fraction, std::string_view) { return fraction < 0.3f; };
  CHECK_THROWS_AS(bake(workbench, options), Cancelled);
  Model rigid = model;
  rigid.skins.clear();
  for (Mesh& mesh : rigid.meshes)
    mesh.skin.reset();
  CHECK_THROWS_WITH(bake(test::makeBakeWorkbench(rigid, "dqs"), {}),
                    doctest::Contains("has no skin to bake"));
}

} // namespace sinew
