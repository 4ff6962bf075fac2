#include "skinning/bone_palette.h"

#include <cstddef>

// Compiled once for each kind of vector instructions, as cpu_skin/skin_kernels.cpp is.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "skinning/lane_palette.cpp"
// clang-format off
#include "core/vector_targets.h"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include "animation/lane_math-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace sinew::HWY_NAMESPACE {
namespace {

HWY_INLINE LaneVector columnsDot(const AffineVectors& m, int a, int b) {
  const LaneVector* e = m.entries;
  return sum3(e[a], e[b], e[4 + a], e[4 + b], e[8 + a], e[8 + b]);
}

// As columnsScaleUniformly() in bone_palette.cpp, for all lanes.
HWY_INLINE bool allScaleUniformly(const AffineVectors& m) {
  const LaneVector xx = columnsDot(m, 0, 0);
  const LaneVector yy = columnsDot(m, 1, 1);
  const LaneVector zz = columnsDot(m, 2, 2);
  const LaneVector tolerance = times(allLanes(2.0f * kRigidSlope), hn::Max(hn::Max(xx, yy), zz));
  LaneVector off = hn::Max(hn::Abs(minus(xx, yy)), hn::Abs(minus(yy, zz)));
  off = hn::Max(off, hn::Abs(columnsDot(m, 0, 1)));
  off = hn::Max(off, hn::Abs(columnsDot(m, 1, 2)));
  off = hn::Max(off, hn::Abs(columnsDot(m, 2, 0)));
  return hn::AllTrue(LaneTag(), hn::Le(off, tolerance));
}

bool packLanes(const Rig& rig, const PoseLanes& pose, bool mayScaleUnevenly,
               std::span<const std::span<vec4>, kLanes> rows) {
  bool nonUniformScale = false;
  std::array<vec4*, kLanes> of{};
  for (std::size_t l = 0; l < kLanes; ++l)
    of[l] = rows[l].data();
  for (std::size_t j = 0; j < rig.joints.size(); ++j)
    for (std::size_t first = 0; first < kLanes; first += hn::Lanes(LaneTag())) {
      const RigJoint& joint = rig.joints[j];
      const AffineVectors m =
          affineProduct(pose.modelFromNode[joint.node], first, joint.jointFromBind);
      if (mayScaleUnevenly && !nonUniformScale) nonUniformScale = !allScaleUniformly(m);
      for (std::size_t r = 0; r < 3; ++r) {
        const LaneVector* row = m.entries + 4 * r;
        storeFours({row[0], row[1], row[2], row[3]}, first,
                   [&](std::size_t l) HWY_ATTR { return &of[l][3 * j + r].x; });
      }
    }
  return nonUniformScale;
}

} // namespace
} // namespace sinew::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew {
namespace {
HWY_EXPORT(packLanes);
} // namespace

bool packBoneLanes(const Rig& rig, const PoseLanes& pose, bool mayScaleUnevenly,
                   std::span<const std::span<vec4>, kLanes> rows) {
  return HWY_DYNAMIC_DISPATCH(packLanes)(rig, pose, mayScaleUnevenly, rows);
}

} // namespace sinew
#endif
