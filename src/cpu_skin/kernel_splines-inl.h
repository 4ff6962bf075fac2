// Arc-splines and Bezier splines of joints, and free ones.
#if defined(SINEW_KERNEL_SPLINES) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_KERNEL_SPLINES
#undef SINEW_KERNEL_SPLINES
#else
#define SINEW_KERNEL_SPLINES
#endif

#include "cpu_skin/kernel_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::HWY_NAMESPACE {
namespace {

// As CurvePoint of skinning/spline.h.
struct OnCurve {
  V along12, along23, slope12, slope23, fraction;
};

struct Arc {
  static HWY_INLINE OnCurve at(V x) {
    const V sine = sineOfQuarter(x);
    const V cosine = cosineOfQuarter(x);
    return {sine, hn::Sub(all(1.0f), cosine), cosine, sine, hn::Mul(x, all(1.0f / kHalfPi))};
  }
};

struct Bezier {
  static HWY_INLINE OnCurve at(V x) {
    return {hn::Mul(x, hn::Sub(all(2.0f), x)), hn::Mul(x, x), hn::Sub(all(1.0f), x), x, x};
  }
};

template <class Curve, bool stretched>
struct Splines {
  // The spline's stretch at a fraction of the motion (spline_deform.cpp).
  template <class Rows>
  static HWY_INLINE M stretchAt(const Rows& rows, V fraction, bool freeSpline) {
    using namespace spline_row;
    const V4 near = rows.four(kNear), nearEnd = rows.four(kNear + 2);
    const V4 change = rows.four(kChange), changeEnd = rows.four(kChange + 2);
    const V s[6] = {
        hn::MulAdd(fraction, change.x, near.x),       hn::MulAdd(fraction, change.y, near.y),
        hn::MulAdd(fraction, change.z, near.z),       hn::MulAdd(fraction, change.w, near.w),
        hn::MulAdd(fraction, changeEnd.z, nearEnd.z), hn::MulAdd(fraction, changeEnd.w, nearEnd.w)};
    const V zero = all(0.0f);
    const V mirrored = all(freeSpline ? 0.0f : 1.0f);
    return {s[0],
            s[3],
            s[5],
            zero,
            hn::Mul(mirrored, s[3]),
            s[1],
            s[4],
            zero,
            hn::Mul(mirrored, s[5]),
            hn::Mul(mirrored, s[4]),
            s[2],
            zero};
  }

  template <class Rows>
  static HWY_INLINE void stretchOffset(const Rows& rows, const M& stretch, const OnCurve& on,
                                       bool freeSpline, V3& offset) {
    using namespace spline_row;
    if (freeSpline) {
      offset = transformPoint(stretch, offset);
      return;
    }
    const V a = rows.one(kA);
    const V b = rows.one(kB);
    const V near = rows.one(kNear);
    const V posedA = hn::Mul(a, hn::Abs(near));
    const V posedB = hn::Mul(b, hn::Abs(hn::Add(near, rows.one(kChange))));
    const V fromCenter = hn::MulAdd(on.along12, a, hn::MulSub(on.along23, b, a));
    offset.x = hn::Add(offset.x, fromCenter);
    offset = transformPoint(stretch, offset);
    const V posed = hn::MulAdd(on.along12, posedA, hn::Mul(on.along23, posedB));
    offset.x = hn::Add(offset.x, hn::Sub(posedA, posed));
  }

  // A vector in the curve's frame, its part across rotated, as multiples of D12, D23, N x D12,
  // N x D23 and N.
  struct Parts {
    V d12, d23, across12, across23, n;
  };
  static HWY_INLINE Parts computeParts(const V3& v, V sine, V cosine, V t12, V t23) {
    const V b = hn::MulSub(cosine, v.y, hn::Mul(sine, v.z));
    const V n = hn::MulAdd(sine, v.y, hn::Mul(cosine, v.z));
    return {hn::Mul(t12, v.x), hn::Mul(t23, v.x), hn::Mul(t12, b), hn::Mul(t23, b), n};
  }
  // Whether any lane's spline does.
  static HWY_INLINE bool twists(const SharedRows& rows, V /*twist*/) {
    return rows.rows[spline_row::kTwist] != 0.0f;
  }
  static HWY_INLINE bool twists(const LaneRows& /*rows*/, V twist) {
    return !hn::AllTrue(Tag(), hn::Eq(twist, all(0.0f)));
  }

  struct Axes {
    V3 d12, d23, across12, across23, n;
  };
  static HWY_INLINE V3 addParts(V weight, const Parts& parts, const Axes& axes, const V3& sum) {
    V3 out = addScaled(hn::Mul(weight, parts.d12), axes.d12, sum);
    out = addScaled(hn::Mul(weight, parts.d23), axes.d23, out);
    out = addScaled(hn::Mul(weight, parts.across12), axes.across12, out);
    out = addScaled(hn::Mul(weight, parts.across23), axes.across23, out);
    return addScaled(hn::Mul(weight, parts.n), axes.n, out);
  }

  template <class View>
  static HWY_INLINE void addSpline(const View& view, std::size_t place, std::size_t lane,
                                   Posed& out) {
    using namespace spline_row;
    const Tag d;
    const auto rows = view.rows(place, lane);
    const V4 startAndScale = rows.four(kStart);
    const V4 d12AndSine = rows.four(kD12);
    const V4 d23AndCosine = rows.four(kD23);
    const V4 nAndTwist = rows.four(kN);
    Axes axes{xyz(d12AndSine), xyz(d23AndCosine), {}, {}, xyz(nAndTwist)};
    if constexpr (View::kShared) {
      axes.across12 = rows.three(kAcross12);
      axes.across23 = rows.three(kAcross23);
    } else { // made faster than read
      axes.across12 = cross(axes.n, axes.d12);
      axes.across23 = cross(axes.n, axes.d23);
    }
    const BlockLanes* values = view.values + 7 * place;
    const V weight = loadWeights(view.weights[place], lane);
    const OnCurve on = Curve::at(hn::Load(d, values[0].at.data() + lane));
    V3 offset = load3(values + 1, lane);
    V3 normal = load3(values + 4, lane);
    if constexpr (stretched) {
      const M stretch = stretchAt(rows, on.fraction, view.blocks.freeSplines);
      stretchOffset(rows, stretch, on, view.blocks.freeSplines, offset);
      normal = transformNormal<true>(stretch, normal);
    } else {
      offset = scaled(startAndScale.w, offset);
    }
    V sine = d12AndSine.w;
    V cosine = d23AndCosine.w;
    if (view.twists != nullptr || twists(rows, nAndTwist.w)) {
      V angle = hn::MulAdd(on.fraction, nAndTwist.w, rows.one(kRoll));
      for (std::size_t i = 0; view.twists != nullptr && i < view.twists->count; ++i)
        angle = hn::Add(angle, addedTwist(view, i, lane));
      sineAndCosine(angle, sine, cosine);
    }
    const V3 direction = addScaled(on.slope23, axes.d23, scaled(on.slope12, axes.d12));
    const V inverse = inverseLength(dot(direction, direction), all(kLeastSquare));
    const V t12 = hn::Mul(inverse, on.slope12);
    const V t23 = hn::Mul(inverse, on.slope23);
    Parts at = computeParts(offset, sine, cosine, t12, t23);
    at.d12 = hn::Add(at.d12, on.along12);
    at.d23 = hn::Add(at.d23, on.along23);
    out.position = addScaled(weight, xyz(startAndScale), addParts(weight, at, axes, out.position));
    if (view.tables.shifts)
      out.position = addScaled(hn::Mul(weight, on.fraction), rows.three(kShift), out.position);
    out.normal = addParts(weight, computeParts(normal, sine, cosine, t12, t23), axes, out.normal);
  }

  template <class View>
  static HWY_INLINE void skin(const View& view, std::size_t lane, Posed& out) {
    out = {zero3(), zero3()};
    for (std::size_t i = 0; i < view.count; ++i)
      addSpline(view, i, lane, out);
    if (!view.blocks.oneAttachment) out.normal = normalized(out.normal, all(kLeastSquare));
  }
};

} // namespace
} // namespace sinew::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
