#include "skinning/shared_skin.h"

#include "rig/rig_steps.h"

#include <glm/geometric.hpp>

#include <algorithm>

namespace sinew {
namespace {

// Joints numbered so that those below one follow it, in one run.
class Subtrees {
 public:
  explicit Subtrees(const Rig& rig) : first_(rig.joints.size(), 0), size_(rig.joints.size(), 1) {
    const std::vector<std::uint32_t> order = parentsFirst(rig);
    for (auto j = order.rbegin(); j != order.rend(); ++j)
      if (const std::uint32_t parent = rig.joints[*j].parent; parent != kNoNode)
        size_[parent] += size_[*j];
    std::vector<std::uint32_t> next(order.size(), 0); // number of the next child
    std::uint32_t ofRoots = 0;
    for (const std::uint32_t j : order) {
      const std::uint32_t parent = rig.joints[j].parent;
      std::uint32_t& number = parent == kNoNode ? ofRoots : next[parent];
      first_[j] = number;
      number += size_[j];
      next[j] = first_[j] + 1;
    }
  }

  bool isAbove(std::uint32_t upper, std::uint32_t lower) const {
    return first_[lower] > first_[upper] && first_[lower] < first_[upper] + size_[upper];
  }
  // Whether `a` is nearer than `b` to a third joint below both.
  bool isNearer(std::uint32_t a, std::uint32_t b) const { return first_[a] > first_[b]; }

 private:
  std::vector<std::uint32_t> first_, size_;
};

// Calls visit(vertices, joints) for every triangle, then for every vertex: the corners and the
// joints that move some of them.
template <class Visit>
void forEachPiece(const Rig& rig, const Visit& visit) {
  std::vector<std::uint32_t> joints;
  const auto piece = [&](std::span<const std::uint32_t> vertices) {
    joints.clear();
    for (const std::uint32_t v : vertices)
      for (const Influence& influence : rig.influences.of(v))
        if (influence.weight > 0.0f && std::ranges::find(joints, influence.joint) == joints.end())
          joints.push_back(influence.joint);
    if (joints.size() > 1) visit(vertices, std::span<const std::uint32_t>(joints));
  };
  for (const Triangle& triangle : rig.triangles)
    piece(triangle);
  for (std::uint32_t v = 0; v < rig.positions.size(); ++v)
    piece({&v, 1});
}

bool moves(const Rig& rig, std::uint32_t joint, std::uint32_t vertex) {
  return std::ranges::any_of(rig.influences.of(vertex), [&](const Influence& influence) {
    return influence.joint == joint && influence.weight > 0.0f;
  });
}

} // namespace

SharedSkin sharedSkin(const Rig& rig, std::span<const BoneAxis> axes) {
  const std::size_t count = rig.joints.size();
  SharedSkin out{std::vector(count, kNoNode), std::vector(count, 0.0f)};
  const Subtrees subtrees(rig);
  forEachPiece(rig, [&](std::span<const std::uint32_t>, std::span<const std::uint32_t> joints) {
    for (const std::uint32_t lower : joints)
      for (const std::uint32_t upper : joints) {
        std::uint32_t& above = out.above[lower];
        if (subtrees.isAbove(upper, lower) && (above == kNoNode || subtrees.isNearer(upper, above)))
          above = upper;
      }
  });
  forEachPiece(rig, [&](std::span<const std::uint32_t> vertices,
                        std::span<const std::uint32_t> joints) {
    for (const std::uint32_t j : joints) {
      if (std::ranges::find(joints, out.above[j]) == joints.end()) continue;
      for (const std::uint32_t v : vertices)
        if (moves(rig, j, v))
          out.reach[j] = std::max(out.reach[j],
                                  glm::dot(rig.positions[v] - axes[j].center, axes[j].direction));
    }
  });
  return out;
}

std::vector<bool> carrySkin(const Rig& rig) {
  std::vector<bool> carries = jointsWithSkin(rig);
  const std::vector<std::uint32_t> order = parentsFirst(rig);
  for (auto j = order.rbegin(); j != order.rend(); ++j)
    if (const std::uint32_t parent = rig.joints[*j].parent; parent != kNoNode && carries[*j])
      carries[parent] = true;
  return carries;
}

std::vector<std::uint32_t> jointsAtEnds(const Rig& rig, std::span<const BoneAxis> axes) {
  const std::vector<bool> carries = carrySkin(rig);
  std::vector<std::uint32_t> ends(rig.joints.size(), kNoNode);
  for (std::uint32_t j = 0; j < rig.joints.size(); ++j) {
    const std::uint32_t parent = rig.joints[j].parent;
    if (parent == kNoNode || ends[parent] != kNoNode || !carries[j]) continue;
    const BoneAxis& axis = axes[parent];
    const vec3 end = axis.center + axis.length * axis.direction;
    if (glm::length(axes[j].center - end) <= 1e-4f * axis.length) ends[parent] = j;
  }
  return ends;
}

} // namespace sinew
