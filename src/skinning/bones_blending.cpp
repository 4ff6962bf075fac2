#include "skinning/bone_palette.h"
#include "skinning/exact_normals.h"
#include "skinning/joint_binding.h"
#include "skinning/joint_motion.h"
#include "skinning/method_entries.h"
#include "skinning/tangents.h"
#include "skinning/twist_ranges.h"

#include <glm/geometric.hpp>

#include <array>
#include <cmath>

namespace sinew {
namespace {

// Rows of a joint. Where no joint stretches, the shader reads the first five, which leave one
// rotation for both position and normal. Behind them what the parameters ask for (Variant).
enum Row : std::uint32_t { kParent, kCenter, kPosed, kAxis, kShift, kStretch, kParentStretch };
constexpr std::uint32_t kRows = kParentStretch + 2;
constexpr std::array<std::string_view, kRows> kRowTexts{
    "rotation of M(p) = F(p) A(p)^-1, p the joint's parent, as a unit quaternion (x, y, z, w)",
    "joint's centre c in bind space; w: angle of Q(j), the joint's rotation in bind space, 0 to pi",
    "M(p) c; w: the scale of M(p), negative where it mirrors",
    "Q(j)'s axis, unit; w: S01 of the joint's stretch S",
    "the joint's own shift, model space; w: S00",
    "S11, S22, S12, S02: read, as the next two, where NON_UNIFORM_SCALE",
    "stretch P of M(p), which is its rotation times P: P00, P11, P22, P01",
    "P12, P02",
};
constexpr std::array<std::string_view, 1> kRotationTexts{
    "rotation of M(j) as a unit quaternion, on the same side as that of M(p)"};
constexpr std::array<std::string_view, 3> kJointTexts{"M(j), row 0", "M(j), row 1", "M(j), row 2"};
// Constants of a joint: (centre, parent); (direction, reach); with twist ranges twistConstant().
std::size_t countConstantRows(const Binding& binding) {
  return binding.variant.twistRow != 0 ? 3 : 2;
}

constexpr std::array<std::string_view, 2> kAxes{"cached", "per-vertex"};
constexpr std::array<std::string_view, 2> kSwitch{"off", "on"};
constexpr std::array<Parameter, 6> kParameters{{
    kJointParameters[0],
    kJointParameters[1],
    kNormalsParameter,
    {"skip", 0, 1, 0,
     "skip the interpolation of the rotation for vertices that make none or all of it", kSwitch},
    {"axis", 0, 1, 0,
     "a joint's axis and angle are computed once per joint, or per vertex from the two rotations "
     "that it blends",
     kAxes},
    kTwistParameter,
}};

constexpr std::array<std::string_view, 9> kShaders{
    "common/mirrors.glsl",       "common/transform_normal.glsl", "common/quarter_sine.glsl",
    "common/quarter_angle.glsl", "common/rotate.glsl",           "common/attachments.glsl",
    "common/surface.glsl",       "common/exact_normal.glsl",     "skinning/bones_blending.glsl"};
constexpr std::array<std::string_view, 3> kTangentShaders{
    "common/tangent.glsl", "common/attached_tangent.glsl", "skinning/bones_blending_tangent.glsl"};

// Adds rows to the entry; returns the first.
std::uint32_t addRows(Binding& binding, std::span<const std::string_view> texts) {
  const std::uint32_t first = binding.rowsPerEntry;
  binding.rowsPerEntry += static_cast<std::uint32_t>(texts.size());
  binding.rowTexts.insert(binding.rowTexts.end(), texts.begin(), texts.end());
  return first;
}

Binding bind(const Rig& rig, const BindOptions& options) {
  Binding binding;
  binding.parameters = parameterValues(kParameters, options);
  Variant& variant = binding.variant;
  variant.normals = normalMode(binding.parameters[2]);
  variant.sharedSurface = options.share != nullptr;
  const JointBinding joints = bindJoints(rig, options, variant.normals);
  binding.vertexCount = static_cast<std::uint32_t>(rig.positions.size());
  binding.entryCount = static_cast<std::uint32_t>(rig.joints.size());
  binding.rowsPerEntry = kRows;
  binding.rowTexts.assign(kRowTexts.begin(), kRowTexts.end());
  appendAttachments(joints, binding);
  if (binding.parameters[4] != 0.0f) variant.rotationRow = addRows(binding, kRotationTexts);
  if (binding.parameters[3] != 0.0f) variant.jointRow = addRows(binding, kJointTexts);

  const AttributeFormat formats[] = {AttributeFormat::float1, AttributeFormat::float2,
                                     AttributeFormat::float3};
  Attribute blendFactors{"blendFactor", formats[joints.maxAttachments - 1], false, {}};
  for (std::size_t v = 0; v < binding.vertexCount; ++v) {
    const auto [a, b, c] = paddedAttachments(joints, v);
    append(blendFactors, vec4(a.blendFactor, b.blendFactor, c.blendFactor, 0.0f));
  }
  binding.attributes.push_back(std::move(blendFactors));
  const TwistRanges twists =
      twistRanges(rig, joints, options, twistDefault(binding.parameters[5]),
                  [](const JointAttachment& attachment) { return attachment.blendFactor; });
  appendTwists(twists, joints, binding);
  groupByAttachments(options, binding.attributes.size(), 0, binding);
  if (variant.normals == NormalMode::exact) appendGradients(joints, joints.gradients, binding);

  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    const BoneAxis& axis = joints.axes[j];
    binding.constants.emplace_back(axis.center, static_cast<float>(joints.parents[j]));
    binding.constants.emplace_back(axis.direction, joints.reaches[j]);
    if (variant.twistRow != 0) binding.constants.push_back(twistConstant(twists.joints[j]));
  }
  return binding;
}

void writeMatrix(const mat4& m, std::span<vec4> rows) {
  for (int r = 0; r < 3; ++r)
    rows[static_cast<std::size_t>(r)] = {m[0][r], m[1][r], m[2][r], m[3][r]};
}

vec4 asRow(const quat& q) {
  return {q.x, q.y, q.z, q.w};
}

// rigid: M(p) is written without its noise.
AxisAngle writeRows(const JointMotion& motion, bool rigid, const vec3& center,
                    const vec3& direction, std::span<vec4> entry) {
  const ScaledRotation& parent = motion.parent.linear;
  const AxisAngle rotation = axisAngle(motion.rotation, direction);
  const vec3 posed = transformPoint(motion.parent.modelFromBind, center);
  const mat3& s = motion.stretch;
  entry[kParent] = asRow(parent.rotation);
  entry[kCenter] = {center, rotation.angle};
  entry[kPosed] = {posed, parent.scale};
  entry[kAxis] = {rotation.axis, s[0][1]};
  entry[kShift] = {mat3(motion.parent.modelFromBind) * motion.shift, s[0][0]};
  entry[kStretch] = {s[1][1], s[2][2], s[1][2], s[0][2]};
  const mat3 p = parent.scale * (rigid ? mat3(1.0f) : parent.stretch);
  entry[kParentStretch] = {p[0][0], p[1][1], p[2][2], p[0][1]};
  entry[kParentStretch + 1] = {p[1][2], p[0][2], 0.0f, 0.0f};
  return rotation;
}

bool pack(const Rig& rig, const Binding& binding, std::span<const mat4> modelFromNode,
          std::span<vec4> rows) {
  const std::span<const BoneMotion> bones = boneMotions(rig, modelFromNode);
  const Variant& variant = binding.variant;
  const std::size_t each = countConstantRows(binding);
  const float size = skeletonSize(binding.constants, each);
  bool allRigid = true;
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    const vec4& center = binding.constants[each * j];
    const vec4& direction = binding.constants[each * j + 1];
    const JointMotion motion =
        jointMotion(bones[static_cast<std::size_t>(center.w)], bones[j], vec3(center));
    const bool rigid = motion.isRigidFor(direction.w, size);
    const std::span<vec4> entry = rows.subspan(binding.rowsPerEntry * j, binding.rowsPerEntry);
    const AxisAngle rotation = writeRows(motion, rigid, vec3(center), vec3(direction), entry);
    if (variant.rotationRow != 0) // with the sign that the axis implies
      entry[variant.rotationRow] =
          asRow(motion.parent.linear.rotation * glm::angleAxis(rotation.angle, rotation.axis));
    if (variant.jointRow != 0) writeMatrix(bones[j].modelFromBind, entry.subspan(variant.jointRow));
    if (variant.twistRow != 0)
      entry[variant.twistRow] = twistRow(binding.constants[each * j + 2], motion.rotation);
    allRigid = allRigid && (rigid || direction.w == 0.0f);
  }
  return !allRigid;
}

// Q^t: about the axis by t times the angle.
quat fractionalRotation(const vec3& axis, float angle, float t) {
  const float half = 0.5f * t * angle;
  const vec3 v = std::sin(half) * axis;
  return {std::cos(half), v.x, v.y, v.z};
}

// The fraction t of the joint's stretch: from none at 0 to all of it at 1.
MatrixRows stretchRows(const vec4* rows, float t) {
  const vec4& s = rows[kStretch];
  const float xx = 1.0f + t * (rows[kShift].w - 1.0f);
  const float yy = 1.0f + t * (s.x - 1.0f);
  const float zz = 1.0f + t * (s.y - 1.0f);
  const float xy = t * rows[kAxis].w;
  const float yz = t * s.z;
  const float xz = t * s.w;
  return {{xx, xy, xz, 0.0f}, {xy, yy, yz, 0.0f}, {xz, yz, zz, 0.0f}};
}

struct DeformedVertex {
  vec3 position;
  vec3 normal;
};

// Axis and angle of a joint: as packed, or from the two rotations K and L, of K^-1 L.
AxisAngle readAxisAngle(const vec4* rows, const Variant& variant) {
  if (variant.rotationRow == 0) return {vec3(rows[kAxis]), rows[kCenter].w};
  const vec4& k = rows[kParent];
  const vec4& l = rows[variant.rotationRow];
  const quat between = glm::conjugate(quat(k.w, k.x, k.y, k.z)) * quat(l.w, l.x, l.y, l.z);
  const vec3 v(between.x, between.y, between.z);
  const float sine = glm::length(v);
  if (sine <= 1e-12f) return {};
  return {v / sine, 2.0f * std::atan2(sine, between.w)};
}

// Where the fraction t of a joint's motion puts a vertex, before M(p).
struct JointDeformation {
  MatrixRows stretch{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
  AxisAngle whole;
  quat rotation{1, 0, 0, 0};
  vec3 bindArm{0.0f}; // from the joint's centre
  vec3 arm{0.0f};     // stretched and rotated
  vec3 center{0.0f};
  vec3 shift{0.0f}; // all of the joint's own, in model space
};

JointDeformation deformationBy(const vec4* rows, const Variant& variant, bool stretched, float t,
                               const vec3& position) {
  JointDeformation by;
  by.whole = readAxisAngle(rows, variant);
  by.center = vec3(rows[kCenter]);
  by.shift = vec3(rows[kShift]);
  by.bindArm = position - by.center;
  by.arm = by.bindArm;
  by.rotation = fractionalRotation(by.whole.axis, by.whole.angle, t);
  if (stretched) {
    by.stretch = stretchRows(rows, t);
    by.arm = transformPoint(by.stretch, by.arm);
  }
  by.arm = by.rotation * by.arm;
  return by;
}

MatrixRows jointMatrix(const vec4* rows, const Variant& variant) {
  const vec4* m = rows + variant.jointRow;
  return {m[0], m[1], m[2]};
}

// Moves the vertex by the fraction t of the joint's motion.
DeformedVertex deformByJoint(const Palette& palette, const vec4* rows, const Variant& variant,
                             float t, const vec3& position, const vec3& normal) {
  const bool stretched = palette.nonUniformScale;
  if (variant.jointRow != 0 && (t <= 0.0f || t >= 1.0f)) {
    const MatrixRows rigid = t <= 0.0f ? parentMatrix(rows) : jointMatrix(rows, variant);
    return {transformPoint(rigid, position), transformNormal(rigid, normal, stretched)};
  }
  const JointDeformation by = deformationBy(rows, variant, stretched, t, position);
  const MatrixRows modelFromBind = parentMatrix(rows);
  const vec3 unstretched = stretched ? transformNormal(by.stretch, normal, true) : normal;
  return {transformPoint(modelFromBind, by.center + by.arm) + t * by.shift,
          transformNormal(modelFromBind, by.rotation * unstretched, stretched)};
}

// The same of a tangent; w: -1 where the motion mirrors.
vec4 tangentByJoint(const Palette& palette, const vec4* rows, const Variant& variant, float t,
                    const vec3& position, const vec3& tangent) {
  if (variant.jointRow != 0 && (t <= 0.0f || t >= 1.0f)) {
    return transformTangent(t <= 0.0f ? parentMatrix(rows) : jointMatrix(rows, variant), tangent);
  }
  const bool stretched = palette.nonUniformScale;
  const JointDeformation by = deformationBy(rows, variant, stretched, t, position);
  vec4 moved(tangent, 1.0f);
  if (stretched) moved = transformTangent(by.stretch, tangent);
  const vec4 whole = transformTangent(parentMatrix(rows), by.rotation * vec3(moved));
  return {vec3(whole), moved.w * whole.w};
}

vec3 transformVector(const MatrixRows& m, const vec3& v) {
  return {glm::dot(vec3(m.x), v), glm::dot(vec3(m.y), v), glm::dot(vec3(m.z), v)};
}

AttachmentMotion motionByJoint(const Palette& palette, const vec4* rows, const Variant& variant,
                               float t, const vec3& position, const SurfaceTangents& tangents) {
  const bool stretched = palette.nonUniformScale;
  const JointDeformation by = deformationBy(rows, variant, stretched, t, position);
  const MatrixRows modelFromBind = parentMatrix(rows);
  const auto carried = [&](const vec3& tangent) {
    return transformVector(modelFromBind, by.rotation * transformVector(by.stretch, tangent));
  };
  vec3 velocity = by.whole.angle * glm::cross(by.whole.axis, by.arm);
  if (stretched)
    velocity += by.rotation * (transformVector(stretchRows(rows, 1.0f), by.bindArm) - by.bindArm);
  return {.position = transformPoint(modelFromBind, by.center + by.arm) + t * by.shift,
          .alongU = carried(tangents.u),
          .alongV = carried(tangents.v),
          .velocity = transformVector(modelFromBind, velocity) + by.shift,
          .mirrors = mirrors(modelFromBind) != mirrors(by.stretch)};
}

// A vertex of the bind pose rotated by what twist ranges add to each of its joints' twists, about
// the line of the joint's bone. `tangent` may be its normal.
void twistVertex(const VertexTwists& twists, const Binding& binding, const Palette& palette,
                 std::size_t v, vec3& position, vec3& tangent) {
  twists.forEach(v, [&](std::uint32_t joint, float share) {
    const vec4* rows = palette.rows.data() + std::size_t{binding.rowsPerEntry} * joint;
    const vec4& twist = rows[binding.variant.twistRow];
    const vec3 center(rows[kCenter]);
    const quat rotation = fractionalRotation(vec3(twist), twist.w, share);
    position = center + rotation * (position - center);
    tangent = rotation * tangent;
  });
}

// Reads the vertices of a binding.
struct Attachments {
  const Binding& binding;
  const Palette& palette;
  const Attribute& entries = findAttribute(binding, "joints0");
  const Attribute& blendFactors = findAttribute(binding, "blendFactor");
  const Attribute* weights0 = binding.variant.attachments > 1 ? &findAttribute(binding, "weights0")
                                                              : nullptr;

  std::size_t count() const { return binding.variant.attachments; }
  vec3 weights(std::size_t v) const {
    return weights0 != nullptr ? vec3(readFloat(*weights0, v)) : vec3(1, 0, 0);
  }
  const vec4* rows(std::size_t v, std::size_t i) const {
    return palette.rows.data() +
           std::size_t{binding.rowsPerEntry} * readUint(entries, v)[static_cast<int>(i)];
  }
  float blendFactor(std::size_t v, std::size_t i) const {
    return readFloat(blendFactors, v)[static_cast<int>(i)];
  }
  std::array<AttachmentMotion, 3> motions(const BindVertices& vertices, std::size_t v) const {
    std::array<AttachmentMotion, 3> out;
    const SurfaceTangents tangents = surfaceTangents(vertices.normals[v]);
    for (std::size_t i = 0; i < count(); ++i)
      out[i] = motionByJoint(palette, rows(v, i), binding.variant, blendFactor(v, i),
                             vertices.positions[v], tangents);
    return out;
  }
};

// Without shares the method has all of the surface.
std::vector<SurfaceMotion> surface(const BindVertices& vertices, const Binding& binding,
                                   const Palette& palette, std::span<const float> shares = {}) {
  const Attachments attachments{binding, palette};
  const ExactNormals normals(binding);
  std::vector<SurfaceMotion> out;
  std::array<vec3, 3> positions;
  for (std::size_t v = 0; v < binding.vertexCount; ++v) {
    const vec3 weights = attachments.weights(v);
    const auto all = attachments.motions(vertices, v);
    const auto motions = std::span(all).first(attachments.count());
    for (std::size_t i = 0; i < motions.size(); ++i)
      positions[i] = motions[i].position;
    out.push_back(normals.surface(v, motions, weights, shares.empty() ? 1.0f : shares[v]));
    out.back().position = combineFromFirst(std::span(positions).first(motions.size()), weights);
  }
  return out;
}

void skin(const BindVertices& vertices, const Binding& binding, const Palette& palette,
          SkinnedMesh& out) {
  if (binding.variant.normals == NormalMode::exact)
    return takePositionsAndNormals(surface(vertices, binding, palette), out);
  out.positions.resize(binding.vertexCount);
  out.normals.resize(binding.vertexCount);
  const Attachments attachments{binding, palette};
  std::array<vec3, 3> positions;
  std::array<vec3, 3> normals;
  const std::size_t count = attachments.count();
  const VertexTwists twists(binding);
  for (std::size_t v = 0; v < binding.vertexCount; ++v) {
    const vec3 weights = attachments.weights(v);
    vec3 position = vertices.positions[v];
    vec3 normal = vertices.normals[v];
    twistVertex(twists, binding, palette, v, position, normal);
    for (std::size_t i = 0; i < count; ++i) {
      const DeformedVertex moved = deformByJoint(palette, attachments.rows(v, i), binding.variant,
                                                 attachments.blendFactor(v, i), position, normal);
      positions[i] = moved.position;
      normals[i] = moved.normal;
    }
    out.positions[v] = combineFromFirst(std::span(positions).first(count), weights);
    out.normals[v] = binding.variant.hasNormals()
                         ? combineNormals(std::span(normals).first(count), weights)
                         : vec3(0.0f);
  }
}

std::vector<vec4> skinTangents(const BindVertices& vertices, const Binding& binding,
                               const Palette& palette) {
  const Attachments attachments{binding, palette};
  const VertexTwists twists(binding);
  return transformTangents(vertices, [&](std::size_t v, const vec3& bindTangent) {
    std::array<vec4, 3> by;
    vec3 position = vertices.positions[v];
    vec3 tangent = bindTangent;
    twistVertex(twists, binding, palette, v, position, tangent);
    for (std::size_t i = 0; i < attachments.count(); ++i)
      by[i] = tangentByJoint(palette, attachments.rows(v, i), binding.variant,
                             attachments.blendFactor(v, i), position, tangent);
    return meanTangent(std::span(by).first(attachments.count()), attachments.weights(v));
  });
}

// Where the surface is folded so sharply that its tangents fall together.
std::vector<bool> unstableNormals(const BindVertices& vertices, const Binding& binding,
                                  const Palette& palette) {
  std::vector<bool> unstable(binding.vertexCount, false);
  if (binding.variant.normals != NormalMode::exact) return unstable;
  const std::vector<SurfaceMotion> motions = surface(vertices, binding, palette);
  for (std::size_t v = 0; v < motions.size(); ++v)
    unstable[v] = motions[v].unstable();
  return unstable;
}

} // namespace

MatrixRows parentMatrix(const vec4* rows) {
  const vec4& p = rows[kParentStretch];
  const vec2 across(rows[kParentStretch + 1]);
  const mat3 stretch(p.x, p.w, across.y, p.w, p.y, across.x, across.y, across.x, p.z);
  const vec4& q = rows[kParent];
  const mat3 linear = glm::mat3_cast(quat(q.w, q.x, q.y, q.z)) * stretch;
  const vec3 at = vec3(rows[kPosed]) - linear * vec3(rows[kCenter]);
  const mat3 byRow = glm::transpose(linear);
  return {vec4(byRow[0], at.x), vec4(byRow[1], at.y), vec4(byRow[2], at.z)};
}

Method bonesBlendingMethod() {
  return {.name = "bones-blending",
          .title = "Bones blending",
          .shortTitle = "Bones",
          .paper = "Real time skin deformation with bones blending (Kavan and Zara 2003)",
          .summary =
              "Each vertex takes a fraction of its joint's rotation: a twisted limb keeps its "
              "thickness; at a sharp bend the inner side may fold.",
          .formula = "v' = M(p) ( c + Q^t (v - c) )",
          .symbols = "M(p): the motion of the joint's parent. c: the joint's centre. Q: "
                     "its rotation; the vertex takes the fraction t of the angle.",
          .parameters = kParameters,
          .shaders = kShaders,
          .usesZones = true,
          .bind = bind,
          .pack = pack,
          .skin = skin,
          .kernel = SkinKernel::fractions,
          .tangentShaders = kTangentShaders,
          .skinTangents = skinTangents,
          .unstableNormals = unstableNormals,
          .morph = morphGradients,
          .surface = surface};
}

} // namespace sinew
