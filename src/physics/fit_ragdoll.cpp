#include "physics/fit_ragdoll.h"

#include "animation/sample.h"
#include "core/directions.h"
#include "physics/body_tree.h"
#include "physics/joint_math.h"

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {
namespace {

// ---- Bodies

constexpr double kDensity = 1000.0;  // kg per cubic metre, water's
constexpr float kThinnest = 0.008f;  // least radius or half extent, fraction of the model's size
constexpr float kLeastThick = 0.12f; // the same, fraction of the bone's length
constexpr float kLeastCover = 0.7f;  // least length of a body, fraction of the bone's length
// A body weighs at least this fraction of each child: light ones between heavy ones make any solver
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

// Without the outermost 3 percent, which are flaps and outliers.
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
  const float angle = 0.5f * std::atan2(2.0f * uv, uu - vv); // to the greater principal axis
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

  // The skin's extent across the bone; the usual thickness of bones where there is hardly any.
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

// In the order of the tree.
std::vector<RagdollBody> fitBodies(const Model& model, const BodyTree& tree, float metres) {
  std::vector<RagdollBody> bodies;
  for (std::size_t i = 0; i < tree.bones.size(); ++i) {
    RagdollBody body = Fit{tree.bones[i], tree.size, i == 0}.body();
    body.bone = model.hierarchy.nodes[tree.bones[i].node].name;
    for (const std::uint32_t node : tree.bones[i].merged)
      body.merged.push_back(model.hierarchy.nodes[node].name);
    bodies.push_back(std::move(body));
  }
  const double metresPerUnit = static_cast<double>(metres) / measureSize(bodies).longest;
  for (RagdollBody& body : bodies)
    body.mass = static_cast<float>(kDensity * static_cast<double>(computeVolume(body)) *
                                   std::pow(metresPerUnit, 3));
  for (std::size_t i = bodies.size(); i-- > 1;) {
    RagdollBody& parent = bodies[tree.bones[i].parent];
    parent.mass = std::max(parent.mass, kLeastOfChild * bodies[i].mass);
  }
  return bodies;
}

// ---- Joints

constexpr std::size_t kPoses = 480; // looked at, over all clips
constexpr std::size_t kMinPerClip = 4;
constexpr std::size_t kMaxPerClip = 40;
constexpr double kMargin = glm::radians(3.0);
// What an elbow or knee does against straight, where the clips do not go further.
constexpr double kHyperextension = glm::radians(5.0);
constexpr double kFlexion = glm::radians(145.0);
constexpr double kMaxBend = glm::radians(150.0);
constexpr double kMaxTwist = glm::radians(170.0);
// The bind pose determines the axis if it bends the limb by this, the clips if they move it by
// this.
constexpr double kBentBind = glm::radians(8.0);
constexpr double kMovedByClips = glm::radians(20.0);

struct Freedom {
  double rotation = 0.0;
  double bend = 0.0;
};
// At least: with less, four legs hold a limp animal up.
constexpr Freedom kTrunk{glm::radians(26.0), glm::radians(32.0)};
constexpr Freedom kLimbRoot{glm::radians(52.0), glm::radians(78.0)};
constexpr Freedom kLimbEnd{glm::radians(26.0), glm::radians(52.0)};

class JointFitter {
 public:
  JointFitter(const Model& model, const BodyTree& tree, const std::vector<RagdollBody>& bodies)
      : model_(model), tree_(tree), parts_(limbParts(model, tree)),
        bindings_(bindBodies(model, bodies)) {
    gatherRotations();
    findForward();
  }

  std::vector<RagdollJoint> fit() {
    std::vector<RagdollJoint> joints;
    for (std::uint32_t i = 1; i < tree_.bones.size(); ++i) {
      joints.push_back(parts_.lower[i] != 0 ? hinge(i) : universal(i));
      allow(i, joints.back());
    }
    return joints;
  }

 private:
  // The bodies' rotations in the bind pose, the rest pose and spread over the clips.
  void gatherRotations() {
    const auto take = [&](const Pose& pose) {
      const std::vector<mat4> modelFromNode = modelFromNodes(model_.hierarchy, pose);
      std::vector<glm::dquat> rotations;
      for (const BodyBinding& binding : bindings_)
        rotations.push_back(bodyTransform(binding, modelFromNode).rotation);
      rotations_.push_back(std::move(rotations));
    };
    take(bindPose(model_));
    take(restPose(model_.hierarchy));
    if (model_.clips.empty()) return;
    const std::size_t count = model_.clips.size();
    const std::size_t each = std::clamp(kPoses / count, kMinPerClip, kMaxPerClip);
    const std::size_t looked = std::min(count, kPoses / each); // some clips, where there are many
    for (std::size_t c = 0; c < looked; ++c) {
      const Clip& clip = model_.clips[c * count / looked];
      for (std::size_t i = 0; i < each; ++i)
        take(sample(model_.hierarchy, clip,
                    clip.seconds * static_cast<float>(i) / static_cast<float>(each - 1)));
    }
  }

  // Where the toes of the lowest limbs point; +z if unknown.
  void findForward() {
    const auto lower = [&](std::size_t a, std::size_t b) {
      return tree_.bones[a].tip.y < tree_.bones[b].tip.y;
    };
    std::vector<std::size_t> leaves;
    for (std::size_t i = 1; i < tree_.bones.size(); ++i)
      if (tree_.bones[i].leaf && parts_.sided[i] != 0) leaves.push_back(i);
    std::sort(leaves.begin(), leaves.end(), lower);
    glm::dvec3 sum(0.0);
    for (std::size_t i = 0; i < std::min<std::size_t>(leaves.size(), 2); ++i) {
      const BodyBone& bone = tree_.bones[leaves[i]];
      sum += glm::dvec3(bone.tip - bone.joint);
    }
    sum.y = 0.0;
    if (glm::length(sum) > 0.02 * static_cast<double>(tree_.size)) forward_ = glm::normalize(sum);
  }

  RagdollJoint start(std::uint32_t i) const {
    RagdollJoint joint;
    joint.child = nodeName(i);
    joint.parent = nodeName(tree_.bones[i].parent);
    joint.anchor = vec3(
        inverse(bindings_[tree_.bones[i].parent].bind).point(glm::dvec3(tree_.bones[i].joint)));
    return joint;
  }
  std::string nodeName(std::uint32_t i) const {
    return model_.hierarchy.nodes[tree_.bones[i].node].name;
  }

  // The poses as the joint allows them: what an elbow has of twist, its wrist has to take.
  void allow(std::uint32_t i, const RagdollJoint& joint) {
    const std::uint32_t parent = tree_.bones[i].parent;
    const JointFrame frame = jointFrame(joint, bindings_[parent].bind, bindings_[i].bind, 1.0);
    for (auto& rotations : rotations_)
      rotations[i] = allowedRotation(frame, rotations[parent], rotations[i]);
  }

  // A direction of bind space in the parent body's space.
  glm::dvec3 inParent(std::uint32_t i, const glm::dvec3& direction) const {
    return glm::conjugate(bindings_[tree_.bones[i].parent].bind.rotation) * direction;
  }
  glm::dvec3 boneDirection(std::uint32_t i) const {
    return glm::normalize(glm::dvec3(tree_.bones[i].tip - tree_.bones[i].joint));
  }

  // In the parent's space: how the child has rotated since the bind pose, in every pose.
  std::vector<glm::dquat> rotationsSinceBind(std::uint32_t i) const {
    const std::uint32_t parent = tree_.bones[i].parent;
    const glm::dquat bind =
        glm::conjugate(bindings_[parent].bind.rotation) * bindings_[i].bind.rotation;
    std::vector<glm::dquat> out;
    for (const auto& rotations : rotations_)
      out.push_back(
          glm::normalize(glm::conjugate(rotations[parent]) * rotations[i] * glm::conjugate(bind)));
    return out;
  }

  // The axis about which the clips move the child's direction most; zero if they barely move it.
  glm::dvec3 axisOfClips(const std::vector<glm::dquat>& rotations,
                         const glm::dvec3& direction) const {
    glm::dmat3 spread(0.0);
    double largest = 0.0;
    for (const glm::dquat& a : rotations) {
      // The part of the rotation that moves the direction: twist about it says nothing.
      const glm::dvec3 rotation = rotationVector(shortestArc(direction, a * direction));
      spread += glm::outerProduct(rotation, rotation);
      largest = std::max(largest, glm::length(rotation));
    }
    if (largest < kMovedByClips) return glm::dvec3(0.0);
    glm::dvec3 axis = spread[0] + spread[1] + spread[2]; // power iteration
    for (int column = 0; column < 3; ++column)
      if (glm::length(spread[column]) > glm::length(axis)) axis = spread[column];
    for (int i = 0; i < 50; ++i)
      axis = glm::normalize(spread * axis);
    const double along = glm::dot(axis, spread * axis);
    const double all = spread[0][0] + spread[1][1] + spread[2][2];
    return along > 0.8 * all ? axis : glm::dvec3(0.0);
  }

  // Limbs that start in the lower half bend backwards, like knees; others forwards, like elbows.
  glm::dvec3 axisOfAnatomy(std::uint32_t i, const glm::dvec3& upper) const {
    const bool leg = tree_.bones[i].tip.y < tree_.bones[0].joint.y - 0.1f * tree_.size;
    const glm::dvec3 axis = glm::cross(upper, (leg ? -1.0 : 1.0) * forward_);
    return glm::length(axis) > 0.1 ? glm::normalize(axis) : perpendicular(upper);
  }

  RagdollJoint hinge(std::uint32_t i) {
    RagdollJoint joint = start(i);
    joint.type = RagdollJointType::hinge;
    const glm::dvec3 upper = boneDirection(tree_.bones[i].parent);
    const glm::dvec3 lower = boneDirection(i);
    const std::vector<glm::dquat> all = rotationsSinceBind(i);
    const glm::dvec3 direction = inParent(i, lower);
    const double bent = std::atan2(glm::length(glm::cross(upper, lower)), glm::dot(upper, lower));
    glm::dvec3 axis = axisOfClips(all, direction);
    if (glm::length(axis) < 0.5)
      axis = inParent(i, bent > kBentBind ? glm::normalize(glm::cross(upper, lower))
                                          : axisOfAnatomy(i, upper));
    axis = glm::normalize(axis - glm::dot(axis, direction) * direction);
    setHingeLimits(joint, axis, inParent(i, upper), direction, all);
    return joint;
  }

  // Positive angles bend the limb, whatever the sign of the axis found.
  static void setHingeLimits(RagdollJoint& joint, glm::dvec3 axis, const glm::dvec3& upper,
                             const glm::dvec3& direction,
                             const std::vector<glm::dquat>& rotations) {
    const auto flexion = [&](const glm::dvec3& d) {
      return std::atan2(glm::dot(axis, glm::cross(upper, d)), glm::dot(upper, d));
    };
    double sum = 0.0;
    for (const glm::dquat& rotation : rotations)
      sum += flexion(rotation * direction);
    if (sum < 0.0) axis = -axis;
    const double bind = flexion(direction);
    double low = 0.0;
    double high = 0.0;
    for (const glm::dquat& rotation : rotations) {
      const double angle = std::remainder(
          2.0 * std::atan2(glm::dot(glm::dvec3(rotation.x, rotation.y, rotation.z), axis),
                           rotation.w),
          2.0 * std::numbers::pi);
      low = std::min(low, angle);
      high = std::max(high, angle);
    }
    joint.axis = vec3(axis);
    joint.backAngle =
        static_cast<float>(std::max(std::min(-bind - kHyperextension, low - kMargin), -kMaxTwist));
    joint.frontAngle =
        static_cast<float>(std::min(std::max(kFlexion - bind, high + kMargin), kMaxTwist));
  }

  RagdollJoint universal(std::uint32_t i) {
    RagdollJoint joint = start(i);
    const std::uint32_t parent = tree_.bones[i].parent;
    const bool root = parts_.sided[i] != 0 && parts_.sided[parent] == 0;
    const Freedom usual = root ? kLimbRoot : parts_.sided[i] != 0 ? kLimbEnd : kTrunk;
    const RigidTransform child = bindings_[i].bind;
    const glm::dvec3 toCenter = child.position - glm::dvec3(tree_.bones[i].joint);
    const glm::dvec3 direction =
        inParent(i, glm::length(toCenter) > 0.0 ? glm::normalize(toCenter) : boneDirection(i));
    const std::vector<glm::dquat> all = rotationsSinceBind(i);
    joint.axis = vec3(findMiddle(all, direction));
    const JointFrame frame = jointFrame(joint, bindings_[parent].bind, child, 1.0);
    Freedom freedom = usual;
    for (const auto& rotations : rotations_) {
      const JointAngles angles = jointAngles(frame, rotations[parent], rotations[i]);
      freedom.bend = std::max(freedom.bend, angles.bend + kMargin);
      freedom.rotation = std::max(freedom.rotation, std::abs(angles.twist) + kMargin);
    }
    joint.bendFreedom = static_cast<float>(std::min(freedom.bend, kMaxBend));
    joint.rotationalFreedom = static_cast<float>(std::min(freedom.rotation, kMaxTwist));
    return joint;
  }

  // Approximates the axis of the narrowest cone about all directions, by decreasing steps towards
  // the furthest direction (Badoiu and Clarkson 2003).
  static glm::dvec3 findMiddle(const std::vector<glm::dquat>& rotations,
                               const glm::dvec3& direction) {
    glm::dvec3 middle = direction;
    for (int step = 1; step <= 60; ++step) {
      glm::dvec3 furthest = middle;
      for (const glm::dquat& rotation : rotations)
        if (glm::dot(rotation * direction, middle) < glm::dot(furthest, middle))
          furthest = rotation * direction;
      const glm::dvec3 next = middle + (furthest - middle) / (step + 1.0);
      if (glm::length(next) > 1e-6) middle = glm::normalize(next);
    }
    return middle;
  }

  const Model& model_;
  const BodyTree& tree_;
  LimbParts parts_;
  std::vector<BodyBinding> bindings_;
  std::vector<std::vector<glm::dquat>> rotations_; // per pose, per body
  glm::dvec3 forward_{0.0, 0.0, 1.0};
};

} // namespace

RagdollConfig fitRagdoll(const Model& model, const Rig& rig) {
  const BodyTree tree = bodyTree(model, rig);
  RagdollConfig config;
  config.bodies = fitBodies(model, tree, config.metres);
  config.joints = JointFitter(model, tree, config.bodies).fit();
  return config;
}

} // namespace sinew
