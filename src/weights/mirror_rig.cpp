#include "weights/mirror_rig.h"

#include "core/bounds.h"
#include "core/error.h"
#include "core/parallel.h"
#include "weights/triangle_tree.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

namespace sinew {
namespace {

constexpr float kSamePoint = 1e-5f; // a vertex this near is the point itself; share of the diagonal
constexpr float kInPlane = 1e-4f;   // a vertex this near lies in the plane; share of the diagonal
constexpr float kLeastShare = 1e-4f;  // a smaller weight is rounding
constexpr float kFarthestMove = 0.2f; // a joint that would go farther has no mirror image here
constexpr float kJointMoves = 1e-5f;  // a smaller shift of a joint is none; share of the diagonal

// The place of a mirrored point: vertices of one mesh and the share of each.
struct MirroredPoint {
  std::size_t mesh = 0;
  Triangle corners{};
  vec3 shares{0.0f};
  float distance = 0.0f;
};

class RigMirror {
 public:
  RigMirror(const Model& model, const MirrorRigOptions& options)
      : model_(model), options_(options), map_(mirrorMap(model)) {
    out_.model = model;
    Bounds box;
    for (const Mesh& mesh : model.meshes)
      if (mesh.skin)
        for (const vec3& p : mesh.positions)
          box.include(p);
    diagonal_ = box.empty() ? 0.0f : box.size();
    if (!(diagonal_ > 0.0f))
      throw usageError("no mesh follows a skeleton", "bind it with sinew weights");
    for (const Mesh& mesh : model.meshes)
      if (!mesh.splineInfluences.values.empty())
        throw usageError("a mesh follows free splines, whose weights have no other side");
    listJoints();
    if (out_.pairs == 0)
      throw usageError("no joint has a partner on the other side, by name or by place",
                       "name them arm.L and arm.R, or LeftArm and RightArm");
    findPoints();
  }

  MirroredRig mirror() {
    if (options_.weights) mirrorWeights();
    if (options_.shapes) mirrorShapes();
    if (options_.joints) mirrorJoints();
    return std::move(out_);
  }

 private:
  vec3 image(const vec3& p) const { return p - 2.0f * height(p) * map_.normal; }
  vec3 imageOfVector(const vec3& v) const {
    return v - 2.0f * glm::dot(map_.normal, v) * map_.normal;
  }
  // Above the plane on the left.
  float height(const vec3& p) const { return glm::dot(map_.normal, p) - map_.offset; }
  // Above 0 on the side that stays.
  float depth(const vec3& p) const { return options_.from == Side::left ? height(p) : -height(p); }
  bool inPlane(const vec3& p) const { return std::abs(height(p)) <= kInPlane * diagonal_; }
  bool onOtherSide(const vec3& p) const { return depth(p) < -kInPlane * diagonal_; }

  void listJoints() {
    for (const std::uint32_t node : jointNodes(model_)) {
      const std::uint32_t partner = map_.partner[node];
      if (partner == kNoNode)
        out_.joints.push_back(model_.hierarchy.nodes[node].name);
      else if (partner > node)
        ++out_.pairs;
    }
  }

  // ---- Points

  void findPoints() {
    std::vector<std::optional<TriangleTree>> trees(model_.meshes.size());
    std::size_t count = 0;
    for (std::size_t m = 0; m < model_.meshes.size(); ++m) {
      points_.emplace_back();
      first_.push_back(count);
      count += model_.meshes[m].positions.size();
      if (!model_.meshes[m].skin || model_.meshes[m].triangles.empty()) continue;
      trees[m].emplace(model_.meshes[m].positions, model_.meshes[m].triangles);
    }
    for (std::size_t m = 0; m < model_.meshes.size(); ++m) {
      const Mesh& mesh = model_.meshes[m];
      if (!mesh.skin) continue;
      points_[m].resize(mesh.positions.size());
      forEachPieceInParallel(points_[m].size(), 256, [&](std::size_t first, std::size_t last) {
        for (std::size_t v = first; v < last; ++v)
          points_[m][v] = closestPoint(trees, m, image(mesh.positions[v]));
      });
    }
  }

  // The closest point of the vertex's own mesh where that is near enough, else of all meshes.
  MirroredPoint closestPoint(const std::vector<std::optional<TriangleTree>>& trees, std::size_t own,
                             const vec3& at) const {
    MirroredPoint best;
    best.distance = 2.0f * diagonal_ + 1.0f;
    if (trees[own]) best = pointOn(*trees[own], own, at);
    if (isNear(best)) return best;
    for (std::size_t m = 0; m < trees.size(); ++m)
      if (trees[m] && m != own && model_.meshes[m].skin == model_.meshes[own].skin)
        if (const MirroredPoint point = pointOn(*trees[m], m, at); point.distance < best.distance)
          best = point;
    return best;
  }

  MirroredPoint pointOn(const TriangleTree& tree, std::size_t m, const vec3& at) const {
    const Mesh& mesh = model_.meshes[m];
    const TreePoint found = tree.nearest(at);
    MirroredPoint out{m, mesh.triangles[found.triangle], found.corners, 0.0f};
    vec3 point(0.0f);
    for (int c = 0; c < 3; ++c)
      point += out.shares[c] * mesh.positions[out.corners[static_cast<std::size_t>(c)]];
    out.distance = glm::distance(point, at);
    // Exactly a vertex: rounding gives its neighbours no share.
    for (int c = 0; c < 3; ++c)
      if (glm::distance(mesh.positions[out.corners[static_cast<std::size_t>(c)]], at) <=
          kSamePoint * diagonal_) {
        out.shares = vec3(0.0f);
        out.shares[c] = 1.0f;
        break;
      }
    return out;
  }

  bool isNear(const MirroredPoint& point) const {
    return point.distance <= options_.distance * diagonal_;
  }

  // ---- Weights

  std::uint32_t partnerInSkin(const Skin& skin, std::uint32_t joint) const {
    const std::uint32_t partner = map_.partner[skin.joints[joint].node];
    if (partner == kNoNode) return joint;
    const auto found = std::ranges::find(skin.joints, partner, &SkinJoint::node);
    return found == skin.joints.end() ? joint
                                      : static_cast<std::uint32_t>(found - skin.joints.begin());
  }

  // Corners on the other side are to be replaced: they count only where there are no others.
  std::map<std::uint32_t, float> mirroredWeights(const MirroredPoint& point, const Skin& skin,
                                                 bool all) const {
    const Mesh& mesh = model_.meshes[point.mesh];
    std::map<std::uint32_t, float> out;
    float sum = 0.0f;
    for (int c = 0; c < 3; ++c) {
      const std::uint32_t corner = point.corners[static_cast<std::size_t>(c)];
      if (!(point.shares[c] > 0.0f) || (!all && onOtherSide(mesh.positions[corner]))) continue;
      sum += point.shares[c];
      for (const Influence& each : mesh.influences.of(corner))
        out[partnerInSkin(skin, each.joint)] += point.shares[c] * each.weight;
    }
    for (auto& [joint, weight] : out)
      weight /= sum;
    return out.empty() && !all ? mirroredWeights(point, skin, true) : out;
  }

  static std::vector<Influence> sorted(const std::map<std::uint32_t, float>& weights,
                                       std::size_t limit) {
    std::vector<Influence> out;
    for (const auto& [joint, weight] : weights)
      if (weight >= kLeastShare) out.push_back({joint, weight});
    std::ranges::stable_sort(
        out, [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
    out.resize(std::min(out.size(), limit));
    float sum = 0.0f;
    for (const Influence& each : out)
      sum += each.weight;
    if (std::abs(sum - 1.0f) > 1e-6f)
      for (Influence& each : out)
        each.weight /= sum;
    return out;
  }

  void noteChange(std::span<const Influence> before, std::span<const Influence> after) {
    std::map<std::uint32_t, float> change;
    for (const Influence& each : before)
      change[each.joint] -= each.weight;
    for (const Influence& each : after)
      change[each.joint] += each.weight;
    float sum = 0.0f;
    for (const auto& [joint, difference] : change)
      sum += 0.5f * std::abs(difference);
    out_.largestChange = std::max(out_.largestChange, sum);
  }

  void mirrorWeights() {
    for (std::size_t m = 0; m < model_.meshes.size(); ++m) {
      const Mesh& mesh = model_.meshes[m];
      if (!mesh.skin) continue;
      std::size_t limit = 1;
      for (std::size_t v = 0; v < mesh.positions.size(); ++v)
        limit = std::max(limit, mesh.influences.of(v).size());
      Influences fresh;
      for (std::size_t v = 0; v < mesh.positions.size(); ++v)
        fresh.append(weightsAt(m, v, limit));
      out_.model.meshes[m].influences = std::move(fresh);
    }
  }

  std::vector<Influence> weightsAt(std::size_t m, std::size_t v, std::size_t limit) {
    const Mesh& mesh = model_.meshes[m];
    const auto own = mesh.influences.of(v);
    std::vector<Influence> same(own.begin(), own.end());
    const vec3& at = mesh.positions[v];
    if (!onOtherSide(at) && !inPlane(at)) return same;
    if (!isNear(points_[m][v])) {
      out_.unmatched.push_back(static_cast<std::uint32_t>(first_[m] + v));
      return same;
    }
    out_.farthest = std::max(out_.farthest, points_[m][v].distance / diagonal_);
    auto weights = mirroredWeights(points_[m][v], model_.skins[*mesh.skin], inPlane(at));
    if (inPlane(at)) {
      ++out_.middle;
      for (auto& [joint, weight] : weights)
        weight *= 0.5f;
      for (const Influence& each : own)
        weights[each.joint] += 0.5f * each.weight;
    } else {
      ++out_.mirrored;
    }
    std::vector<Influence> out = sorted(weights, limit);
    noteChange(own, out);
    return out;
  }

  // ---- Shapes

  void mirrorShapes() {
    const auto count = static_cast<std::uint32_t>(model_.morphTargets.size());
    for (std::uint32_t t = 0; t < count; ++t)
      for (const SideName& side : sideNames(model_.morphTargets[t].name)) {
        if (side.side != options_.from) continue;
        mirrorShape(t, side.other);
        break;
      }
  }

  void mirrorShape(std::uint32_t target, const std::string& name) {
    const auto found = std::ranges::find(model_.morphTargets, name, &MorphTarget::name);
    auto onto = static_cast<std::uint32_t>(found - model_.morphTargets.begin());
    if (found == model_.morphTargets.end()) {
      onto = static_cast<std::uint32_t>(out_.model.morphTargets.size());
      out_.model.morphTargets.push_back({name, model_.morphTargets[target].weight});
      out_.addedShapes.push_back(name);
    } else {
      out_.shapes.push_back(name);
    }
    for (std::size_t m = 0; m < model_.meshes.size(); ++m) {
      if (!model_.meshes[m].skin) continue;
      std::vector<MorphOffsets>& morphs = out_.model.meshes[m].morphs;
      std::erase_if(morphs, [&](const MorphOffsets& each) { return each.target == onto; });
      MorphOffsets offsets = mirroredOffsets(m, target, onto);
      if (!offsets.vertices.empty()) morphs.push_back(std::move(offsets));
    }
  }

  MorphOffsets mirroredOffsets(std::size_t m, std::uint32_t target, std::uint32_t onto) const {
    MorphOffsets out;
    out.target = onto;
    for (std::uint32_t v = 0; v < points_[m].size(); ++v) {
      const MirroredPoint& point = points_[m][v];
      if (!isNear(point)) continue;
      const auto& morphs = model_.meshes[point.mesh].morphs;
      const auto morph = std::ranges::find(morphs, target, &MorphOffsets::target);
      if (morph == morphs.end()) continue;
      vec3 moved(0.0f), normal(0.0f);
      for (int c = 0; c < 3; ++c) {
        const std::uint32_t corner = point.corners[static_cast<std::size_t>(c)];
        const auto at = std::ranges::lower_bound(morph->vertices, corner);
        if (at == morph->vertices.end() || *at != corner) continue;
        const auto i = static_cast<std::size_t>(at - morph->vertices.begin());
        moved += point.shares[c] * morph->positions[i];
        if (!morph->normals.empty()) normal += point.shares[c] * morph->normals[i];
      }
      if (moved == vec3(0.0f) && normal == vec3(0.0f)) continue;
      out.vertices.push_back(v);
      out.positions.push_back(imageOfVector(moved));
      if (!morph->normals.empty()) out.normals.push_back(imageOfVector(normal));
    }
    return out;
  }

  // ---- Joints

  // Whether the joint is on the other side in the bind pose: its partner stays.
  bool moves(std::uint32_t node, const std::vector<mat4>& bound) const {
    const std::uint32_t partner = map_.partner[node];
    return partner != kNoNode && partner != node && isJoint_[node] &&
           depth(vec3(bound[partner][3])) > depth(vec3(bound[node][3]));
  }

  // In a file with two characters, one plane mirrors neither.
  void checkMove(const Node& joint, const vec3& shift) const {
    const float share = glm::length(shift) / diagonal_;
    if (share > kFarthestMove)
      throw usageError(
          fmt::format("joint '{}' would move by {:.0f} % of the size: the sides of this rig are no "
                      "mirror images",
                      joint.name, 100.0 * static_cast<double>(share)),
          "leave out its new place (--joints); mirror each character in a file of its own");
  }

  // Places alone change; the axes of a joint are its own. Rest and clips move by as much.
  void mirrorJoints() {
    Model& out = out_.model;
    const std::vector<Node>& nodes = model_.hierarchy.nodes;
    isJoint_.assign(nodes.size(), false);
    for (const std::uint32_t node : jointNodes(model_))
      isJoint_[node] = true;
    const std::vector<mat4> bound = modelFromNodes(model_.hierarchy, bindPose(model_));
    std::vector<vec3> shifts(nodes.size(), vec3(0.0f)); // per node, in bind space
    for (std::uint32_t n = 0; n < nodes.size(); ++n) {
      if (moves(n, bound))
        shifts[n] = image(vec3(bound[map_.partner[n]][3])) - vec3(bound[n][3]);
      else if (!isJoint_[n] && nodes[n].parent != kNoNode)
        shifts[n] = shifts[nodes[n].parent];
      checkMove(nodes[n], shifts[n]);
      if (glm::length(shifts[n]) > kJointMoves * diagonal_) ++out_.movedJoints;
      const std::uint32_t parent = nodes[n].parent;
      const vec3 local = shifts[n] - (parent == kNoNode ? vec3(0.0f) : shifts[parent]);
      const mat3 linear = parent == kNoNode ? mat3(1.0f) : mat3(bound[parent]);
      if (local == vec3(0.0f) || !(std::abs(glm::determinant(linear)) > 0.0f)) continue;
      const vec3 moved = glm::inverse(linear) * local;
      out.hierarchy.nodes[n].rest.translation += moved;
      for (Clip& clip : out.clips)
        for (Channel& channel : clip.channels)
          if (channel.node == n)
            for (vec3& value : channel.translation.values)
              value += moved;
    }
    for (Skin& skin : out.skins)
      for (SkinJoint& joint : skin.joints)
        if (const vec3 by = -shifts[joint.node]; by != vec3(0.0f))
          joint.jointFromBind[3] += vec4(mat3(joint.jointFromBind) * by, 0.0f);
  }

  const Model& model_;
  const MirrorRigOptions& options_;
  MirrorMap map_;
  float diagonal_ = 0.0f;
  std::vector<std::size_t> first_; // per mesh its first vertex of the rig
  std::vector<std::vector<MirroredPoint>> points_;
  std::vector<bool> isJoint_; // by node
  MirroredRig out_;
};

} // namespace

MirroredRig mirrorRig(const Model& model, const MirrorRigOptions& options) {
  return RigMirror(model, options).mirror();
}

} // namespace sinew
