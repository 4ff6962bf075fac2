#include "core/polar.h"
#include "rig/smoothed_weights.h"
#include "skinning/method_entries.h"
#include "skinning/tangents.h"
#include "skinning/two_phase.h"

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

using glm::dmat3;
using glm::dvec3;

constexpr std::array<std::string_view, 4> kShaders{
    "common/transform_normal.glsl", "common/influences.glsl", "common/nearest_rotation.glsl",
    "skinning/ddm.glsl"};
constexpr std::array<std::string_view, 3> kTangentShaders{
    "common/mirrors.glsl", "common/tangent.glsl", "skinning/ddm_tangent.glsl"};

constexpr std::uint32_t kRows = 6;
constexpr std::uint32_t kStretchRow = 3;
constexpr std::array<std::string_view, kRows> kRowTexts{
    kBoneMatrixRows[0], kBoneMatrixRows[1], kBoneMatrixRows[2],
    kStretchRows[0],    kStretchRows[1],    kStretchRows[2],
};

enum ParameterIndex : std::size_t { kLambda, kRounds, kAlpha, kKappa, kLimit };
constexpr std::array<Parameter, 5> kParameters{{
    {"lambda", 0, 100, 2, "how far a round of smoothing spreads, the square of so many edges"},
    {"rounds", 0, 20, 4, "rounds of smoothing; 0: linear blending", {}, true},
    {"alpha", 0, 0.99f, 0.5f, "share of the rigid term: more is stiffer and bulges less"},
    {"kappa", 0, 100, 1, "lambda of the weights of the rigid term"},
    {"joints", 4, 8, 4, "joints kept per vertex after smoothing, the largest", {}, true},
}};

void appendMoments(std::span<const SmoothedInfluence> four, std::span<Attribute> texels) {
  vec4 yz(0.0f);
  for (std::size_t i = 0; i < 4; ++i) {
    SmoothedInfluence of;
    if (i < four.size()) of = four[i];
    const auto second = [&](std::size_t k) { return static_cast<float>(of.second[k]); };
    append(texels[2 * i], vec4(vec3(of.first), second(0)));
    append(texels[2 * i + 1], vec4(second(1), second(2), second(3), second(4)));
    yz[static_cast<int>(i)] = second(5);
  }
  append(texels[8], yz);
}

Influences limited(const Rig& rig, std::uint32_t limit) {
  Influences out;
  std::vector<Influence> vertex;
  for (std::size_t v = 0; v < rig.positions.size(); ++v) {
    const auto all = rig.influences.of(v);
    vertex.assign(all.begin(), all.begin() + std::min<std::ptrdiff_t>(limit, std::ssize(all)));
    float sum = 0.0f;
    for (const Influence& influence : vertex)
      sum += influence.weight;
    for (Influence& influence : vertex)
      influence.weight /= sum;
    out.append(vertex);
  }
  return out;
}

SmoothedWeightsOptions smoothing(std::span<const float> parameters) {
  const auto value = [&](ParameterIndex i) { return static_cast<double>(parameters[i]); };
  return {{value(kLambda), static_cast<int>(std::lround(parameters[kRounds]))},
          value(kKappa),
          value(kAlpha),
          static_cast<std::size_t>(std::lround(parameters[kLimit]))};
}

// Joints and weights as bindBones() has them, for as many as smoothing has left.
Binding bindSmoothed(const Rig& rig, const SurfaceSmoothing& surface,
                     const SmoothedWeights& smoothed) {
  Rig like; // with the smoothed weights
  like.joints = rig.joints;
  like.positions = rig.positions;
  std::vector<Influence> vertex;
  for (std::size_t v = 0; v < rig.positions.size(); ++v) {
    vertex.clear();
    for (const SmoothedInfluence& influence : smoothed.influences.of(surface.getPoint(v)))
      vertex.push_back({influence.joint, static_cast<float>(influence.weight)});
    like.influences.append(vertex);
  }
  Binding binding = bindBones(like, kInfluenceLimit);
  binding.forms.clear(); // all texels are fetched by every vertex
  binding.formByVertex.clear();
  return binding;
}

Binding bind(const Rig& rig, const BindOptions& options) {
  const std::vector<float> parameters = parameterValues(kParameters, options);
  const SurfaceSmoothing surface(rig);
  const SmoothedWeights smoothed =
      smoothedWeights(rig, limited(rig, options.influences), surface, smoothing(parameters));
  Binding binding = bindSmoothed(rig, surface, smoothed);
  binding.parameters = parameters;
  binding.rowsPerEntry = kRows;
  binding.rowTexts.assign(kRowTexts.begin(), kRowTexts.end());
  appendJointCenters(rig, binding);

  binding.largestCut = static_cast<float>(smoothed.largestCut);

  Attribute centers{"smoothedPosition", AttributeFormat::float3, false, {}};
  const std::size_t groups = (binding.variant.influences + 3) / 4;
  std::vector<Attribute> texels;
  for (std::size_t g = 0; g < groups; ++g)
    for (std::size_t t = 0; t < kMomentTexels; ++t)
      texels.push_back({momentName(g, t), AttributeFormat::texel4, false, {}});
  for (std::size_t v = 0; v < rig.positions.size(); ++v) {
    const std::uint32_t point = surface.getPoint(v);
    append(centers, vec4(vec3(smoothed.centers[point]), 0.0f));
    const auto all = smoothed.influences.of(point);
    for (std::size_t g = 0; g < groups; ++g) {
      const std::size_t first = std::min(4 * g, all.size());
      appendMoments(all.subspan(first, std::min<std::size_t>(4, all.size() - first)),
                    std::span(texels).subspan(kMomentTexels * g, kMomentTexels));
    }
  }
  binding.attributes.push_back(std::move(centers));
  std::ranges::move(texels, std::back_inserter(binding.attributes));
  return binding;
}

bool pack(const Rig& rig, const Binding& binding, std::span<const mat4> modelFromNode,
          std::span<vec4> rows) {
  const auto write = [](std::size_t, const mat4& modelFromBind, const TwoPhases&,
                        std::span<vec4> entry) {
    const mat4 transposed = glm::transpose(modelFromBind);
    for (int r = 0; r < 3; ++r)
      entry[static_cast<std::size_t>(r)] = transposed[r];
  };
  return packTwoPhases(rig, binding, modelFromNode, rows, kStretchRow, write);
}

// Where the surroundings of the vertex go: Q - q p^T, and q, about the smoothed position.
struct Surroundings {
  dmat3 spread{0.0};
  dvec3 center{0.0};
  double terms = 0.0; // the sizes of the numbers that spread adds up, at most
};

double computeNorm(const dmat3& m) {
  return std::sqrt(glm::dot(m[0], m[0]) + glm::dot(m[1], m[1]) + glm::dot(m[2], m[2]));
}

// With these rows, in place of columns.
dmat3 makeLinearPart(const vec4& x, const vec4& y, const vec4& z) {
  return {dvec3(vec3(x)), dvec3(vec3(y)), dvec3(vec3(z))};
}

dmat3 cofactors(const dmat3& m) {
  return {glm::cross(m[1], m[2]), glm::cross(m[2], m[0]), glm::cross(m[0], m[1])};
}

class SmoothedVertices {
 public:
  SmoothedVertices(const Binding& binding, const Palette& palette)
      : binding_(binding), palette_(palette), centers_(findAttribute(binding, "smoothedPosition")) {
    const std::size_t groups = (binding.variant.influences + 3) / 4;
    for (std::size_t g = 0; g < groups; ++g)
      for (std::size_t t = 0; t < kMomentTexels; ++t)
        texels_.push_back(&findAttribute(binding, momentName(g, t)));
  }

  vec3 center(std::size_t v) const { return vec3(readFloat(centers_, v)); }

  Surroundings posed(std::size_t v) const {
    const VertexBones bones = readBones(binding_, v);
    const dvec3 p(center(v));
    Surroundings out;
    dvec3 firstMoved(0.0); // the heaviest bone's: differences from it are small
    for (std::size_t i = 0; i < binding_.variant.influences; ++i) {
      const vec4* rows = palette_.rows.data() + std::size_t{kRows} * bones.joints[i];
      dmat3 linear;
      dvec3 moved;
      for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c)
          linear[c][r] = static_cast<double>(rows[r][c]);
        moved[r] = static_cast<double>(rows[r].w) + linear[0][r] * p.x + linear[1][r] * p.y +
                   linear[2][r] * p.z;
      }
      if (i == 0) firstMoved = moved;
      const std::size_t group = i / 4;
      const std::size_t at = i % 4;
      const vec4 a = texel(v, group, 2 * at);
      const vec4 b = texel(v, group, 2 * at + 1);
      const double yz = static_cast<double>(texel(v, group, 8)[static_cast<int>(at)]);
      const dvec3 first{vec3(a)};
      const dmat3 second(a.w, b.z, b.w, b.z, b.x, yz, b.w, yz, b.y);
      const dvec3 off = moved - firstMoved;
      out.spread += linear * second + glm::outerProduct(off, first);
      out.terms += computeNorm(linear) * computeNorm(second) +
                   (glm::length(moved) + glm::length(firstMoved)) * glm::length(first);
      out.center += linear * first + static_cast<double>(bones.weights[i]) * off;
    }
    out.center += firstMoved;
    return out;
  }

  MatrixRows stretch(std::size_t v) const {
    return blendRows(binding_, palette_, readBones(binding_, v), kStretchRow);
  }

  // The sizes of the matrices that it adds up.
  double stretchTerms(std::size_t v) const {
    const VertexBones bones = readBones(binding_, v);
    double sum = 0.0;
    for (std::size_t i = 0; i < binding_.variant.influences; ++i) {
      const vec4* rows = palette_.rows.data() + std::size_t{kRows} * bones.joints[i] + kStretchRow;
      sum += static_cast<double>(bones.weights[i]) *
             computeNorm(makeLinearPart(rows[0], rows[1], rows[2]));
    }
    return sum;
  }

 private:
  vec4 texel(std::size_t v, std::size_t group, std::size_t t) const {
    return readFloat(*texels_[kMomentTexels * group + t], v);
  }

  const Binding& binding_;
  const Palette& palette_;
  const Attribute& centers_;
  std::vector<const Attribute*> texels_;
};

void skin(const BindVertices& vertices, const Binding& binding, const Palette& palette,
          SkinnedMesh& out) {
  out.positions.resize(binding.vertexCount);
  out.normals.resize(binding.vertexCount);
  const SmoothedVertices smoothed(binding, palette);
  for (std::size_t v = 0; v < binding.vertexCount; ++v) {
    const Surroundings posed = smoothed.posed(v);
    const dmat3 rotation = nearestRotation(posed.spread);
    vec3 position = vertices.positions[v];
    vec3 normal = vertices.normals[v];
    vec3 center = smoothed.center(v);
    if (palette.nonUniformScale) {
      const MatrixRows stretch = smoothed.stretch(v);
      position = transformPoint(stretch, position);
      center = transformPoint(stretch, center);
      normal = transformNormal(stretch, normal, true);
    }
    out.positions[v] = vec3(posed.center + rotation * dvec3(position - center));
    out.normals[v] = vec3(rotation * dvec3(normal));
  }
}

std::vector<vec4> skinTangents(const BindVertices& vertices, const Binding& binding,
                               const Palette& palette) {
  const SmoothedVertices smoothed(binding, palette);
  return transformTangents(vertices, [&](std::size_t v, const vec3& tangent) {
    vec4 moved(tangent, 1.0f);
    if (palette.nonUniformScale) moved = transformTangent(smoothed.stretch(v), tangent);
    const dmat3 rotation = nearestRotation(smoothed.posed(v).spread);
    return vec4(vec3(rotation * dvec3(vec3(moved))), moved.w);
  });
}

// Where two rotations are about as near: the two smaller singular values of the spread, the last
// with the sign of its determinant, nearly cancel. Their sum is the least eigenvalue of
// trace(S) I - S, S the stretch; rounding of the spread, over it, is that of the rotation.
std::vector<bool> ambiguous(const Binding& binding, const Palette& palette, double least) {
  const SmoothedVertices smoothed(binding, palette);
  std::vector<bool> out(binding.vertexCount, false);
  for (std::size_t v = 0; v < binding.vertexCount; ++v) {
    const Surroundings posed = smoothed.posed(v);
    const dmat3 stretch = glm::transpose(nearestRotation(posed.spread)) * posed.spread;
    dmat3 sums = -stretch;
    for (int i = 0; i < 3; ++i)
      sums[i][i] += stretch[0][0] + stretch[1][1] + stretch[2][2];
    const double sum = glm::determinant(sums) / computeNorm(cofactors(sums));
    out[v] = !(sum > least * posed.terms);
  }
  return out;
}

// Whether so little is left of a normal by the stretch, beside what that adds up, that single
// precision rounds it by 1e-5.
bool nearlyFlattens(const MatrixRows& stretch, double terms, const vec3& normal) {
  constexpr double kLeast = 1e-2;
  const dmat3 rows = makeLinearPart(stretch.x, stretch.y, stretch.z);
  const dvec3 n(normal);
  const dvec3 left = glm::transpose(cofactors(rows)) * n;
  return glm::length(left) < kLeast * glm::length(n) * terms * computeNorm(rows);
}

std::vector<bool> unstableNormals(const BindVertices& vertices, const Binding& binding,
                                  const Palette& palette) {
  std::vector<bool> out = ambiguous(binding, palette, 5e-3);
  if (!palette.nonUniformScale) return out;
  const SmoothedVertices smoothed(binding, palette);
  for (std::size_t v = 0; v < binding.vertexCount; ++v)
    out[v] = out[v] ||
             nearlyFlattens(smoothed.stretch(v), smoothed.stretchTerms(v), vertices.normals[v]);
  return out;
}

// The detail that is turned is several times smaller than the model.
std::vector<bool> unstablePositions(const BindVertices& /*vertices*/, const Binding& binding,
                                    const Palette& palette) {
  return ambiguous(binding, palette, 2e-3);
}

} // namespace

std::string momentName(std::size_t group, std::size_t texel) {
  static constexpr std::string_view kLetters = "ABCDEFGHI";
  return std::string("moment") + kLetters[texel] + std::to_string(group);
}

Method ddmMethod() {
  return {.name = "ddm",
          .title = "Direct delta mush",
          .shortTitle = "Delta mush",
          .paper = "Direct delta mush skinning and variants (Le and Lewis 2019)",
          .summary = "Smooths what any weights make, also one joint a vertex, and keeps the "
                     "details; soft at the joints, at several times the cost.",
          .formula = "v' = R (v - p_i) + q",
          .symbols = "p_i: the vertex's smoothed place. q: where the smoothed surface "
                     "moves it. R: the rotation nearest to the motion around it.",
          .parameters = kParameters,
          .shaders = kShaders,
          .needsAllVertices = true,
          .bind = bind,
          .pack = pack,
          .skin = skin,
          .kernel = SkinKernel::smoothed,
          .tangentShaders = kTangentShaders,
          .skinTangents = skinTangents,
          .unstableNormals = unstableNormals,
          .unstablePositions = unstablePositions};
}

} // namespace sinew
