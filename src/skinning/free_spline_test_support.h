// Random models with free splines, for property tests. Header only: used by tests alone.
#pragma once

#include "core/test_support.h"
#include "rig/spline_controls.h"
#include "skinning/free_spline.h"
#include "skinning/joint_test_support.h"
#include "skinning/spline.h"

#include <glm/gtc/matrix_transform.hpp>

#include <cmath>

namespace sinew::test {

struct FreeModelOptions {
  std::uint32_t splines = 3;
  std::uint32_t vertices = 300;
  float largestBend = 2.6f; // radians, in the bind pose; 0: straight
  bool painted = true;      // false: a model whose mesh follows one spline alone
};

// p1 p2 p3 with arms of length 0.3 to 1.
inline std::array<vec3, 3> randomSpline(Random& random, float largestBend) {
  const vec3 first = randomDirection(random);
  const vec3 axis = glm::normalize(glm::cross(first, randomDirection(random)));
  const vec3 second = glm::angleAxis(random.uniform(0.0f, largestBend), axis) * first;
  std::array<vec3, 3> p;
  p[0] = randomPoint(random, 0.5f);
  p[1] = p[0] + random.uniform(0.3f, 1.0f) * first;
  p[2] = p[1] + random.uniform(0.3f, 1.0f) * second;
  return p;
}

// Splines in chains of three nodes, each hanging on the root or on an end of an earlier one. Nodes
// have axes of their own and, but for the first of a spline, stand at their control points.
inline Model freeSplineModel(std::uint64_t seed, const FreeModelOptions& options = {}) {
  Random random(seed);
  Model model;
  model.name = "free splines";
  model.hierarchy.nodes.push_back({"root", kNoNode, {}});
  std::vector<mat4> modelFromNode{mat4(1.0f)};
  Skin skin;
  for (std::uint32_t s = 0; s < options.splines; ++s) {
    FreeSpline spline{"spline" + std::to_string(s), {}, randomSpline(random, options.largestBend)};
    std::uint32_t parent = s == 0 || random.below(4) == 0 ? 0 : 3 * (1 + random.below(s));
    for (std::size_t i = 0; i < 3; ++i) {
      const vec3 aside = i == 0 ? randomPoint(random, 0.2f) : vec3(0.0f);
      const mat4 at = glm::translate(mat4(1.0f), spline.points[i] + aside) *
                      glm::mat4_cast(randomRotation(random));
      Node node{spline.name + "." + std::to_string(i + 1), parent,
                decompose(glm::inverse(modelFromNode[parent]) * at)};
      spline.nodes[i] = static_cast<std::uint32_t>(model.hierarchy.nodes.size());
      skin.joints.push_back({spline.nodes[i], glm::inverse(at)});
      model.hierarchy.nodes.push_back(node);
      modelFromNode.push_back(at);
      parent = spline.nodes[i];
    }
    model.splines.push_back(spline);
  }
  model.skins.push_back(skin);
  model.materials.emplace_back();
  Mesh mesh;
  mesh.skin = 0;
  for (std::uint32_t v = 0; v < options.vertices; ++v) {
    mesh.positions.push_back(randomPoint(random, 1.2f));
    mesh.normals.push_back(randomDirection(random));
    mesh.influences.append({{Influence{random.below(3 * options.splines), 1.0f}}});
    if (options.painted && options.splines > 2) {
      const float a = random.uniform(0.4f, 1.0f);
      const float b = (1.0f - a) * random.uniform(0.5f, 1.0f);
      const std::uint32_t first = random.below(options.splines);
      mesh.splineInfluences.append(
          {{Influence{first, a}, Influence{(first + 1) % options.splines, b},
            Influence{(first + 2) % options.splines, 1.0f - a - b}}});
    } else {
      mesh.splineInfluences.append({{Influence{0, 1.0f}}});
    }
  }
  for (std::uint32_t v = 0; v + 2 < options.vertices; ++v)
    mesh.triangles.push_back({v, v + 1, v + 2});
  model.meshes.push_back(std::move(mesh));
  return model;
}

// Every node with a random rotation and a small translation.
inline Pose randomFreePose(const Model& model, std::uint64_t seed) {
  Random random(seed ^ 0xf4eeU);
  Pose pose = restPose(model.hierarchy);
  for (Transform& t : pose.parentFromNode) {
    t.rotation = randomRotation(random);
    t.translation += randomPoint(random, 0.1f);
  }
  return pose;
}

inline constexpr const char* kSplineNames[] = {"arc-spline", "bezier-spline"};
inline const Curve& getCurve(std::string_view method) {
  return method == "arc-spline" ? arcCurve() : bezierCurve();
}

inline glm::dvec3 placeAt(const Curve& curve, const FreeShape& shape, float x) {
  const CurvePoint at = curve.at(x);
  return shape.p1 + static_cast<double>(at.along12) * shape.d12 +
         static_cast<double>(at.along23) * shape.d23;
}

// Whether the position is beyond the centre of curvature of some place of the curve.
inline bool beyondCurvature(const Curve& curve, const FreeShape& shape, const vec3& position) {
  const double cross = glm::length(glm::cross(shape.d12, shape.d23));
  for (int i = 0; i <= 4000; ++i) {
    const float x = curve.end * static_cast<float>(i) / 4000.0f;
    const CurvePoint at = curve.at(x);
    const glm::dvec3 direction =
        static_cast<double>(at.slope12) * shape.d12 + static_cast<double>(at.slope23) * shape.d23;
    const double length = glm::length(direction);
    const glm::dvec3 towards = glm::cross(shape.normal, direction / length); // B
    const double radius = static_cast<double>(curve.speed) * length * length * length / cross;
    if (glm::dot(glm::dvec3(position) - placeAt(curve, shape, x), towards) > radius) return true;
  }
  return false;
}

// What one spline does to a mesh in a pose.
struct OneFree {
  Model model;
  Rig rig;
  FreeShape shape;

  explicit OneFree(std::uint64_t seed, float largestBend = 2.0f)
      : model(freeSplineModel(seed, {1, 300, largestBend, false})), rig(buildRig(model)),
        shape(makeFreeShape(model.splines[0].points)) {}

  SkinnedMesh posed(const char* name, const Pose& pose, const BindOptions& options = {}) const {
    return skinned(findMethod(name), rig, modelFromNodes(model.hierarchy, pose), options);
  }
  void twist(float angle, Pose& pose) const {
    const SplineRotation now = splineRotation(model.hierarchy, rig, 0, pose);
    setSplineRotation(model.hierarchy, rig, 0, pose, {now.roll, angle});
  }
  mat4 modelFromBind(const Pose& pose, std::size_t i) const {
    return modelFromNodes(model.hierarchy, pose)[model.splines[0].nodes[i]] *
           model.skins[0].joints[i].jointFromBind;
  }
};

} // namespace sinew::test
