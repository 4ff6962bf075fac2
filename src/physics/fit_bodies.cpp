#include "physics/fit_ragdoll.h"

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double kDensity = 1000.0;  // kg per cubic metre, water's
constexpr float kThinnest = 0.008f;  // of the model's size: the least radius or half extent
constexpr float kLeastThick = 0.12f; // of the bone's length, the same
constexpr float kLeastCover = 0.7f;  // of the bone's length, what its body covers
// A body weighs at least this of what hangs on it: light ones between heavy ones make any solver
// slow to settle.
constexpr float kLeastOfChild = 0.6f;
// Boxes stay a little within the skin, as skin is round.
constexpr float kBoxInset = 0.92f;
// Wider than this against its depth, or shorter than this against its width, and it is a box.
constexpr float kRound = 1.5f;
constexpr float kSlender = 1.3f;

struct Range {
  float low = 0.0f;
  float high = 0.0f;

  float middle() const { return 0.5f * (low + high); }
  float half() const { return 0.5f * (high - low); }
};

// Without the outermost 3 percent, which are flaps and strays.
Range rangeAlong(const std::vector<vec3>& points, const vec3& axis) {
  std::vector<float> values;
  values.reserve(points.size());
  for (const vec3& point : points)
    values.push_back(glm::dot(point, axis));
  std::sort(values.begin(), values.end());
  const auto last = static_cast<float>(values.size() - 1);
  return {values[static_cast<std::size_t>(0.03f * last)],
          values[static_cast<std::size_t>(std::ceil(0.97f * last))]};
}

// The direction across y along which the points spread most.
vec3 widestAcross(const std::vector<vec3>& points, const vec3& y) {
  const vec3 u = vec3(perpendicular(glm::dvec3(y)));
  const vec3 v = glm::cross(y, u);
  vec2 mean(0.0f);
  for (const vec3& point : points)
    mean += vec2(glm::dot(point, u), glm::dot(point, v));
  mean /= static_cast<float>(points.size());
  float uu = 0.0f;
  float uv = 0.0f;
  float vv = 0.0f;
  for (const vec3& point : points) {
    const vec2 d = vec2(glm::dot(point, u), glm::dot(point, v)) - mean;
    uu += d.x * d.x;
    uv += d.x * d.y;
    vv += d.y * d.y;
  }
  const float angle = 0.5f * std::atan2(2.0f * uv, uu - vv); // of the greater principal axis
  return glm::normalize(std::cos(angle) * u + std::sin(angle) * v);
}

struct Fit {
  const BodyBone& bone;
  float size;
  bool root;

  // A limb's bodies end where its joints are, or neighbours two bones apart would touch.
  Range along(const vec3& y) const {
    Range range = rangeAlong(bone.skin, y);
    const float start = glm::dot(bone.joint, y);
    const float end = glm::dot(bone.tip, y);
    if (!root) range.low = std::max(range.low, start - 0.1f * (end - start));
    if (!bone.leaf && !root) range.high = std::min(range.high, end);
    // Where little skin follows the bone first, the bone itself says how long the body is.
    const float least = kLeastCover * (end - start);
    if (range.high - range.low < least)
      range = {0.5f * (start + end - least), 0.5f * (start + end + least)};
    return range;
  }

  // Of the skin across the bone; as thick as bones usually are where there is next to none.
  Range across(const vec3& axis) const {
    Range range = rangeAlong(bone.skin, axis);
    const float least =
        std::max(kThinnest * size, kLeastThick * glm::length(bone.tip - bone.joint));
    if (range.half() >= least) return range;
    const float middle = 0.5f * glm::dot(bone.joint + bone.tip, axis);
    return {std::min(range.low, middle - least), std::max(range.high, middle + least)};
  }

  RagdollBody body() const {
    const vec3 y = glm::normalize(bone.tip - bone.joint);
    const vec3 x = widestAcross(bone.skin, y);
    const vec3 z = glm::cross(x, y);
    const Range alongX = across(x);
    const Range alongY = along(y);
    const Range alongZ = across(z);
    RagdollBody out;
    out.center = alongX.middle() * x + alongY.middle() * y + alongZ.middle() * z;
    out.rotation = glm::normalize(glm::quat_cast(mat3(x, y, z)));
    const float thinnest = kThinnest * size;
    const vec3 half = glm::max(vec3(alongX.half(), alongY.half(), alongZ.half()), vec3(thinnest));
    if (half.x < kRound * half.z && half.y > kSlender * std::max(half.x, half.z)) {
      out.radius = std::max(0.5f * (half.x + half.z) * kBoxInset, thinnest);
      out.length = std::max(2.0f * (half.y - out.radius), 0.0f);
    } else {
      out.shape = BodyShape::box;
      out.halfExtents = kBoxInset * half;
    }
    return out;
  }
};

} // namespace

std::vector<RagdollBody> fitBodies(const Model& model, const BodyTree& tree, float metres) {
  std::vector<RagdollBody> bodies;
  for (std::size_t i = 0; i < tree.bones.size(); ++i) {
    RagdollBody body = Fit{tree.bones[i], tree.size, i == 0}.body();
    body.bone = model.hierarchy.nodes[tree.bones[i].node].name;
    for (const std::uint32_t node : tree.bones[i].merged)
      body.merged.push_back(model.hierarchy.nodes[node].name);
    bodies.push_back(std::move(body));
  }
  const double metresPerUnit = static_cast<double>(metres) / sizeOf(bodies).longest;
  for (RagdollBody& body : bodies)
    body.mass = static_cast<float>(kDensity * static_cast<double>(volumeOf(body)) *
                                   std::pow(metresPerUnit, 3));
  for (std::size_t i = bodies.size(); i-- > 1;) {
    RagdollBody& parent = bodies[tree.bones[i].parent];
    parent.mass = std::max(parent.mass, kLeastOfChild * bodies[i].mass);
  }
  return bodies;
}

RagdollConfig fitRagdoll(const Model& model, const Rig& rig) {
  const BodyTree tree = bodyTree(model, rig);
  RagdollConfig config;
  config.bodies = fitBodies(model, tree, config.metres);
  config.joints = fitJoints(model, tree, config.bodies);
  return config;
}

} // namespace sinew
