// A method for each joint: mixtures of the table's methods by the shares of joints.
#include "core/test_effort.h"
#include "demo/demo.h"
#include "rig/bend_shares.h"
#include "skinning/joint_test_support.h"
#include "skinning/rebind.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

using namespace sinew;

namespace {

const Method& perJoint() {
  return findMethod("per-joint");
}

// Every joint by one of these, at random; some by none, and so by `elsewhere`.
BindOptions randomMethods(const Rig& rig, std::span<const char* const> names, std::uint64_t seed) {
  Random random(seed);
  BindOptions options;
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    const std::size_t which = random.below(static_cast<std::uint32_t>(names.size()) + 1);
    options.methods.push_back(which < names.size() ? &findMethod(names[which]) : nullptr);
  }
  return options;
}

// Methods of the joints that bend a vertex.
std::set<const Method*> methodsAt(const Lists<BendShare>& shares, const BindOptions& options,
                                  std::size_t vertex) {
  std::set<const Method*> out;
  for (const BendShare& each : shares.of(vertex)) {
    const Method* stated = options.methods[each.joint];
    out.insert(stated != nullptr ? stated : &findMethod("lbs"));
  }
  return out;
}

constexpr const char* kMixed[] = {"bones-blending", "dqs"};

// One vertex with weights that go through several sets of bones, evenly along each way.
Rig walkedRig(const Model& model, std::span<const std::vector<Influence>> corners, int steps) {
  Rig rig = buildRig(model);
  const vec3 place = rig.positions[3];
  rig.positions.clear();
  rig.normals.clear();
  rig.influences = {};
  rig.meshes.clear();
  rig.triangles.clear();
  for (std::size_t c = 0; c + 1 < corners.size(); ++c)
    for (int i = 0; i < steps; ++i) {
      const float t = static_cast<float>(i) / static_cast<float>(steps);
      std::vector<Influence> influences;
      for (const auto& [set, part] : {std::pair{&corners[c], 1.0f - t}, {&corners[c + 1], t}})
        for (const Influence& each : *set) {
          if (!(part * each.weight > 0.0f)) continue;
          const auto found = std::ranges::find(influences, each.joint, &Influence::joint);
          if (found != influences.end())
            found->weight += part * each.weight;
          else
            influences.push_back({each.joint, part * each.weight});
        }
      std::ranges::stable_sort(influences, std::greater<>(), &Influence::weight);
      rig.positions.push_back(place);
      rig.normals.emplace_back(0, 1, 0);
      rig.influences.append(influences);
    }
  rig.texcoords.resize(rig.positions.size());
  rig.colors.resize(rig.positions.size(), vec4(1.0f));
  return rig;
}

float largestStep(const std::vector<vec3>& positions) {
  float largest = 0.0f;
  for (std::size_t i = 0; i + 1 < positions.size(); ++i)
    largest = std::max(largest, glm::length(positions[i + 1] - positions[i]));
  return largest;
}

} // namespace

TEST_CASE("per joint: a vertex that one method bends is exactly where that method puts it") {
  std::size_t mixed = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);
    RandomModelOptions random;
    random.nonUniformScale = seed % 2 == 0;
    random.influences = 3; // joint methods keep three joints
    const Model model = randomModel(seed, random);
    const Rig rig = buildRig(model);
    const auto nodes = modelFromNodes(model.hierarchy, randomPose(model, seed + 50, random));
    const BindOptions options = randomMethods(rig, kMixed, seed);
    const SkinnedMesh out = test::skinned(perJoint(), rig, nodes, options);
    const Lists<BendShare> shares = bendShares(rig);
    std::map<const Method*, SkinnedMesh> alone;
    for (const char* name : {"lbs", "bones-blending", "dqs"})
      alone[&findMethod(name)] = test::skinned(findMethod(name), rig, nodes);
    const float size = computeBounds(out.positions).size();
    for (std::size_t v = 0; v < rig.positions.size(); ++v) {
      const auto methods = methodsAt(shares, options, v);
      if (methods.size() > 1) ++mixed;
      if (methods.size() > 1) continue;
      const vec3& wanted = alone.at(*methods.begin()).positions[v];
      CHECK(glm::length(out.positions[v] - wanted) <= 1e-6f * size);
    }
  }
  CHECK(mixed > 100);
}

TEST_CASE("per joint: where several bend a vertex, by their shares") {
  const Model model = randomModel(31, {.influences = 4});
  const Rig rig = buildRig(model);
  Pose pose = randomPose(model, 32);
  pose.parentFromNode.front().scale = vec3(1.5f); // a stretch to dqs, none to splines
  const auto nodes = modelFromNodes(model.hierarchy, pose);
  constexpr const char* kParts[] = {"arc-spline", "dqs"};
  BindOptions options = randomMethods(rig, kParts, 33);
  options.parameters = {1, 0, 0, 2}; // elsewhere lbs, not bulge-free, by weights, two joints
  const SkinnedMesh out = test::skinned(perJoint(), rig, nodes, options);
  const Lists<BendShare> shares = bendShares(rig);
  std::map<const Method*, SkinnedMesh> alone;
  for (const char* name : {"lbs", "arc-spline", "dqs"})
    alone[&findMethod(name)] =
        test::skinned(findMethod(name), rig, nodes, test::jointOptions(0, 2));
  for (std::size_t v = 0; v < rig.positions.size(); ++v) {
    glm::dvec3 wanted(0.0);
    for (const BendShare& each : shares.of(v)) {
      const Method* stated = options.methods[each.joint];
      const Method* method = stated != nullptr ? stated : &findMethod("lbs");
      wanted += static_cast<double>(each.share) * glm::dvec3(alone.at(method).positions[v]);
    }
    CHECK(glm::length(vec3(wanted) - out.positions[v]) < 1e-4f); // shares are of 16 bits
    CHECK(glm::length(out.normals[v]) == doctest::Approx(1.0).epsilon(1e-5));
  }
}

TEST_CASE("per joint: without stated methods it is that of `elsewhere`, linear blending at first") {
  const Model model = findDemo("humanoid").make();
  const Rig rig = buildRig(model);
  const auto nodes = modelFromNodes(model.hierarchy, test::turnedPose(model, 4, 0.7f));
  CHECK(test::skinned(perJoint(), rig, nodes).positions ==
        test::skinned(findMethod("lbs"), rig, nodes).positions);
  BindOptions options;
  options.parameters = {2}; // index into methods()
  CHECK(test::skinned(perJoint(), rig, nodes, options).positions ==
        test::skinned(methods()[2], rig, nodes).positions);
}

TEST_CASE("per joint: linear blending and dual quaternions as a file mixes them by vertex") {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    CAPTURE(seed);
    const Model model = randomModel(seed);
    Rig rig = buildRig(model);
    Random random(seed);
    for (std::size_t v = 0; v < rig.positions.size(); ++v)
      rig.dualQuaternionShares.push_back(static_cast<float>(random.below(5)) / 4.0f);
    const auto nodes = modelFromNodes(model.hierarchy, test::turnedPose(model, seed, 0.7f));
    const SkinnedMesh linear = test::skinned(findMethod("lbs"), rig, nodes);
    const SkinnedMesh dual = test::skinned(findMethod("dqs"), rig, nodes);
    const float size = computeBounds(linear.positions).size();
    const SkinnedMesh mixed = test::skinned(perJoint(), rig, nodes);
    // A joint with a method of its own has that.
    BindOptions stated;
    stated.methods.resize(rig.joints.size(), nullptr);
    stated.methods[0] = &findMethod("dqs");
    const SkinnedMesh part = test::skinned(perJoint(), rig, nodes, stated);
    const Lists<BendShare> bends = bendShares(rig);
    for (std::size_t v = 0; v < rig.positions.size(); ++v) {
      float first = 0.0f;
      for (const BendShare& each : bends.of(v))
        if (each.joint == 0) first += each.share;
      const auto by = [&](float share) {
        return linear.positions[v] + share * (dual.positions[v] - linear.positions[v]);
      };
      const float share = rig.dualQuaternionShares[v];
      CHECK(glm::length(mixed.positions[v] - by(share)) < 4e-5f * size); // shares are of 16 bits
      CHECK(glm::length(part.positions[v] - by(first + (1.0f - first) * share)) < 4e-5f * size);
    }
  }
}

TEST_CASE("per joint: continuous in the weights, whatever bones a vertex passes from") {
  constexpr const char* kContinuous[] = {"bones-blending", "arc-spline"};
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(test::rounds(20, 8, 2)); ++seed) {
    CAPTURE(seed);
    const Model model = randomModel(seed);
    Random random(seed);
    const auto joints = static_cast<std::uint32_t>(buildRig(model).joints.size());
    // Three bones at a time at most, for joint methods keep three joints; now and then one alone.
    std::vector<std::vector<Influence>> corners;
    std::uint32_t bone = random.below(joints);
    for (int c = 0; c < 10; ++c) {
      const std::uint32_t next = random.below(joints);
      const float weight = c % 4 == 0 ? 1.0f : random.uniform(0.1f, 0.9f);
      corners.push_back({{bone, weight}, {next, 1.0f - weight}});
      bone = next;
    }
    const auto nodes = modelFromNodes(model.hierarchy, test::turnedPose(model, seed, 0.8f));
    const auto stepAt = [&](int steps) {
      const Rig rig = walkedRig(model, corners, steps);
      BindOptions options = randomMethods(rig, kContinuous, seed);
      options.parameters = {1, 0, 0, 3, 2}; // lbs; by weights, three joints, no normals
      return largestStep(test::skinned(perJoint(), rig, nodes, options).positions);
    };
    // A jump would be as large between steps however small they are.
    CHECK(stepAt(3000) < 0.2f * stepAt(300));
  }
}

TEST_CASE("per joint: morph targets move the mixture, and leave no trace") {
  Model model = randomModel(6);
  addRandomMorphs(model, 4, 7);
  const Rig rig = buildRig(model);
  const auto nodes = modelFromNodes(model.hierarchy, randomPose(model, 8));
  constexpr const char* kNames[] = {"bones-blending"};
  BindOptions options = randomMethods(rig, kNames, 9);
  const auto exact = std::ranges::find(perJoint().parameters, "normals", &Parameter::name);
  for (const Parameter& parameter : perJoint().parameters)
    options.parameters.push_back(parameter.value);
  options.parameters[static_cast<std::size_t>(exact - perJoint().parameters.begin())] = 1.0f;
  const Binding bound = perJoint().bind(rig, options);
  Palette palette;
  packPalette(perJoint(), rig, bound, nodes, palette);

  MorphedVertices morphed;
  applyMorphs(rig, randomWeights(model, 10), morphed);
  REQUIRE(morphed.moved());
  std::optional<MorphedBinding> cached;
  const Binding& moved = morphBinding(perJoint(), rig, bound, morphed, cached);
  SkinnedMesh out;
  perJoint().skin(BindVertices(rig, morphed), moved, palette, out);
  // A rig modelled so has the same positions: neither part keeps coordinates of them.
  Rig modelled = rig;
  modelled.positions.assign(morphed.positions.begin(), morphed.positions.end());
  SkinnedMesh wanted;
  perJoint().skin(modelled, bound, palette, wanted);
  CHECK(out.positions == wanted.positions);
  CHECK(out.normals != wanted.normals); // exact ones know the turned tangents

  SkinnedMesh before, after;
  perJoint().skin(rig, bound, palette, before);
  applyMorphs(rig, std::vector<float>(4, 0.0f), morphed);
  perJoint().skin(rig, morphBinding(perJoint(), rig, bound, morphed, cached), palette, after);
  CHECK(after.positions == before.positions);
  CHECK(after.normals == before.normals);
}

TEST_CASE("per joint: all methods of the table at once, integers first among the attributes") {
  RandomModelOptions random;
  random.joints = 12;
  random.rigidMesh = false; // its vertices are not those of the bind pose
  const Model model = randomModel(3, random);
  const Rig rig = buildRig(model);
  std::vector<const char*> names;
  for (const Method& method : methods())
    if (!method.perJoint) names.push_back(method.name.data());
  BindOptions options;
  for (std::size_t j = 0; j < rig.joints.size(); ++j)
    options.methods.push_back(&findMethod(names[j % names.size()]));
  const Binding binding = perJoint().bind(rig, options);
  CHECK(binding.parts.size() == names.size());
  CHECK(binding.attributes.size() > kMaxBindingAttributes);
  CHECK(std::ranges::is_partitioned(binding.attributes,
                                    [](const Attribute& a) { return isInteger(a.format); }));
  CHECK(isInteger(binding.attributes[0].format));
  const SkinnedMesh rest =
      test::skinned(perJoint(), rig, modelFromNodes(model.hierarchy, bindPose(model)), options);
  const float size = computeBounds(rig.positions).size();
  for (std::size_t v = 0; v < rig.positions.size(); ++v)
    CHECK(glm::length(rest.positions[v] - rig.positions[v]) <= 3e-6f * size);
}
