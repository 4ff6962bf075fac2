// How vertices are bound to joints, for the methods that move joints rather than bones: bones
// blending and the splines.
#pragma once

#include "rig/bone_axes.h"
#include "rig/joint_weights.h"
#include "rig/zones.h"
#include "skinning/joint_motion.h"
#include "skinning/method.h"
#include "skinning/surface_gradients.h"

#include <array>
#include <string_view>

namespace sinew {

// Parameters common to these methods, in this order.
inline constexpr std::array<std::string_view, 2> kParameterSources{"weights", "zone"};
inline constexpr std::array<Parameter, 2> kJointParameters{{
    {"parameter-source", 0, 1, 0,
     "where a vertex's fraction of a joint's motion comes from, unless the joint's zone states it: "
     "the artist's bone weights, or the distance along the bone within the zone",
     kParameterSources},
    {"attachments", 1, 3, 3, "joints kept per vertex; one is the papers' own binding", {}, true},
}};

// Where the twist of joints blends in that state nothing: TwistRange::Kind, as far as it needs no
// numbers.
inline constexpr std::array<std::string_view, 2> kTwistRanges{"zone", "bone"};
inline constexpr Parameter kTwistParameter{"twist",
                                           0,
                                           1,
                                           0,
                                           "a joint's twist blends in with its bend, over the "
                                           "joint's zone, or evenly over the bone that it "
                                           "twists, unless the joint's zone states it",
                                           kTwistRanges};
TwistRange::Kind twistDefault(float choice);

// How normals are found, in the order of NormalMode.
inline constexpr std::array<std::string_view, 3> kNormals{"cheap", "exact", "none"};
inline constexpr Parameter kNormalsParameter{
    "normals",
    0,
    2,
    0,
    "rotated with the vertex, or of the deformed surface, over which weights and parameters vary "
    "(at the ends of a linear zone, where it has a kink, of one side), or none: positions only",
    kNormals};

struct JointBinding {
  std::vector<BoneAxis> axes;
  std::vector<Zone> zones;
  std::vector<std::uint32_t> parents; // itself for a root
  JointAttachments attachments;       // blendFactor from the joint's source, by its zone's curve
  std::uint32_t maxAttachments = 1;   // most on one vertex: 1, 2 or 3
  std::vector<bool> fromZone;         // per joint: its source is the zone, not the weights
  // Per joint the largest distance of its vertices from its centre; 0: none is attached to it.
  std::vector<float> reaches;
  // With exact normals one per value of `attachments`; its parameter is the blend factor.
  std::vector<AttachmentGradient> gradients;

  // Whether the blend factor of all used joints is the fraction of the zone, without a curve.
  bool allByDistance() const;
};

// BindOptions::share at a vertex, 1 without one.
float shareAt(const BindOptions& options, std::size_t vertex);

JointBinding bindJoints(const Rig& rig, const BindOptions& options, NormalMode normals);

// By the value of the parameter `normals`.
NormalMode normalMode(float choice);

// binding's attributes joints0 and, with several attachments, weights0; Variant::attachments.
void appendAttachments(const JointBinding& joints, Binding& binding);

// With BindOptions::formPerCount, where it can be done: Binding::forms by the number of a vertex's
// attachments, which reads `first` of the attributes and `each` more for each of them.
void groupByAttachments(const BindOptions& options, std::size_t first, std::size_t each,
                        Binding& binding);

// One vertex's attachments in binding's order, one value each; unused ones repeat the first.
std::array<JointAttachment, 3> paddedAttachments(const JointBinding& joints, std::size_t vertex);

// For pack: M of every joint of the rig; the thread's own memory, until its next call.
std::span<const mat4> boneMatrices(const Rig& rig, std::span<const mat4> modelFromNode);
std::span<const BoneMotion> boneMotions(const Rig& rig, std::span<const mat4> modelFromNode);

// The weighted mean of a vertex's positions, as differences from one of them or from their middle,
// which keeps its accuracy far from the origin (Forstmann and Ohya 2006, section 6).
vec3 combineFromFirst(std::span<const vec3> positions, const vec3& weights);
vec3 combineFromMiddle(std::span<const vec3> positions, const vec3& weights);
vec3 combinePlainly(std::span<const vec3> positions, const vec3& weights); // the sum itself
// The same for unit normals: unit, or zero where they cancel.
vec3 combineNormals(std::span<const vec3> normals, const vec3& weights);

} // namespace sinew
