// Direct delta mush: the rotation nearest to how the surroundings of a vertex are moved.
#if defined(SINEW_KERNEL_SMOOTHED) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_KERNEL_SMOOTHED
#undef SINEW_KERNEL_SMOOTHED
#else
#define SINEW_KERNEL_SMOOTHED
#endif

#include "cpu_skin/kernel_bones-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::HWY_NAMESPACE {
namespace {

// Three rows of three; each lane has its own.
struct M3 {
  V3 x, y, z;
};

HWY_INLINE M3 computeCofactors(const M3& m) {
  return {cross(m.y, m.z), cross(m.z, m.x), cross(m.x, m.y)};
}

HWY_INLINE V computeSquaredNorm(const M3& m) {
  return hn::Add(dot(m.x, m.x), hn::Add(dot(m.y, m.y), dot(m.z, m.z)));
}

HWY_INLINE M3 scaled3(V s, const M3& m) {
  return {scaled(s, m.x), scaled(s, m.y), scaled(s, m.z)};
}

// v as a row, times m.
HWY_INLINE V3 timesRows(const V3& v, const M3& m) {
  return addScaled(v.x, m.x, addScaled(v.y, m.y, scaled(v.z, m.z)));
}

HWY_INLINE V3 transformVector3(const M3& m, const V3& v) {
  return {dot(m.x, v), dot(m.y, v), dot(m.z, v)};
}

// The sum of the singular values of a matrix of size 1 with these cofactors and determinant, the
// least with the determinant's sign: the largest root of s^4 - 2 s^2 - 8 det s + 1 - 4 |C|^2.
HWY_INLINE V singularSum(V determinant, V cofactors) {
  const V c0 = hn::NegMulAdd(all(4.0f), cofactors, all(1.0f));
  const V det8 = hn::Mul(all(8.0f), determinant);
  // s^2 = 1 + 2 e and e^2 = |C|^2 + 2 det s, e the sum of products of two singular values: with a
  // bound of s, one that is near. Not below the root, to which Laguerre's steps fall.
  const auto positive = hn::Gt(determinant, all(0.0f));
  const V bound = hn::IfThenElse(positive, all(1.7320508f), all(0.57735026f));
  const V e2 = hn::MulAdd(hn::Add(determinant, determinant), bound, cofactors);
  const V e = hn::Sqrt(hn::Max(e2, all(0.0f)));
  V sum = hn::Sqrt(hn::MulAdd(all(2.0f), e, all(1.0f)));
  auto far = hn::Ge(sum, all(0.0f)); // each lane until its own root: as with any others beside it
  for (int i = 0; i < 5; ++i) {
    const V s2 = hn::Mul(sum, sum);
    const V value = hn::MulAdd(hn::Sub(s2, all(2.0f)), s2, hn::NegMulAdd(det8, sum, c0));
    const V slope = hn::MulSub(hn::Mul(all(4.0f), sum), hn::Sub(s2, all(1.0f)), det8);
    const V curvature = hn::MulSub(all(12.0f), s2, all(4.0f));
    const V under = hn::Mul(all(3.0f), hn::MulSub(hn::Mul(all(3.0f), slope), slope,
                                                  hn::Mul(all(4.0f), hn::Mul(value, curvature))));
    const V root = hn::Sqrt(hn::Max(under, all(0.0f)));
    const V step = hn::Div(hn::Mul(all(4.0f), value), hn::Max(hn::Add(slope, root), all(1e-6f)));
    sum = hn::Sub(sum, hn::IfThenElseZero(far, step));
    far = hn::And(far, hn::Gt(hn::Abs(step), all(1e-4f))); // the next: its cube
    if (hn::AllFalse(Tag(), far)) break;
  }
  return sum;
}

// With rows that are nearly so, or any others: a rotation.
HWY_INLINE M3 orthogonal(const M3& r) {
  const V3 x = normalized(r.x, all(1e-12f));
  V3 z = cross(x, r.y);
  const V squared = dot(z, z);
  const auto known = hn::Gt(squared, all(1e-12f));
  z = scaled(inverseRoot(hn::Max(squared, all(1e-12f))), z);
  const V3 y = cross(z, x);
  const V one = all(1.0f);
  const auto either = [&](V value, V other) { return hn::IfThenElse(known, value, other); };
  const V zero = all(0.0f);
  return {{either(x.x, one), either(x.y, zero), either(x.z, zero)},
          {either(y.x, zero), either(y.y, one), either(y.z, zero)},
          {either(z.x, zero), either(z.y, zero), either(z.z, one)}};
}

// A step of Newton's method on the rotations removes the rounding (shaders/common/
// nearest_rotation.glsl).
HWY_INLINE M3 refined(const M3& r, const M3& a) {
  // B = sum of the products of rows of r and of a: the matrix r^T a of their transposes.
  const V xy = dot(r.x, a.y);
  const V yx = dot(r.y, a.x);
  const V yz = dot(r.y, a.z);
  const V zy = dot(r.z, a.y);
  const V zx = dot(r.z, a.x);
  const V xz = dot(r.x, a.z);
  const V xx = dot(r.x, a.x);
  const V yy = dot(r.y, a.y);
  const V zz = dot(r.z, a.z);
  const V3 axial{hn::Sub(zy, yz), hn::Sub(xz, zx), hn::Sub(yx, xy)};
  const V less = all(-0.5f);
  const V hxy = hn::Mul(less, hn::Add(xy, yx));
  const V hyz = hn::Mul(less, hn::Add(yz, zy));
  const V hxz = hn::Mul(less, hn::Add(zx, xz));
  const M3 h{{hn::Add(yy, zz), hxy, hxz}, {hxy, hn::Add(zz, xx), hyz}, {hxz, hyz, hn::Add(xx, yy)}};
  const M3 c = computeCofactors(h);
  const V determinant = hn::Max(dot(h.x, c.x), all(1e-9f));
  V3 w = scaled(hn::Div(all(1.0f), determinant), transformVector3(c, axial));
  const V longest = hn::Mul(all(0.2f), inverseRoot(hn::Max(dot(w, w), all(1e-12f))));
  w = scaled(hn::Min(all(1.0f), longest), w);
  const auto moved = [](const V3& row, V s, const V3& added, V t, const V3& taken) {
    return subtract(addScaled(s, added, row), scaled(t, taken));
  };
  return {moved(r.x, w.z, r.y, w.y, r.z), moved(r.y, w.x, r.z, w.z, r.x),
          moved(r.z, w.y, r.x, w.x, r.y)};
}

// As shaders/common/nearest_rotation.glsl, which says why, of rows in place of columns.
HWY_INLINE M3 nearestRotation(const M3& of) {
  const V squared = computeSquaredNorm(of);
  const M3 a = scaled3(inverseLength(squared, all(1e-36f)), of);
  const M3 c = computeCofactors(a);
  const V determinant = dot(a.x, c.x);
  const V sum = singularSum(determinant, computeSquaredNorm(c));
  const V s2 = hn::Mul(sum, sum);
  const V e2 = hn::MulSub(all(0.5f), s2, all(0.5f));
  const V divisor = hn::Max(hn::MulSub(sum, e2, determinant), all(1e-6f));
  const V inverse = hn::Div(all(1.0f), divisor);
  const V own = hn::Sub(s2, e2);
  const V xy = dot(a.x, a.y);
  const V yz = dot(a.y, a.z);
  const V xz = dot(a.x, a.z);
  // Rows of A A^T A
  const V3 x = timesRows({dot(a.x, a.x), xy, xz}, a);
  const V3 y = timesRows({xy, dot(a.y, a.y), yz}, a);
  const V3 z = timesRows({xz, yz, dot(a.z, a.z)}, a);
  const auto row = [&](const V3& cofactor, const V3& plain, const V3& cubed) {
    return scaled(inverse, subtract(addScaled(sum, cofactor, scaled(own, plain)), cubed));
  };
  return refined(orthogonal({row(c.x, a.x, x), row(c.y, a.y, y), row(c.z, a.z, z)}), a);
}

template <bool stretched>
struct Smoothed {
  static constexpr std::size_t kStretch = 12; // numbers of the matrix before it

  template <class View>
  static HWY_INLINE void skin(const View& view, std::size_t lane, Posed& out) {
    const V3 smoothed = load3(view.values + smoothed_value::kCenter, lane);
    // What is added up is small about where the first joint puts the vertex; all first
    // moments of a vertex add up to 0, so that it does not matter which.
    const V3 origin = transformPoint(matrixAt(view.rows(0, lane), 0), smoothed);
    M3 spread{zero3(), zero3(), zero3()};
    V3 center = origin;
    for (std::size_t i = 0; i < view.count; ++i) {
      const M m = matrixAt(view.rows(i, lane), 0);
      const BlockLanes* moments = view.values + smoothed_value::kFirst + smoothed_value::kEach * i;
      const V3 first = load3(moments, lane);
      const V3 diagonal = load3(moments + 3, lane);
      const V3 mixed = load3(moments + 6, lane); // xy, xz, yz
      const V weight = loadWeights(view.weights[i], lane);
      const V3 off = i == 0 ? zero3() : subtract(transformPoint(m, smoothed), origin);
      const M3 second{{diagonal.x, mixed.x, mixed.y},
                      {mixed.x, diagonal.y, mixed.z},
                      {mixed.y, mixed.z, diagonal.z}};
      const auto addRow = [&](const V3& by, V offset, V3& row, V& moved) {
        row = add(addScaled(offset, first, row), timesRows(by, second));
        moved = hn::MulAdd(weight, offset, hn::Add(moved, dot(by, first)));
      };
      addRow({m.xx, m.xy, m.xz}, off.x, spread.x, center.x);
      addRow({m.yx, m.yy, m.yz}, off.y, spread.y, center.y);
      addRow({m.zx, m.zy, m.zz}, off.z, spread.z, center.z);
    }
    V3 arm = subtract(load3(view.values, lane), smoothed);
    V3 normal = load3(view.values + 3, lane);
    if constexpr (stretched) {
      const M stretch = blendMatrices(view, lane, kStretch);
      arm = transformVector(stretch, arm);
      normal = transformNormal<true>(stretch, normal);
    }
    const M3 rotation = nearestRotation(spread);
    out.position = add(center, transformVector3(rotation, arm));
    out.normal = transformVector3(rotation, normal);
  }
};

} // namespace
} // namespace sinew::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
