#include "skinning/spline_morph.h"

#include "skinning/exact_normals.h"
#include "skinning/free_spline.h"
#include "skinning/spline_palette.h"

namespace sinew {
namespace {

// The frames of the bind pose: a joint's spline is straight and has one; a free one turns along it.
class BindFrames {
 public:
  BindFrames(const Curve& curve, const Rig& rig, const Binding& bound)
      : curve_(curve), bound_(bound) {
    if (bound.variant.freeSplines)
      for (const RigSpline& spline : rig.splines)
        shapes_.push_back(shapeOf(spline.points));
  }

  mat3 at(std::uint32_t entry, float x) const {
    if (bound_.variant.freeSplines) return mat3(frameAt(curve_, shapes_[entry], x));
    return splineOf(bound_, entry).frame;
  }

 private:
  const Curve& curve_;
  const Binding& bound_;
  std::vector<FreeShape> shapes_;
};

} // namespace

void morphSplines(const Curve& curve, const Rig& rig, const Binding& bound,
                  const MorphedVertices& morphed, Binding& out) {
  morphGradients(rig, bound, morphed, out);
  if (bound.variant.splineTransform) return;
  const BindFrames frames(curve, rig, bound);
  const Attribute& entries = findAttribute(bound, "joints0");
  for (std::uint32_t i = 0; i < bound.variant.attachments; ++i) {
    const std::string name = "spline" + std::to_string(i);
    const Attribute& coordinates = findAttribute(bound, name);
    Attribute& moved = findAttribute(out, name);
    Attribute* normals = bound.variant.normals == NormalMode::cheap
                             ? &findAttribute(out, "splineNormal" + std::to_string(i))
                             : nullptr;
    for (const std::uint32_t v : morphed.vertices) {
      const vec4 c = readFloat(coordinates, v); // x, offset
      const mat3 frame = frames.at(readUint(entries, v)[static_cast<int>(i)], c.x);
      const vec3 offset = (morphed.positions[v] - rig.positions[v]) * frame;
      write(moved, v, c + vec4(0.0f, offset.x, offset.y, offset.z));
      if (normals != nullptr) write(*normals, v, vec4(morphed.normals[v] * frame, 0.0f));
    }
  }
}

} // namespace sinew
