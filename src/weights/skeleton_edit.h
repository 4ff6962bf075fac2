// Editing a skeleton before a mesh is bound to it. Every function takes a skeleton and returns a
// changed copy: parents stay before children, names stay unique, bones are updated, and all other
// joints keep their positions in model space.
//
// Joints are identified by their node. Clips are adjusted: the keys of a moved joint move with it.
#pragma once

#include "weights/skeleton.h"

#include <optional>
#include <string>
#include <string_view>

namespace sinew {

// Whether the node is this ancestor, or hangs from it.
bool isBelow(const Hierarchy& hierarchy, std::uint32_t node, std::uint32_t ancestor);

// What happens to the descendants of a moved joint.
enum class Below { moves, stays };

// dot(normal, p) = offset; normal is unit. Edits with a plane apply to both of its sides.
struct MirrorPlane {
  vec3 normal{1.0f, 0.0f, 0.0f};
  float offset = 0.0f;
};
vec3 mirroredPoint(const MirrorPlane& plane, const vec3& point);

// A single joint below a root at the origin.
Skeleton singleJoint(const vec3& position);

// The same with a root that is not a joint, is at the origin and not animated.
Skeleton withPlainRoot(Skeleton skeleton);

// The joint on the other side: by name (Arm_L and Arm_R), else the joint within 2 % of the
// skeleton's size of the mirror image; itself for a joint in the plane; kNoNode if there is none.
std::uint32_t otherSide(const Skeleton& skeleton, const MirrorPlane& plane, std::uint32_t node);

// Moves a joint to a position in model space. With a plane the other side's joint is moved too, and
// a joint in the plane stays in it.
Skeleton withJointMoved(const Skeleton& skeleton, std::uint32_t node, const vec3& position,
                        Below below, const std::optional<MirrorPlane>& mirror = {});

// Adds a joint below `parent` (a joint, or the root), with its parent's axes. The name is made
// unique. With a plane another is added on the other side, below the parent's counterpart if there
// is one; names without a side get _L (on the plane's positive side) and _R.
struct AddedJoint {
  Skeleton skeleton;
  std::uint32_t node = 0;
};
AddedJoint withJointAdded(const Skeleton& skeleton, std::uint32_t parent, const vec3& position,
                          std::string_view name, const std::optional<MirrorPlane>& mirror = {});

// Removes a joint: its child joints become children of its parent; its end sites are removed too.
// At least one joint must remain.
Skeleton withoutJoint(const Skeleton& skeleton, std::uint32_t node,
                      const std::optional<MirrorPlane>& mirror = {});

// Renames a joint; the name is made unique. With a plane the other side's joint gets the name of
// that side, if the name has a side.
Skeleton withJointRenamed(const Skeleton& skeleton, std::uint32_t node, std::string_view name,
                          const std::optional<MirrorPlane>& mirror = {});

// The default position of a new child joint: continues the parent's bone at the same length.
vec3 positionForChild(const Skeleton& skeleton, std::uint32_t node, float size);

} // namespace sinew
