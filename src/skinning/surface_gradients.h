// For exact normals: how weights and parameters of a vertex's attachments change over the bind
// surface (docs/methods.md, section 8).
//
// A mesh has weights at its vertices only. Between two of them, along an edge, bone and spline
// weights change evenly; what follows from them at the vertex, the change of each attachment's
// weight W and of W times its parameter, is a number for every edge. Its gradient is the linear
// function on the vertex's tangent plane that fits all edges best, by least squares, in which an
// edge counts by its direction alone and is laid into the plane with its length.
#pragma once

#include "rig/joint_weights.h"
#include "rig/rig.h"

#include <functional>
#include <vector>

namespace sinew {

// Two directions across a unit normal, at right angles and of equal length, with u x v along the
// normal; the shader has the same. Zero for a zero normal.
struct SurfaceTangents {
  vec3 u, v;
};
SurfaceTangents surfaceTangents(const vec3& normal);

// Derivatives along u and v of an attachment's weight, and its weight times the derivatives of its
// parameter.
struct AttachmentGradient {
  vec2 weight{0.0f};
  vec2 parameter{0.0f};
};

// An attachment at the start of an edge in the limit, and how far it grows along all of it.
struct EdgeRate {
  std::uint32_t entry = 0; // joint or spline
  double weight = 0.0, weightGrowth = 0.0;
  float blendFactor = 0.0f;
  double blendGrowth = 0.0; // weight times the growth of the blend factor
};
using EdgeRates = std::function<std::vector<EdgeRate>(std::uint32_t from, std::uint32_t to)>;

EdgeRates jointEdgeRates(const Rig& rig);
// Rates of bones or free splines: no blend factors.
EdgeRates influenceEdgeRates(const Influences& influences);

// The share that one method of a mixture has of the surface.
struct SurfaceShare {
  struct Rate {
    double share = 1.0, growth = 0.0; // as in EdgeRate
  };
  std::function<Rate(std::uint32_t from, std::uint32_t to)> along;
  std::vector<float> atVertices;
};

// One gradient per attachment. A vertex with fewer attachments than `limit` gets those of its
// neighbours' that begin to matter along an edge, with weight 0 and their blend factor there.
// share: null, or the gradients are those of the share times the weight, and the share times the
// weight times the parameter's.
std::vector<AttachmentGradient> attachmentGradients(const Rig& rig, const EdgeRates& rates,
                                                    std::size_t limit, const SurfaceShare* share,
                                                    JointAttachments& attachments);

// Drops attachments that neither have weight nor get any: so the used ones of a vertex come first.
void dropIdle(JointAttachments& attachments, std::vector<AttachmentGradient>& gradients);

} // namespace sinew
