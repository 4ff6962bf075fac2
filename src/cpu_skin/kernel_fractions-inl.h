// Bones blending: each vertex takes a fraction of its joints' rotations. Stretchable and twistable
// bones: each vertex takes a fraction of their twists.
#if defined(SINEW_KERNEL_FRACTIONS) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_KERNEL_FRACTIONS
#undef SINEW_KERNEL_FRACTIONS
#else
#define SINEW_KERNEL_FRACTIONS
#endif

#include "cpu_skin/kernel_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::HWY_NAMESPACE {
namespace {

inline constexpr std::size_t kFirstFactor = 6; // index into a block's values

HWY_INLINE V loadFactors(const BlockView& view, std::size_t place, std::size_t lane) {
  return hn::Load(Tag(), view.values[kFirstFactor + place].at.data() + lane);
}

// Sine and 1 - cosine of the fraction of a rotation, from half its angle, 0 to pi/2.
HWY_INLINE void computeHalfSines(V factor, V halfAngle, V& sine, V& lessCosine) {
  const V half = hn::Mul(factor, halfAngle);
  const V s = sineOfQuarter(half);
  const V twice = hn::Add(s, s);
  sine = hn::Mul(twice, cosineOfQuarter(half));
  lessCosine = hn::Mul(twice, s);
}

// cos v + sin a x v + (1 - cos) (a . v) a
HWY_INLINE V3 rotateAbout(const V3& axis, V sine, V lessCosine, const V3& v) {
  const V3 along = scaled(hn::Mul(lessCosine, dot(axis, v)), axis);
  return add(addScaled(sine, cross(axis, v), along), addScaled(hn::Neg(lessCosine), v, v));
}

// A vertex of the bind pose, twisted about its bones' lines by what twist ranges add.
HWY_INLINE Posed bindVertex(const BlockView& view, std::size_t lane) {
  Posed out{load3(view.values, lane), load3(view.values + 3, lane)};
  for (std::size_t i = 0; view.twists != nullptr && i < view.twists->count; ++i) {
    const auto vectorAt = [&](std::size_t first) -> V3 {
      return {twistNumbers(view, i, lane, first), twistNumbers(view, i, lane, first + 1),
              twistNumbers(view, i, lane, first + 2)};
    };
    V sine;
    V cosine;
    sineAndCosine(addedTwist(view, i, lane), sine, cosine);
    const V lessCosine = hn::Sub(all(1.0f), cosine);
    const V3 axis = vectorAt(twist_row::kAxis);
    const V3 center = vectorAt(twist_row::kCenter);
    out.position = add(center, rotateAbout(axis, sine, lessCosine, subtract(out.position, center)));
    out.normal = rotateAbout(axis, sine, lessCosine, out.normal);
  }
  return out;
}

// Where joints only rotate, and lanes share them: a sum of matrices (fused_row).
struct FusedFractions {
  static HWY_INLINE void skin(const SharedView& view, std::size_t lane, Posed& out) {
    using namespace fused_row;
    M sum = scaledMatrix(loadWeights(view.weights[0], lane), matrixAt(view.rows(0, lane), kWhole));
    for (std::size_t i = 0; i < view.count; ++i) {
      const V weight = loadWeights(view.weights[i], lane);
      const SharedRows rows = view.rows(i, lane);
      if (i > 0) addMatrix(weight, matrixAt(rows, kWhole), sum);
      if (rows.rows[kHalfAngle] == 0.0f) continue;
      V sine;
      V lessCosine;
      computeHalfSines(loadFactors(view, i, lane), rows.one(kHalfAngle), sine, lessCosine);
      addMatrix(hn::Mul(weight, sine), matrixAt(rows, kSine), sum);
      addMatrix(hn::Mul(weight, lessCosine), matrixAt(rows, kCosine), sum);
    }
    const Posed bind = bindVertex(view, lane);
    out.position = transformPoint(sum, bind.position);
    out.normal = transformNormal<false>(sum, bind.normal);
    if (!view.tables.shifts) return;
    for (std::size_t i = 0; i < view.count; ++i) {
      const V factor = hn::Mul(loadWeights(view.weights[i], lane), loadFactors(view, i, lane));
      out.position = addScaled(factor, view.rows(i, lane).three(kShift), out.position);
    }
  }
};

// Three rows of three.
template <class Rows>
HWY_INLINE V3 rotateBy(const Rows& rows, std::size_t i, const V3& v) {
  return {dot(rows.three(i), v), dot(rows.three(i + 3), v), dot(rows.three(i + 6), v)};
}

// One attachment after another, as the reference.
template <bool stretched>
struct Fractions {
  // 1 + t (S - 1)
  template <class Rows>
  static HWY_INLINE M stretchBy(V t, const Rows& rows) {
    const V4 s = rows.four(fraction_row::kStretch);
    const V3 rest = rows.three(fraction_row::kStretch + 4);
    const V zero = all(0.0f);
    const V one = all(1.0f);
    const V xy = hn::Mul(t, s.w);
    const V yz = hn::Mul(t, rest.x);
    const V xz = hn::Mul(t, rest.y);
    return {hn::MulAdd(t, s.x, one), xy,  xz, zero, xy, hn::MulAdd(t, s.y, one), yz, zero, xz, yz,
            hn::MulAdd(t, s.z, one), zero};
  }

  template <class View>
  static HWY_INLINE void skin(const View& view, std::size_t lane, Posed& out) {
    using namespace fraction_row;
    const auto [position, normal] = bindVertex(view, lane);
    out = {zero3(), zero3()};
    for (std::size_t i = 0; i < view.count; ++i) {
      const auto rows = view.rows(i, lane);
      const V weight = loadWeights(view.weights[i], lane);
      const V t = loadFactors(view, i, lane);
      const V4 axisAndLeast = rows.four(kAxis);
      const V4 centerAndAngle = rows.four(kCenter);
      const V3 axis = xyz(axisAndLeast);
      const V3 center = xyz(centerAndAngle);
      V sine;
      V lessCosine;
      computeHalfSines(t, centerAndAngle.w, sine, lessCosine);
      V3 arm = subtract(position, center);
      V3 own = normal;
      if constexpr (stretched) {
        const M stretch = stretchBy(t, rows);
        arm = transformPoint(stretch, arm);
        own = transformNormal<true>(stretch, own);
      }
      const M parent = matrixAt(rows, kMatrixRows);
      V3 moved = transformPoint(parent, add(center, rotateAbout(axis, sine, lessCosine, arm)));
      if (view.tables.shifts) moved = addScaled(t, rows.three(kShift), moved);
      own = rotateAbout(axis, sine, lessCosine, own);
      own = stretched ? rotateBy(rows, kNormal, own) : transformVector(parent, own);
      out.position = addScaled(weight, moved, out.position);
      out.normal = addScaled(weight, normalized(own, axisAndLeast.w), out.normal);
    }
    out.normal = normalized(out.normal, all(kLeastSquare));
  }
};

// Stretchable and twistable bones where some joint stretches, one after another, as the reference.
struct StretchedBones {
  template <class View>
  static HWY_INLINE void skin(const View& view, std::size_t lane, Posed& out) {
    using namespace bone_row;
    const V3 position = load3(view.values, lane);
    const V3 normal = load3(view.values + 3, lane);
    out = {zero3(), zero3()};
    for (std::size_t i = 0; i < view.count; ++i) {
      const auto rows = view.rows(i, lane);
      const V weight = loadWeights(view.weights[i], lane);
      const V t = loadFactors(view, i, lane);
      const V3 axis = rows.three(kAxis);
      const V4 longerAndAngle = rows.four(kLonger);
      V sine;
      V lessCosine;
      computeHalfSines(t, longerAndAngle.w, sine, lessCosine);
      const M stretch = matrixAt(rows, kStretch);
      const V3 arm = addScaled(hn::Add(t, all(1.0f)), xyz(longerAndAngle),
                               transformPoint(stretch, subtract(position, rows.three(kStart))));
      const V3 moved = rotateBy(rows, kRotation, rotateAbout(axis, sine, lessCosine, arm));
      const V3 own = rotateAbout(axis, sine, lessCosine, transformNormal<true>(stretch, normal));
      out.position = addScaled(weight, add(rows.three(kPosed), moved), out.position);
      out.normal = addScaled(weight, rotateBy(rows, kRotation, own), out.normal);
    }
    out.normal = normalized(out.normal, all(kLeastSquare));
  }
};

} // namespace
} // namespace sinew::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
