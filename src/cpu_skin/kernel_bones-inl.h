// Matrices and quaternions of bones: rigid, lbs, dqs and cor.
#if defined(SINEW_KERNEL_BONES) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_KERNEL_BONES
#undef SINEW_KERNEL_BONES
#else
#define SINEW_KERNEL_BONES
#endif

#include "cpu_skin/kernel_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::HWY_NAMESPACE {
namespace {

// The weighted mean of matrices, `first` numbers into the rows of each entry.
template <class View>
HWY_INLINE M blendMatrices(const View& view, std::size_t lane, std::size_t first) {
  M sum = scaledMatrix(loadWeights(view.weights[0], lane), matrixAt(view.rows(0, lane), first));
  for (std::size_t i = 1; i < view.count; ++i)
    addMatrix(loadWeights(view.weights[i], lane), matrixAt(view.rows(i, lane), first), sum);
  return sum;
}

template <bool stretched>
struct Matrices {
  template <class View>
  static HWY_INLINE void skin(const View& view, std::size_t lane, Posed& out) {
    const M m = blendMatrices(view, lane, 0);
    out.position = transformPoint(m, load3(view.values, lane));
    out.normal = transformNormal<stretched>(m, load3(view.values + 3, lane));
  }
};

struct Quaternions {
  V3 v;
  V w;
};

HWY_INLINE void addQuaternion(V s, const V4& q, Quaternions& sum) {
  sum.v = addScaled(s, xyz(q), sum.v);
  sum.w = hn::MulAdd(s, q.w, sum.w);
}

// The sign that an entry takes beside the heaviest of each lane.
HWY_INLINE V signsByPivot(const SharedView& view, std::size_t place, std::size_t lane) {
  const float* signs = view.tables.signs.data() + view.list.firstPair;
  const Tag d;
  alignas(64) float own[kBlockLanes];
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) {
    const std::size_t pivot = view.blocks.pivots[view.number][lane + i];
    own[i] = signs[pivot * view.list.count + place];
  }
  return hn::Load(d, own);
}

inline constexpr std::size_t kDual = 4; // numbers before the dual part

struct Motion {
  Quaternions real, dual;
};

// Every motion on the side of the lane's heaviest joint; its rotation alone without `dual`. As long
// as it may be: toMatrix() takes any length.
template <bool byPivot, bool dual>
HWY_INLINE Motion blendMotions(const SharedView& view, std::size_t lane) {
  const float* signs = view.tables.signs.data() + view.list.firstPair;
  Motion sum{{zero3(), all(0.0f)}, {zero3(), all(0.0f)}};
  for (std::size_t i = 0; i < view.count; ++i) {
    const SharedRows rows = view.rows(i, lane);
    const V sign = byPivot ? signsByPivot(view, i, lane) : all(signs[i]);
    const V weight = hn::Mul(loadParts(view.weights[i], lane), sign);
    addQuaternion(weight, rows.four(0), sum.real);
    if constexpr (dual) addQuaternion(weight, rows.four(kDual), sum.dual);
  }
  return sum;
}

// A lane's heaviest is its first.
template <bool dual>
HWY_INLINE Motion blendMotions(const LaneView& view, std::size_t lane) {
  Motion sum{{zero3(), all(0.0f)}, {zero3(), all(0.0f)}};
  V4 pivot;
  for (std::size_t i = 0; i < view.count; ++i) {
    const LaneRows rows = view.rows(i, lane);
    const V4 real = rows.four(0);
    V weight = loadParts(view.weights[i], lane);
    if (i == 0) {
      pivot = real;
    } else {
      const V side = hn::MulAdd(pivot.w, real.w, dot(xyz(pivot), xyz(real)));
      weight = hn::IfThenElse(hn::Lt(side, all(0.0f)), hn::Neg(weight), weight);
    }
    addQuaternion(weight, real, sum.real);
    if constexpr (dual) addQuaternion(weight, rows.four(kDual), sum.dual);
  }
  return sum;
}

template <bool dual>
HWY_INLINE Motion blendMotions(const SharedView& view, std::size_t lane) {
  const bool byPivot = view.tables.signsVary[view.block.list] != 0;
  return byPivot ? blendMotions<true, dual>(view, lane) : blendMotions<false, dual>(view, lane);
}

// The rigid motion of a sum of dual quaternions, of any length: 2 dual real* / |real|^2 is its
// translation, in which what `dual` has along `real` falls out.
HWY_INLINE M toMatrix(const Motion& motion) {
  const V3& v = motion.real.v;
  const V w = motion.real.w;
  const V s = hn::Div(all(2.0f), hn::MulAdd(w, w, dot(v, v)));
  const V3 sv = scaled(s, v);
  const V3 wv = scaled(w, sv);
  const V notX = hn::NegMulAdd(sv.x, v.x, all(1.0f));
  const V notZ = hn::NegMulAdd(sv.z, v.z, all(1.0f));
  const V3 moved = addScaled(w, motion.dual.v, cross(v, motion.dual.v));
  const V3 shift = scaled(s, {hn::NegMulAdd(motion.dual.w, v.x, moved.x),
                              hn::NegMulAdd(motion.dual.w, v.y, moved.y),
                              hn::NegMulAdd(motion.dual.w, v.z, moved.z)});
  return {hn::NegMulAdd(sv.y, v.y, notZ), hn::MulSub(sv.x, v.y, wv.z),
          hn::MulAdd(sv.x, v.z, wv.y),    shift.x,
          hn::MulAdd(sv.x, v.y, wv.z),    hn::NegMulAdd(sv.x, v.x, notZ),
          hn::MulSub(sv.y, v.z, wv.x),    shift.y,
          hn::MulSub(sv.x, v.z, wv.y),    hn::MulAdd(sv.y, v.z, wv.x),
          hn::NegMulAdd(sv.y, v.y, notX), shift.z};
}

template <bool stretched>
struct DualQuaternions {
  static constexpr std::size_t kStretch = 8;

  template <class View>
  static HWY_INLINE void skin(const View& view, std::size_t lane, Posed& out) {
    V3 position = load3(view.values, lane);
    V3 normal = load3(view.values + 3, lane);
    if (View::kShared && !stretched && view.count == 1) {
      const float* motion = view.tables.alone.data() + kMatrix * view.block.list;
      out.position = transformPointAll(motion, position);
      out.normal = transformVectorAll(motion, normal);
      return;
    }
    const M m = toMatrix(blendMotions<true>(view, lane));
    if constexpr (stretched) {
      const M stretch = blendMatrices(view, lane, kStretch);
      position = transformPoint(stretch, position);
      normal = transformNormal<true>(stretch, normal);
    }
    out.position = transformPoint(m, position);
    out.normal = transformVector(m, normal);
  }
};

// The vertex rotates about its centre, which linear blending of the rigid motions moves.
template <bool stretched>
struct Centers {
  template <class View>
  static HWY_INLINE void skin(const View& view, std::size_t lane, Posed& out) {
    using namespace center_row;
    V3 position = load3(view.values, lane);
    V3 normal = load3(view.values + 3, lane);
    V3 center = load3(view.values + 6, lane);
    if constexpr (stretched) {
      const M stretch = blendMatrices(view, lane, kStretch);
      center = transformPoint(stretch, center);
      position = transformPoint(stretch, position);
      normal = transformNormal<true>(stretch, normal);
    }
    const M rotation = toMatrix(blendMotions<false>(view, lane));
    const V3 moved = transformPoint(blendMatrices(view, lane, kMotion), center);
    out.position = add(moved, transformVector(rotation, subtract(position, center)));
    out.normal = transformVector(rotation, normal);
  }
};

} // namespace
} // namespace sinew::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
