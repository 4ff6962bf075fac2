#include "skinning/velocity_displacement.h"

#include "core/bounds.h"

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// By a symmetric matrix: `along` the direction, `across` at right angles to it, less the identity.
vec3 stretched(const vec3& from, const vec3& direction, float along, float across) {
  return (along - across) * glm::dot(from, direction) * direction + (across - 1.0f) * from;
}

float squashFactor(const MovingNode& node, float speed) {
  return softLimit(node.strength.squash * speed / node.size, kSquashLimit);
}

} // namespace

float softLimit(float x, float limit) {
  const float half = 0.5f * limit;
  return x <= half ? x : half + half * std::tanh((x - half) / half);
}

vec3 linearDrag(const MovingNode& node) {
  const float way = node.strength.drag * glm::length(node.velocity.linear);
  if (!(way > 0.0f)) return vec3(0.0f);
  return -node.strength.drag * softLimit(way, kDragLimit * node.size) / way * node.velocity.linear;
}

// T = R diag(1 + s, 1 / sqrt(1 + s), 1 / sqrt(1 + s)) R^T with the motion as first axis, about the
// centroid: volume stays.
vec3 linearSquash(const MovingNode& node, const vec3& point) {
  const float speed = glm::length(node.velocity.linear);
  const float s = squashFactor(node, speed);
  if (!(s > 0.0f)) return vec3(0.0f);
  return stretched(point - node.centroid, node.velocity.linear / speed, 1.0f + s,
                   1.0f / std::sqrt(1.0f + s));
}

// Back about the axis, by an angle that grows with the speed of the point: so it bends.
vec3 angularDrag(const MovingNode& node, const vec3& point) {
  const float rate = glm::length(node.velocity.angular);
  if (!(rate > 0.0f)) return vec3(0.0f);
  const vec3 axis = node.velocity.angular / rate;
  const vec3 arm = point - node.origin - glm::dot(point - node.origin, axis) * axis;
  const float speed = rate * glm::length(arm);
  const float angle = softLimit(node.strength.drag * speed / node.size, kDragAngleLimit);
  return (std::cos(angle) - 1.0f) * arm - std::sin(angle) * glm::cross(axis, arm);
}

// By 1 + s in the direction of the motion and 1 / (1 + s) along the axis, about the line from the
// origin to the centroid. Points on that line stay.
vec3 angularSquash(const MovingNode& node, const vec3& point) {
  constexpr float kLeast = 1e-2f; // sine of the angle between axis and limb: else there is no side
  const float rate = glm::length(node.velocity.angular);
  const float reach = glm::length(node.centroid - node.origin);
  if (!(rate > 0.0f) || !(reach > 1e-6f * node.size)) return vec3(0.0f);
  const vec3 medial = (node.centroid - node.origin) / reach;
  vec3 motion = glm::cross(medial, node.velocity.angular / rate);
  const float sine = glm::length(motion);
  if (sine < kLeast) return vec3(0.0f);
  motion /= sine;
  const vec3 side = glm::cross(medial, motion);
  const vec3 arm = point - node.origin;
  const float s = squashFactor(node, glm::length(glm::cross(node.velocity.angular, arm)));
  const vec3 out = s * glm::dot(arm, motion) * motion;
  return out + (1.0f / (1.0f + s) - 1.0f) * glm::dot(arm, side) * side;
}

vec3 nodeDisplacement(const MovingNode& node, const vec3& point) {
  return linearDrag(node) + linearSquash(node, point) + angularDrag(node, point) +
         angularSquash(node, point);
}

namespace {

struct Moments {
  double weight = 0.0;
  glm::dvec3 first{0.0};
  glm::dmat3 second{0.0}; // sum of weight * p p^T

  void add(double w, const glm::dvec3& p) {
    weight += w;
    first += w * p;
    second += glm::outerProduct(p, w * p);
  }
};

// A third of the triangles' area for each corner; vertices without triangles count a little.
std::vector<float> vertexAreas(const Rig& rig) {
  std::vector<float> areas(rig.positions.size(), 0.0f);
  double total = 0.0;
  for (const Triangle& t : rig.triangles) {
    const vec3& a = rig.positions[t[0]];
    const float area =
        glm::length(glm::cross(rig.positions[t[1]] - a, rig.positions[t[2]] - a)) / 6.0f;
    for (const std::uint32_t v : t)
      areas[v] += area;
    total += 3.0 * static_cast<double>(area);
  }
  const auto least =
      static_cast<float>(std::max(1e-6 * total / static_cast<double>(areas.size() + 1), 1e-30));
  for (float& area : areas)
    area = std::max(area, least);
  return areas;
}

// Cholesky: columns whose outer products sum to the matrix. Any such axes have its extent, so no
// eigenvectors are needed. Directions in which it is flat get a thirtieth of its extent: slopes are
// differences over these lengths, and over shorter ones mostly rounding.
std::array<vec3, 3> findPrincipalAxes(glm::dmat3 covariance) {
  const double trace = covariance[0][0] + covariance[1][1] + covariance[2][2];
  const double least = std::max(1e-3 * trace, 1e-30);
  for (int i = 0; i < 3; ++i)
    covariance[i][i] += least;
  glm::dmat3 lower(0.0); // lower[column][row]
  for (int c = 0; c < 3; ++c) {
    for (int r = c; r < 3; ++r) {
      double sum = covariance[c][r];
      for (int k = 0; k < c; ++k)
        sum -= lower[k][r] * lower[k][c];
      lower[c][r] = r == c ? std::sqrt(std::max(sum, least)) : sum / lower[c][c];
    }
  }
  const double spread = std::sqrt(3.0);
  return {vec3(spread * lower[0]), vec3(spread * lower[1]), vec3(spread * lower[2])};
}

VelocitySkin::Region regionFrom(const Moments& moments) {
  if (!(moments.weight > 0.0)) return {};
  const glm::dvec3 mean = moments.first / moments.weight;
  const glm::dmat3 covariance = moments.second / moments.weight - glm::outerProduct(mean, mean);
  return {static_cast<float>(moments.weight), vec3(mean), findPrincipalAxes(covariance)};
}

mat4 modelFromBind(const Rig& rig, std::span<const mat4> modelFromNode, std::size_t joint) {
  return modelFromNode[rig.joints[joint].node] * rig.joints[joint].jointFromBind;
}

} // namespace

VelocitySkin makeVelocitySkin(const Rig& rig, const Hierarchy& hierarchy) {
  const std::vector<float> areas = vertexAreas(rig);
  std::vector<Moments> moments(rig.joints.size());
  for (std::size_t v = 0; v < rig.positions.size(); ++v)
    for (const Influence& influence : rig.influences.of(v))
      moments[influence.joint].add(static_cast<double>(influence.weight * areas[v]),
                                   rig.positions[v]);
  VelocitySkin out;
  Bounds bounds;
  const std::vector<mat4> rest = modelFromNodes(hierarchy, restPose(hierarchy));
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    const VelocitySkin::Region& region = out.regions.emplace_back(regionFrom(moments[j]));
    if (region.area <= 0.0f) continue;
    const mat4 m = modelFromBind(rig, rest, j);
    for (const vec3& axis : region.axes)
      for (const float side : {-1.0f, 1.0f})
        bounds.include(transformPoint(m, region.centroid + side * axis));
  }
  if (bounds.size() > 0.0f) out.size = bounds.size();
  return out;
}

namespace {

// Per node what the formulas need, and whether the skin below it is moved at all.
class MovingNodes {
 public:
  MovingNodes(const VelocitySkin& skin, const Rig& rig, const Hierarchy& hierarchy,
              std::span<const mat4> modelFromNode, std::span<const JointVelocity> velocities,
              const VelocityStrength& strength)
      : hierarchy_(hierarchy), nodes_(hierarchy.nodes.size()), moves_(hierarchy.nodes.size()) {
    std::vector<vec4> sums(nodes_.size(), vec4(0.0f)); // area * centroid, area
    for (std::size_t j = 0; j < rig.joints.size(); ++j) {
      const VelocitySkin::Region& region = skin.regions[j];
      if (region.area <= 0.0f) continue;
      const vec3 centroid = transformPoint(modelFromBind(rig, modelFromNode, j), region.centroid);
      sums[rig.joints[j].node] += region.area * vec4(centroid, 1.0f);
    }
    for (std::size_t n = nodes_.size(); n-- > 0;)
      if (const std::uint32_t parent = hierarchy.nodes[n].parent; parent != kNoNode)
        sums[parent] += sums[n];
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      MovingNode& node = nodes_[n];
      node.origin = vec3(modelFromNode[n][3]);
      node.centroid = sums[n].w > 0.0f ? vec3(sums[n]) / sums[n].w : node.origin;
      node.velocity = velocities[n];
      node.strength = strength;
      if (!skin.factors.empty()) {
        node.strength.drag *= skin.factors[n].drag;
        node.strength.squash *= skin.factors[n].squash;
      }
      node.size = skin.size;
      moves_[n] = node.strength.moves() &&
                  (node.velocity.linear != vec3(0.0f) || node.velocity.angular != vec3(0.0f));
    }
  }

  // Calls visit(node) for the node and those above it that move.
  template <class Visit>
  void visitAncestors(std::uint32_t node, Visit visit) const {
    for (std::uint32_t n = node; n != kNoNode; n = hierarchy_.nodes[n].parent)
      if (moves_[n]) visit(nodes_[n]);
  }

  vec3 displacement(std::uint32_t node, const vec3& point) const {
    vec3 sum(0.0f);
    visitAncestors(node, [&](const MovingNode& each) { sum += nodeDisplacement(each, point); });
    return sum;
  }

  bool anyAbove(std::uint32_t node) const {
    bool any = false;
    visitAncestors(node, [&](const MovingNode& /*each*/) { any = true; });
    return any;
  }

 private:
  const Hierarchy& hierarchy_;
  std::vector<MovingNode> nodes_;
  std::vector<bool> moves_;
};

// The affine map through the values at the six points, in the mean square: the points lie evenly
// about their middle, so slopes are those of the three pairs, and the mean is its value there.
MatrixRows fittedMap(const MovingNodes& nodes, std::uint32_t node, const mat4& m,
                     const VelocitySkin::Region& region) {
  const vec3 middle = transformPoint(m, region.centroid);
  mat3 directions;
  mat3 changes;
  vec3 mean(0.0f);
  for (int i = 0; i < 3; ++i) {
    directions[i] = transformVector(m, region.axes[static_cast<std::size_t>(i)]);
    const vec3 ahead = nodes.displacement(node, middle + directions[i]);
    const vec3 behind = nodes.displacement(node, middle - directions[i]);
    changes[i] = 0.5f * (ahead - behind);
    mean += (ahead + behind) / 6.0f;
  }
  // A pose that flattens the skin leaves no slope across it.
  const float volume = std::abs(glm::determinant(directions));
  const float lengths =
      glm::length(directions[0]) * glm::length(directions[1]) * glm::length(directions[2]);
  const mat3 linear =
      volume > 1e-5f * lengths && volume > 1e-30f ? changes * glm::inverse(directions) : mat3(0.0f);
  const vec3 shift = mean - linear * middle;
  const mat3 rows = glm::transpose(linear);
  return {vec4(rows[0], shift.x), vec4(rows[1], shift.y), vec4(rows[2], shift.z)};
}

} // namespace

void jointDisplacements(const VelocitySkin& skin, const Rig& rig, const Hierarchy& hierarchy,
                        std::span<const mat4> modelFromNode,
                        std::span<const JointVelocity> velocities, const VelocityStrength& strength,
                        std::vector<MatrixRows>& out) {
  out.assign(rig.joints.size(), {});
  if (!strength.moves()) return;
  const MovingNodes nodes(skin, rig, hierarchy, modelFromNode, velocities, strength);
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    const std::uint32_t node = rig.joints[j].node;
    if (skin.regions[j].area > 0.0f && nodes.anyAbove(node))
      out[j] = fittedMap(nodes, node, modelFromBind(rig, modelFromNode, j), skin.regions[j]);
  }
}

std::vector<vec3>
exactDisplacements(const VelocitySkin& skin, const Rig& rig, const Hierarchy& hierarchy,
                   std::span<const mat4> modelFromNode, std::span<const JointVelocity> velocities,
                   const VelocityStrength& strength, std::span<const vec3> positions) {
  const MovingNodes nodes(skin, rig, hierarchy, modelFromNode, velocities, strength);
  std::vector<vec3> out(positions.size(), vec3(0.0f));
  for (std::size_t v = 0; v < out.size(); ++v)
    for (const Influence& influence : rig.influences.of(v))
      out[v] +=
          influence.weight * nodes.displacement(rig.joints[influence.joint].node, positions[v]);
  return out;
}

namespace {

// Axis times angle of the shorter rotation from one to the other, in their parent's frame. Where
// nothing rotates it is exactly zero.
vec3 rotationBetween(const quat& before, const quat& after) {
  if (before == after) return vec3(0.0f);
  quat q = after * glm::conjugate(before);
  if (q.w < 0.0f) q = -q;
  const vec3 along(q.x, q.y, q.z);
  const float sine = glm::length(along);
  if (!(sine > 1e-9f)) return vec3(0.0f);
  return 2.0f * std::atan2(sine, q.w) / sine * along;
}

// An angular velocity under a linear map: its direction as that of an area, for it is the axis of
// one, and its length unchanged.
vec3 mappedAxis(const mat3& map, const vec3& axis) {
  const float length = glm::length(axis);
  if (!(length > 0.0f)) return vec3(0.0f);
  const vec3 moved = glm::cross(map[1], map[2]) * axis.x + glm::cross(map[2], map[0]) * axis.y +
                     glm::cross(map[0], map[1]) * axis.z;
  const float mapped = glm::length(moved);
  return mapped > 0.0f ? length / mapped * moved : vec3(0.0f);
}

} // namespace

void jointVelocities(const Hierarchy& hierarchy, const Pose& before, const Pose& after,
                     double seconds, std::span<const mat4> modelFromNode,
                     std::vector<JointVelocity>& out) {
  out.assign(hierarchy.nodes.size(), {});
  if (!(seconds > 0.0)) return;
  const auto perSecond = static_cast<float>(1.0 / seconds);
  for (std::size_t n = 0; n < hierarchy.nodes.size(); ++n) {
    const Transform& from = before.parentFromNode[n];
    const Transform& to = after.parentFromNode[n];
    const std::uint32_t parent = hierarchy.nodes[n].parent;
    const mat3 map = parent == kNoNode ? mat3(1.0f) : mat3(modelFromNode[parent]);
    out[n].linear = map * (to.translation - from.translation) * perSecond;
    out[n].angular = mappedAxis(map, rotationBetween(from.rotation, to.rotation)) * perSecond;
  }
}

} // namespace sinew
