// Twist ranges: a joint's twist, its rotation about its bone, may blend in over another stretch of
// the bone than its bend (rig/zones.h; docs/methods.md, section 7). Bones blending and splines give
// a vertex the share T of the twist that its zone says. A twist range says that it has the share u.
// So the vertex is rotated first, in bind space and about the bone's line, by u - T of the twist.
//
// Shares of a vertex follow from how much it belongs to the bones about the joint, so vertices of
// other bones stay where they are, and those beyond the zone have shares too. Where every range is
// the zone there are none, and the methods are the papers', bit for bit.
#pragma once

#include "skinning/joint_binding.h"

#include <functional>

namespace sinew {

inline constexpr std::size_t kVertexTwists = 4; // most twists of one vertex

// The range of a joint in use: u grows from 0 to 1 between `min` and `max` along `axis`.
struct JointTwist {
  bool ownRange = false; // false: the twist blends in over the zone
  vec3 axis{0.0f, 1.0f, 0.0f};
  float min = 0.0f;
  float max = 1.0f;
  // The bones whose skin it is: those behind the joint, where min < 0, from the joint on; and those
  // beyond it, with the one behind which the range ends.
  std::vector<std::uint32_t> behind, beyond;
};

struct VertexTwist {
  std::uint32_t joint = 0;
  float share = 0.0f; // u - T, -1 to 1, not 0
};

struct TwistRanges {
  std::vector<JointTwist> joints;
  Lists<VertexTwist> vertices; // by falling size of the share, at most kVertexTwists each
};

// The part of the joint's twist that an attachment of these makes.
using TwistFraction = std::function<float(const JointAttachment&)>;

// No vertices if every joint's range is its zone. For the range `bone`, bones of one length in line
// that lead from one to the next alone are parts of one limb, as a forearm of two bones; any other
// bone is a limb itself. The range of a joint within a limb is the limb. That of a joint between
// two is the limb beyond, if it is at least 0.6 times as long (an elbow), else the one behind (a
// wrist); of limbs that end in a joint, and whose skin goes on in one limb. Without one it is the
// zone. byDefault: the range of joints for which the options give none. ownBoneAlone: the method
// rotates skin about the joint's own bone alone, so a range more than 10 degrees off it is the
// zone.
TwistRanges twistRanges(const Rig& rig, const JointBinding& joints, const BindOptions& options,
                        TwistRange::Kind byDefault, const TwistFraction& fraction,
                        bool ownBoneAlone = false);

// binding's attributes twistJoints and twistShares, Variant::twistRow and a row for it, which holds
// (axis, twist). Does nothing without vertices. Throws usageError with exact normals.
void appendTwists(const TwistRanges& twists, const JointBinding& joints, Binding& binding);

// A joint's constant for pack, and the row that it makes of this and the joint's rotation relative
// to its parent.
vec4 twistConstant(const JointTwist& twist);
vec4 twistRow(const vec4& constant, const quat& rotation);

// The part of a rotation that is about a direction, -pi to pi. Half a turn goes the same way
// whatever rounding makes of it.
float twistAbout(const quat& rotation, const vec3& direction);

// Reads the shares of a binding that has them.
class VertexTwists {
 public:
  explicit VertexTwists(const Binding& binding);
  // Calls each(joint, share) for every twist of a vertex.
  template <class Each>
  void forEach(std::size_t vertex, const Each& each) const {
    if (joints_ == nullptr) return;
    const glm::uvec4 of = readUint(*joints_, vertex);
    const vec4 shares = readFloat(*shares_, vertex);
    for (int i = 0; i < static_cast<int>(kVertexTwists) && shares[i] != 0.0f; ++i)
      each(of[i], shares[i]);
  }

 private:
  const Attribute* joints_ = nullptr;
  const Attribute* shares_ = nullptr;
};

} // namespace sinew
