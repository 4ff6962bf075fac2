#include "rig/bone_axes.h"
#include "skinning/joint_binding.h"
#include "skinning/joint_motion.h"
#include "skinning/method_entries.h"
#include "skinning/shared_skin.h"
#include "skinning/tangents.h"
#include "skinning/twist_ranges.h"
#include "skinning/two_phase.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

constexpr std::array<std::string_view, 5> kShaders{
    "common/transform_normal.glsl", "common/quarter_sine.glsl", "common/influences.glsl",
    "common/rotate.glsl", "skinning/stbs.glsl"};
constexpr std::array<std::string_view, 3> kTangentShaders{
    "common/mirrors.glsl", "common/tangent.glsl", "skinning/stbs_tangent.glsl"};

constexpr std::uint32_t kRows = 6;
constexpr std::array<std::string_view, kRows> kRowTexts{
    "unit quaternion (x, y, z, w) of M(j)'s rotation",
    "a', the posed joint; w: the joint's twist about the bone, -pi to pi",
    "a, the joint in bind space; w: how much longer the bone is than its stretch makes it",
    "direction of the bone in bind space, unit; w: S01 of the joint's stretch S about a: read, as "
    "the next, where NON_UNIFORM_SCALE",
    "S00, S11, S22, S12",
    "S02",
};

// Constants of a joint: (a, the joint against which it twists, or itself); (direction, length); the
// joint at the bone's end, or -1, and in w its reach.
constexpr std::size_t kConstants = 3;

// The length over which a bone's twist grows. Beyond the skin that the bone at the end of a chain
// shares with those above it, all of the twist arrives.
float twistLength(const BoneAxis& axis, bool endsInJoint, float shared) {
  constexpr float kShortest = 0.05f; // fraction of the bone's length, as for a zone
  return endsInJoint ? axis.length : std::clamp(shared, kShortest * axis.length, axis.length);
}

// e of each of a vertex' influences, in attributes as weights are.
void appendShares(const Rig& rig, std::span<const BoneAxis> axes, Binding& binding) {
  const std::uint32_t groups = (binding.variant.influences + 3) / 4;
  std::vector<Attribute> shares;
  for (std::uint32_t g = 0; g < groups; ++g)
    shares.push_back({"boneShare" + std::to_string(g), AttributeFormat::unorm16x4, false, {}});
  for (std::size_t v = 0; v < binding.vertexCount; ++v) {
    const VertexBones bones = readBones(binding, v);
    for (std::uint32_t g = 0; g < groups; ++g) {
      vec4 of(0.0f);
      for (int i = 0; i < 4; ++i) {
        const BoneAxis& axis = axes[bones.joints[std::size_t{4} * g + static_cast<std::size_t>(i)]];
        of[i] = glm::dot(rig.positions[v] - axis.center, axis.direction) / axis.length;
      }
      append(shares[g], of); // clamped to [0, 1]
    }
  }
  // First, for every form reads them.
  binding.attributes.insert(binding.attributes.begin(), shares.begin(), shares.end());
  for (BindingForm& form : binding.forms)
    form.attributes += groups;
}

Binding bind(const Rig& rig, const BindOptions& options) {
  Binding binding = bindBones(rig, options.influences, options.formPerCount);
  binding.rowsPerEntry = kRows;
  binding.rowTexts.assign(kRowTexts.begin(), kRowTexts.end());
  std::vector<BoneAxis> axes = boneAxes(rig);
  const SharedSkin shared = sharedSkin(rig, axes);
  const std::vector<std::uint32_t> ends = jointsAtEnds(rig, axes);
  for (std::size_t j = 0; j < axes.size(); ++j)
    axes[j].length = twistLength(axes[j], ends[j] != kNoNode, shared.reach[j]);
  appendShares(rig, axes, binding);
  const std::vector<float> reaches = jointReaches(rig, binding);
  for (std::uint32_t j = 0; j < rig.joints.size(); ++j) {
    const std::uint32_t above = shared.above[j];
    binding.constants.emplace_back(axes[j].center,
                                   static_cast<float>(above != kNoNode ? above : j));
    binding.constants.emplace_back(axes[j].direction, axes[j].length);
    binding.constants.emplace_back(ends[j] != kNoNode ? static_cast<float>(ends[j]) : -1.0f, 0.0f,
                                   0.0f, reaches[j]);
  }
  return binding;
}

bool pack(const Rig& rig, const Binding& binding, std::span<const mat4> modelFromNode,
          std::span<vec4> rows) {
  const std::span<const BoneMotion> bones = boneMotions(rig, modelFromNode);
  bool stretches = false;
  const float size = skeletonSize(binding.constants, kConstants);
  for (std::size_t j = 0; j < bones.size(); ++j) {
    const vec4* constants = &binding.constants[kConstants * j];
    const vec3 start(constants[0]);
    const vec3 direction(constants[1]);
    const float length = constants[1].w;
    const mat4& modelFromBind = bones[j].modelFromBind;
    const TwoPhases phases = twoPhases({modelFromBind, polar(mat3(modelFromBind))}, start);
    stretches = stretches || !isRigid(stretchNoise(phases.linear()), constants[2].w, size);

    const vec3 posedStart = transformPoint(modelFromBind, start);
    const auto next = static_cast<std::int64_t>(constants[2].x);
    vec3 posedEnd = transformPoint(modelFromBind, start + length * direction);
    float longer = 0.0f;
    if (next >= 0) {
      const auto follower = static_cast<std::size_t>(next);
      const float own = glm::length(posedEnd - posedStart);
      posedEnd = transformPoint(bones[follower].modelFromBind,
                                vec3(binding.constants[kConstants * follower]));
      if (own > 1e-6f * length) longer = (glm::length(posedEnd - posedStart) / own - 1.0f) * length;
    }
    const auto above = static_cast<std::size_t>(constants[0].w);
    const quat turned = jointMotion(bones[above], bones[j], start).rotation;

    const std::span<vec4> entry = rows.subspan(kRows * j, kRows);
    entry[0] = asRow(phases.rotation);
    entry[1] = vec4(posedStart, twistAbout(turned, direction));
    entry[2] = vec4(start, longer);
    const auto stretch = [&](std::size_t row, int column) { return phases.stretch[row][column]; };
    entry[3] = vec4(direction, stretch(0, 1));
    entry[4] = vec4(stretch(0, 0), stretch(1, 1), stretch(2, 2), stretch(1, 2));
    entry[5] = vec4(stretch(0, 2), 0.0f, 0.0f, 0.0f);
  }
  return stretches;
}

// A bone where the share `e` of its length and twist lies behind the vertex.
struct BoneAt {
  const vec4* rows;
  float share;
  quat rotation;

  BoneAt(const Palette& palette, std::uint32_t joint, float e)
      : rows(palette.rows.data() + std::size_t{kRows} * joint), share(e),
        rotation(asQuat(rows[0]) * glm::angleAxis((e - 1.0f) * rows[1].w, vec3(rows[3]))) {}

  MatrixRows stretch() const {
    const vec4& s = rows[4];
    const float xy = rows[3].w;
    const float xz = rows[5].x;
    return {{s.x, xy, xz, 0.0f}, {xy, s.y, s.w, 0.0f}, {xz, s.w, s.z, 0.0f}};
  }

  vec3 move(const vec3& position, bool stretched) const {
    vec3 arm = position - vec3(rows[2]);
    vec3 along(rows[3]);
    if (stretched) {
      arm = transformPoint(stretch(), arm);
      along = transformPoint(stretch(), along);
    }
    return vec3(rows[1]) + rotation * (arm + share * rows[2].w * along);
  }
};

std::vector<BoneAt> collectBones(const Binding& binding, const Palette& palette,
                                 const VertexBones& bones, std::size_t v) {
  std::vector<BoneAt> out;
  for (std::size_t i = 0; i < bones.count; ++i)
    out.emplace_back(palette, bones.joints[i],
                     readFloat(binding.attributes[i / 4], v)[static_cast<int>(i % 4)]);
  return out;
}

vec3 unitOrZero(const vec3& v) {
  const float squared = glm::dot(v, v);
  return squared > 1e-30f ? v / std::sqrt(squared) : vec3(0.0f);
}

vec3 sumOfNormals(std::span<const BoneAt> by, const VertexBones& bones, const vec3& normal,
                  bool stretched) {
  vec3 sum(0.0f);
  for (std::size_t i = 0; i < by.size(); ++i)
    sum += bones.weights[i] *
           (by[i].rotation * (stretched ? transformNormal(by[i].stretch(), normal, true) : normal));
  return sum;
}

void skin(const BindVertices& vertices, const Binding& binding, const Palette& palette,
          SkinnedMesh& out) {
  out.positions.resize(binding.vertexCount);
  out.normals.resize(binding.vertexCount);
  for (std::size_t v = 0; v < binding.vertexCount; ++v) {
    const VertexBones bones = readBones(binding, v);
    const std::vector<BoneAt> by = collectBones(binding, palette, bones, v);
    vec3 position(0.0f);
    for (std::size_t i = 0; i < by.size(); ++i)
      position += bones.weights[i] * by[i].move(vertices.positions[v], palette.nonUniformScale);
    out.positions[v] = position;
    out.normals[v] =
        unitOrZero(sumOfNormals(by, bones, vertices.normals[v], palette.nonUniformScale));
  }
}

// As its normal has it: the mean of what each bone makes of it.
std::vector<vec4> skinTangents(const BindVertices& vertices, const Binding& binding,
                               const Palette& palette) {
  return transformTangents(vertices, [&](std::size_t v, const vec3& tangent) {
    const VertexBones bones = readBones(binding, v);
    const std::vector<BoneAt> by = collectBones(binding, palette, bones, v);
    vec3 sum(0.0f);
    float side = 1.0f; // that of the heaviest bone
    for (std::size_t i = 0; i < by.size(); ++i) {
      vec4 moved(tangent, 1.0f);
      if (palette.nonUniformScale) moved = transformTangent(by[i].stretch(), tangent);
      if (i == 0) side = moved.w;
      sum += bones.weights[i] * (by[i].rotation * vec3(moved));
    }
    return vec4(unitOrZero(sum), side);
  });
}

// Where what the bones make of it nearly cancels.
std::vector<bool> unstableNormals(const BindVertices& vertices, const Binding& binding,
                                  const Palette& palette) {
  constexpr float kCancelled = 0.05f;
  std::vector<bool> unstable(binding.vertexCount, false);
  for (std::size_t v = 0; v < binding.vertexCount; ++v) {
    const VertexBones bones = readBones(binding, v);
    const std::vector<BoneAt> by = collectBones(binding, palette, bones, v);
    unstable[v] = glm::length(sumOfNormals(by, bones, vertices.normals[v],
                                           palette.nonUniformScale)) < kCancelled;
  }
  return unstable;
}

} // namespace

Method stbsMethod() {
  return {.name = "stbs",
          .title = "Stretchable, twistable bones",
          .shortTitle = "Stretch",
          .paper = "Stretchable and twistable bones for skeletal shape deformation (Jacobson and "
                   "Sorkine 2011)",
          .summary = "Each bone twists and stretches evenly along its length: no candy wrapper; "
                     "bends collapse as by linear blending.",
          .formula = "v' = sum_j w_j ( a' + R_j(e) ( S_j (v - a) + e s ) )",
          .symbols = "a, a': the bone's start before and after. e: how far along the bone "
                     "the vertex lies. R_j(e): the joint's rotation with the part e of its "
                     "twist. s: what the bone has become longer by.",
          .parameters = {},
          .shaders = kShaders,
          .needsAllVertices = true,
          .bind = bind,
          .pack = pack,
          .skin = skin,
          .kernel = SkinKernel::bones,
          .tangentShaders = kTangentShaders,
          .skinTangents = skinTangents,
          .unstableNormals = unstableNormals};
}

} // namespace sinew
