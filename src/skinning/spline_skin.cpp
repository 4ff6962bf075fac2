#include "skinning/spline_skin.h"

#include "skinning/bone_palette.h"
#include "skinning/spline_bind.h"
#include "skinning/spline_palette.h"
#include "skinning/tangents.h"
#include "skinning/twist_ranges.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

const vec4* getRows(const Binding& binding, const Palette& palette, std::uint32_t entry) {
  return palette.rows.data() + std::size_t{binding.rowsPerEntry} * entry;
}

// A vertex in the coordinates of each of its splines, wherever they are stored.
class SplineVertices {
 public:
  SplineVertices(const Curve& curve, const BindVertices& bind, const Binding& binding,
                 const Palette& palette)
      : curve_(curve), bind_(bind), binding_(binding), palette_(palette), variant_(binding.variant),
        entries_(findAttribute(binding, "joints0")), twists_(binding) {
    if (variant_.splineTransform) return;
    for (std::size_t i = 0; i < count(); ++i) {
      coordinates_[i] = &findAttribute(binding, "spline" + std::to_string(i));
      if (variant_.normals == NormalMode::cheap)
        normals_[i] = &findAttribute(binding, "splineNormal" + std::to_string(i));
    }
  }

  std::size_t count() const { return variant_.attachments; }
  const vec4* rows(std::size_t vertex, std::size_t i) const {
    return getRows(binding_, palette_, readUint(entries_, vertex)[static_cast<int>(i)]);
  }

  SplineVertex at(std::size_t vertex, std::size_t i) const {
    SplineVertex out = stored(vertex, i);
    twists_.forEach(vertex, [&](std::uint32_t joint, float share) {
      out.twist += share * getRows(binding_, palette_, joint)[variant_.twistRow].w;
    });
    return out;
  }

 private:
  SplineVertex stored(std::size_t vertex, std::size_t i) const {
    if (variant_.splineTransform) return transformed(vertex, rows(vertex, i));
    const vec4 c = readFloat(*coordinates_[i], vertex);
    SplineVertex out{c.x, vec3(c.y, c.z, c.w), vec3(0.0f)};
    if (normals_[i] == nullptr) return out;
    out.normal = vec3(readFloat(*normals_[i], vertex));
    if (const float squared = glm::dot(out.normal, out.normal);
        variant_.splineTexture && squared > 0.0f)
      out.normal /= std::sqrt(squared);
    return out;
  }

  // By the matrix from bind space into the straight spline's, and its length up to x inverted.
  SplineVertex transformed(std::size_t vertex, const vec4* rows) const {
    const MatrixRows splineFromBind{rows[kSplineRows], rows[kSplineRows + 1],
                                    rows[kSplineRows + 2]};
    const float a = rows[4].w;
    const float b = rows[3].w;
    SplineVertex out;
    out.offset = transformPoint(splineFromBind, bind_.positions[vertex]);
    const float s = out.offset.x;
    out.x = s <= 0.0f ? 0.0f : s >= a + b ? curve_.end : curve_.fromDistance(a, b, s);
    const CurvePoint at = curve_.at(out.x);
    out.offset.x -= a * at.along12 + b * at.along23;
    const vec3& n = bind_.normals[vertex];
    out.normal = {glm::dot(vec3(splineFromBind.x), n), glm::dot(vec3(splineFromBind.y), n),
                  glm::dot(vec3(splineFromBind.z), n)};
    return out;
  }

  const Curve& curve_;
  const BindVertices& bind_;
  const Binding& binding_;
  const Palette& palette_;
  const Variant& variant_;
  const Attribute& entries_;
  VertexTwists twists_;
  std::array<const Attribute*, 3> coordinates_{};
  std::array<const Attribute*, 3> normals_{};
};

vec3 weightsAt(const Binding& binding, std::size_t vertex) {
  if (binding.variant.attachments == 1) return {1, 0, 0};
  return vec3(readFloat(findAttribute(binding, "weights0"), vertex));
}

using Combine = vec3 (*)(std::span<const vec3>, const vec3&);

Combine chooseCombine(const Variant& variant) {
  if (variant.plainMixing) return combinePlainly;
  return variant.vectorized ? combineFromMiddle : combineFromFirst;
}

std::array<AttachmentMotion, 3> computeMotions(const Curve& curve, const BindVertices& bind,
                                               const Variant& variant, bool stretched,
                                               const SplineVertices& vertices, std::size_t v) {
  std::array<AttachmentMotion, 3> out;
  const SurfaceTangents tangents = surfaceTangents(bind.normals[v]);
  for (std::size_t i = 0; i < vertices.count(); ++i)
    out[i] =
        motionByCurve(curve, vertices.rows(v, i), variant, stretched, vertices.at(v, i), tangents);
  return out;
}

} // namespace

std::vector<SurfaceMotion> surfaceBySplines(const Curve& curve, const BindVertices& bind,
                                            const Binding& binding, const Palette& palette,
                                            std::span<const float> shares) {
  const SplineVertices vertices(curve, bind, binding, palette);
  const ExactNormals normals(binding);
  const Combine combine = chooseCombine(binding.variant);
  std::vector<SurfaceMotion> out;
  std::array<vec3, 3> positions;
  for (std::size_t v = 0; v < binding.vertexCount; ++v) {
    const vec3 weights = weightsAt(binding, v);
    const auto all =
        computeMotions(curve, bind, binding.variant, palette.nonUniformScale, vertices, v);
    const auto motions = std::span(all).first(vertices.count());
    for (std::size_t i = 0; i < motions.size(); ++i)
      positions[i] = motions[i].position;
    out.push_back(normals.surface(v, motions, weights, shares.empty() ? 1.0f : shares[v]));
    out.back().position = combine(std::span(positions).first(motions.size()), weights);
  }
  return out;
}

void skinBySplines(const Curve& curve, const BindVertices& bind, const Binding& binding,
                   const Palette& palette, SkinnedMesh& out) {
  if (binding.variant.normals == NormalMode::exact)
    return takePositionsAndNormals(surfaceBySplines(curve, bind, binding, palette), out);
  out.positions.resize(binding.vertexCount);
  out.normals.resize(binding.vertexCount);
  const SplineVertices vertices(curve, bind, binding, palette);
  const std::size_t splines = vertices.count();
  const Combine combine = chooseCombine(binding.variant);
  std::array<vec3, 3> positions;
  std::array<vec3, 3> normals;
  for (std::size_t v = 0; v < binding.vertexCount; ++v) {
    const vec3 weights = weightsAt(binding, v);
    for (std::size_t i = 0; i < splines; ++i) {
      const DeformedVertex moved = deformByCurve(curve, vertices.rows(v, i), binding.variant,
                                                 palette.nonUniformScale, vertices.at(v, i));
      positions[i] = moved.position;
      normals[i] = moved.normal;
    }
    out.positions[v] = combine(std::span(positions).first(splines), weights);
    out.normals[v] = binding.variant.hasNormals()
                         ? combineNormals(std::span(normals).first(splines), weights)
                         : vec3(0.0f);
  }
}

std::vector<vec4> skinTangentsBySplines(const Curve& curve, const BindVertices& bind,
                                        const Binding& binding, const Palette& palette) {
  const SplineVertices vertices(curve, bind, binding, palette);
  const Variant& variant = binding.variant;
  const bool byAngle = !variant.splineTransform && variant.normals != NormalMode::exact;
  const Attribute* angles = byAngle ? &findAttribute(binding, "splineTangent") : nullptr;
  // In the frame of the bind spline, or of bind space with exact normals.
  const auto bindTangent = [&](std::size_t v, std::size_t i, const vec3& tangent) {
    if (variant.normals == NormalMode::exact) return tangent;
    if (byAngle)
      return directionAt(vertices.at(v, i).normal, readFloat(*angles, v)[static_cast<int>(i)]);
    const vec4* from = vertices.rows(v, i) + kSplineRows;
    return vec3(glm::dot(vec3(from[0]), tangent), glm::dot(vec3(from[1]), tangent),
                glm::dot(vec3(from[2]), tangent));
  };
  return transformTangents(bind, [&](std::size_t v, const vec3& tangent) {
    std::array<vec4, 3> by;
    for (std::size_t i = 0; i < vertices.count(); ++i)
      by[i] = tangentByCurve(curve, vertices.rows(v, i), variant, palette.nonUniformScale,
                             vertices.at(v, i), bindTangent(v, i, tangent));
    return meanTangent(std::span(by).first(vertices.count()), weightsAt(binding, v));
  });
}

std::vector<bool> foldedVertices(const Curve& curve, const BindVertices& bind,
                                 const Binding& binding, const Palette& palette) {
  const SplineVertices vertices(curve, bind, binding, palette);
  std::vector<bool> folded(binding.vertexCount, false);
  for (std::size_t v = 0; v < binding.vertexCount; ++v)
    for (std::size_t i = 0; i < vertices.count(); ++i) {
      const vec4* rows = vertices.rows(v, i);
      const CurvePoint at = curve.at(vertices.at(v, i).x);
      const vec3 one = at.slope12 * vec3(rows[1]);
      const vec3 other = at.slope23 * vec3(rows[2]);
      if (glm::length(one + other) < 0.05f * (glm::length(one) + glm::length(other)))
        folded[v] = true;
    }
  if (binding.variant.normals != NormalMode::exact) return folded;
  const std::vector<SurfaceMotion> motions = surfaceBySplines(curve, bind, binding, palette);
  for (std::size_t v = 0; v < motions.size(); ++v)
    if (motions[v].unstable()) folded[v] = true;
  return folded;
}

} // namespace sinew
