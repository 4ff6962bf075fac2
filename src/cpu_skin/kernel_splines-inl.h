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
  static HWY_INLINE M stretchAt(const float* rows, V fraction, bool freeSpline) {
    using namespace spline_row;
    V s[6];
    for (std::size_t i = 0; i < 6; ++i)
      s[i] = hn::MulAdd(fraction, all(rows[kChange + i]), all(rows[kNear + i]));
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

  static HWY_INLINE void stretchOffset(const float* rows, const M& stretch, const OnCurve& on,
                                       bool freeSpline, V3& offset) {
    using namespace spline_row;
    if (freeSpline) {
      offset = transformPoint(stretch, offset);
      return;
    }
    const float a = rows[kA];
    const float b = rows[kB];
    const float posedA = a * std::abs(rows[kNear]);
    const float posedB = b * std::abs(rows[kNear] + rows[kChange]);
    const V fromCenter = hn::MulAdd(on.along12, all(a), hn::MulAdd(on.along23, all(b), all(-a)));
    offset.x = hn::Add(offset.x, fromCenter);
    offset = transformPoint(stretch, offset);
    const V posed = hn::MulAdd(on.along12, all(posedA), hn::Mul(on.along23, all(posedB)));
    offset.x = hn::Add(offset.x, hn::Sub(all(posedA), posed));
  }

  // A vector in the curve's frame, its part across rotated, as multiples of D12, D23, N x D12,
  // N x D23 and N.
  struct Parts {
    V d12, d23, across12, across23, n;
  };
  static HWY_INLINE Parts partsOf(const V3& v, V sine, V cosine, V t12, V t23) {
    const V b = hn::MulSub(cosine, v.y, hn::Mul(sine, v.z));
    const V n = hn::MulAdd(sine, v.y, hn::Mul(cosine, v.z));
    return {hn::Mul(t12, v.x), hn::Mul(t23, v.x), hn::Mul(t12, b), hn::Mul(t23, b), n};
  }
  static HWY_INLINE V3 sumOf(V weight, const Parts& parts, const float* rows, const V3& sum) {
    using namespace spline_row;
    V3 out = addScaledAll(hn::Mul(weight, parts.d12), rows + kD12, sum);
    out = addScaledAll(hn::Mul(weight, parts.d23), rows + kD23, out);
    out = addScaledAll(hn::Mul(weight, parts.across12), rows + kAcross12, out);
    out = addScaledAll(hn::Mul(weight, parts.across23), rows + kAcross23, out);
    return addScaledAll(hn::Mul(weight, parts.n), rows + kN, out);
  }

  static HWY_INLINE void addSpline(const BlockView& view, std::size_t place, std::size_t lane,
                                   Posed& out) {
    using namespace spline_row;
    const Tag d;
    const float* rows = view.rows(place);
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
      offset = scaled(all(rows[kScale]), offset);
    }
    V sine = all(rows[kSine]);
    V cosine = all(rows[kCosine]);
    if (rows[kTwist] != 0.0f || view.twists != nullptr) {
      V angle = hn::MulAdd(on.fraction, all(rows[kTwist]), all(rows[kRoll]));
      for (std::size_t i = 0; view.twists != nullptr && i < view.twists->count; ++i)
        angle = hn::Add(angle, addedTwist(view, i, lane));
      sineAndCosine(angle, sine, cosine);
    }
    const V3 direction =
        addScaledAll(on.slope23, rows + kD23, scaled(on.slope12, all3(rows + kD12)));
    const V inverse = inverseLength(dot(direction, direction), all(kLeastSquare));
    const V t12 = hn::Mul(inverse, on.slope12);
    const V t23 = hn::Mul(inverse, on.slope23);
    Parts at = partsOf(offset, sine, cosine, t12, t23);
    at.d12 = hn::Add(at.d12, on.along12);
    at.d23 = hn::Add(at.d23, on.along23);
    out.position = addScaledAll(weight, rows + kStart, sumOf(weight, at, rows, out.position));
    if (view.tables.shifts)
      out.position = addScaledAll(hn::Mul(weight, on.fraction), rows + kShift, out.position);
    out.normal = sumOf(weight, partsOf(normal, sine, cosine, t12, t23), rows, out.normal);
  }

  static HWY_INLINE void skin(const BlockView& view, std::size_t lane, Posed& out) {
    out = {zero3(), zero3()};
    for (std::size_t i = 0; i < view.list.count; ++i)
      addSpline(view, i, lane, out);
    if (!view.blocks.oneAttachment) out.normal = normalized(out.normal, all(kLeastSquare));
  }
};

} // namespace
} // namespace sinew::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
