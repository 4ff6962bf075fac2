#include "skinning/bones_blending.h"

#include "skinning/bone_palette.h"
#include "skinning/joint_binding.h"
#include "skinning/joint_motion.h"

#include <glm/geometric.hpp>

#include <cmath>

namespace sinew {
namespace {

// Rows of a joint: M(p) in three; (centre, angle); (axis, S01); and only read where something does
// more than turn: (shift, S00); (S11, S22, S12, S02), S the joint's stretch.
constexpr std::uint32_t kRows = 7;
// Constants of a joint: (centre, parent); (direction, used).
constexpr std::size_t kConstants = 2;

Binding bind(const Rig& rig, const BindOptions& options) {
  const JointBinding joints = bindJoints(rig, options);
  Binding binding;
  binding.vertexCount = static_cast<std::uint32_t>(rig.positions.size());
  binding.itemCount = static_cast<std::uint32_t>(rig.joints.size());
  binding.rowsPerItem = kRows;
  appendAttachments(joints, binding);

  const AttributeFormat formats[] = {AttributeFormat::float1, AttributeFormat::float2,
                                     AttributeFormat::float3};
  Attribute shares{"jointShare", formats[joints.most - 1], false, {}};
  for (std::size_t v = 0; v < binding.vertexCount; ++v) {
    const auto [a, b, c] = paddedAttachments(joints, v);
    append(shares, vec4(a.childShare, b.childShare, c.childShare, 0.0f));
  }
  binding.attributes.push_back(std::move(shares));

  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    const BoneAxis& axis = joints.axes[j];
    binding.constants.emplace_back(axis.center, static_cast<float>(joints.parents[j]));
    binding.constants.emplace_back(axis.direction, joints.used[j] ? 1.0f : 0.0f);
  }
  return binding;
}

void writeRows(const JointMotion& motion, const vec3& center, const vec3& direction,
               std::span<vec4> item) {
  const mat4& m = motion.modelFromBind;
  for (int r = 0; r < 3; ++r)
    item[static_cast<std::size_t>(r)] = {m[0][r], m[1][r], m[2][r], m[3][r]};
  const AxisAngle turn = axisAngle(motion.turn, direction);
  const mat3& s = motion.stretch;
  item[3] = {center, turn.angle};
  item[4] = {turn.axis, s[0][1]};
  item[5] = {motion.shift, s[0][0]};
  item[6] = {s[1][1], s[2][2], s[1][2], s[0][2]};
}

bool pack(const Rig& rig, const Binding& binding, std::span<const mat4> modelFromNode,
          std::span<vec4> rows) {
  const std::vector<mat4> matrices = boneMatrices(rig, modelFromNode);
  bool rigid = true;
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    const vec4& center = binding.constants[kConstants * j];
    const vec4& direction = binding.constants[kConstants * j + 1];
    const auto parent = static_cast<std::size_t>(center.w);
    const JointMotion motion = jointMotion(matrices[parent], matrices[j], vec3(center));
    writeRows(motion, vec3(center), vec3(direction), rows.subspan(kRows * j, kRows));
    rigid = rigid && (motion.rigid || direction.w == 0.0f);
  }
  return !rigid;
}

// Q^t: about the axis by t times the angle.
quat partOfTurn(const vec3& axis, float angle, float t) {
  const float half = 0.5f * t * angle;
  const vec3 v = std::sin(half) * axis;
  return {std::cos(half), v.x, v.y, v.z};
}

// The share t of the joint's stretch: from none at 0 to all of it at 1.
MatrixRows stretchRows(const vec4* rows, float t) {
  const float xx = 1.0f + t * (rows[5].w - 1.0f);
  const float yy = 1.0f + t * (rows[6].x - 1.0f);
  const float zz = 1.0f + t * (rows[6].y - 1.0f);
  const float xy = t * rows[4].w;
  const float yz = t * rows[6].z;
  const float xz = t * rows[6].w;
  return {{xx, xy, xz, 0.0f}, {xy, yy, yz, 0.0f}, {xz, yz, zz, 0.0f}};
}

struct Place {
  vec3 position;
  vec3 normal;
};

// Where the joint takes the vertex when it has made the share t of its movement.
Place follow(const Palette& palette, std::uint32_t joint, float t, vec3 position, vec3 normal) {
  const vec4* rows = palette.rows.data() + std::size_t{kRows} * joint;
  const vec3 center(rows[3]);
  const quat turn = partOfTurn(vec3(rows[4]), rows[3].w, t);
  vec3 arm = position - center;
  vec3 moved = center;
  if (palette.nonUniformScale) {
    const MatrixRows stretch = stretchRows(rows, t);
    arm = transformPoint(stretch, arm);
    normal = transformNormal(stretch, normal, true);
    moved += t * vec3(rows[5]);
  }
  moved += turn * arm;
  const MatrixRows modelFromBind{rows[0], rows[1], rows[2]};
  return {transformPoint(modelFromBind, moved),
          transformNormal(modelFromBind, turn * normal, palette.nonUniformScale)};
}

void skin(const Rig& rig, const Binding& binding, const Palette& palette, SkinnedMesh& out) {
  out.positions.resize(binding.vertexCount);
  out.normals.resize(binding.vertexCount);
  const Attribute& items = findAttribute(binding, "joints0");
  const Attribute& shares = findAttribute(binding, "jointShare");
  const auto attachments = static_cast<std::size_t>(componentCount(shares.format));
  const Attribute* weightsOf = attachments > 1 ? &findAttribute(binding, "weights0") : nullptr;
  std::array<vec3, 3> positions;
  std::array<vec3, 3> normals;
  for (std::size_t v = 0; v < binding.vertexCount; ++v) {
    const glm::uvec4 joints = readUint(items, v);
    const vec4 share = readFloat(shares, v);
    const vec3 weights = weightsOf != nullptr ? vec3(readFloat(*weightsOf, v)) : vec3(1, 0, 0);
    for (std::size_t i = 0; i < attachments; ++i) {
      const int lane = static_cast<int>(i);
      const Place place =
          follow(palette, joints[lane], share[lane], rig.positions[v], rig.normals[v]);
      positions[i] = place.position;
      normals[i] = place.normal;
    }
    out.positions[v] = combineFromFirst(std::span(positions).first(attachments), weights);
    out.normals[v] = combineNormals(std::span(normals).first(attachments), weights);
  }
}

} // namespace

Method bonesBlendingMethod() {
  return {.name = "bones-blending",
          .title = "Bones blending",
          .paper = "Real time skin deformation with bones blending (Kavan and Zara 2003)",
          .summary = "Each vertex takes a share of its joint's rotation: a twisted limb keeps its "
                     "thickness; at a sharp bend the inner side may fold.",
          .parameters = kJointParameters,
          .bind = bind,
          .pack = pack,
          .skin = skin};
}

} // namespace sinew
