// A skeleton made or changed by hand before a mesh is bound to it. Every function takes a skeleton
// and returns another: parents stay before children, names unique, bones are those of the joints
// as they then stand, and what is not named keeps its place in model space.
//
// Joints are named by their node. Clips go on fitting: where a joint has been moved, its keys move
// with it.
#pragma once

#include "weights/skeleton.h"

#include <optional>
#include <string>
#include <string_view>

namespace sinew {

// What happens to all below a joint that is moved.
enum class Below { goesAlong, stays };

// dot(normal, p) = offset; normal is unit. Edits with a plane are done on both of its sides.
struct MirrorPlane {
  vec3 normal{1.0f, 0.0f, 0.0f};
  float offset = 0.0f;
};
vec3 mirroredPoint(const MirrorPlane& plane, const vec3& point);

// A single joint below a root that stands at the origin.
Skeleton singleJoint(const vec3& place);

// The same with a root that is no joint, stands at the origin and is moved by no clip.
Skeleton withPlainRoot(Skeleton skeleton);

// The joint on the other side: by name (Arm_L and Arm_R), else the one that stands within 2 % of
// the skeleton's size of where its mirror image would; itself for one in the plane; kNoNode.
std::uint32_t otherSide(const Skeleton& skeleton, const MirrorPlane& plane, std::uint32_t node);

// To a place in model space. With a plane the other side's follows, and a joint of the plane stays
// in it.
Skeleton withJointMoved(const Skeleton& skeleton, std::uint32_t node, const vec3& place,
                        Below below, const std::optional<MirrorPlane>& mirror = {});

// A joint below `parent` (a joint, or the root), in its parent's axes. The name is made unique.
// With a plane there is one on the other side too, below the parent's other side if it has one;
// names that say no side get _L (on the plane's positive side) and _R.
struct AddedJoint {
  Skeleton skeleton;
  std::uint32_t node = 0;
};
AddedJoint withJointAdded(const Skeleton& skeleton, std::uint32_t parent, const vec3& place,
                          std::string_view name, const std::optional<MirrorPlane>& mirror = {});

// Joints below it now hang on the one above; end sites go with it. One joint at least must be left.
Skeleton withoutJoint(const Skeleton& skeleton, std::uint32_t node,
                      const std::optional<MirrorPlane>& mirror = {});

// The name is made unique. With a plane the other side's gets the name of that side, where the name
// says one.
Skeleton withJointRenamed(const Skeleton& skeleton, std::uint32_t node, std::string_view name,
                          const std::optional<MirrorPlane>& mirror = {});

// Where a new child of a joint would naturally stand: as far along its parent's bone again.
vec3 placeForChild(const Skeleton& skeleton, std::uint32_t node, float size);

} // namespace sinew
