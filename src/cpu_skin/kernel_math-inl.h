// Vectors of lanes: what the kernels share. Included once for each kind of vector instructions.
#if defined(SINEW_KERNEL_MATH) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_KERNEL_MATH
#undef SINEW_KERNEL_MATH
#else
#define SINEW_KERNEL_MATH
#endif

#include "cpu_skin/skin_tables.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace sinew::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<float, kBlockLanes>;
using V = hn::Vec<Tag>;

HWY_INLINE V all(float value) {
  return hn::Set(Tag(), value);
}

struct V3 {
  V x, y, z;
};

struct Posed {
  V3 position, normal;
};

HWY_INLINE V3 load3(const BlockLanes* values, std::size_t lane) {
  const Tag d;
  return {hn::Load(d, values[0].at.data() + lane), hn::Load(d, values[1].at.data() + lane),
          hn::Load(d, values[2].at.data() + lane)};
}

HWY_INLINE V3 all3(const float* v) {
  return {all(v[0]), all(v[1]), all(v[2])};
}

HWY_INLINE V3 zero3() {
  return {all(0.0f), all(0.0f), all(0.0f)};
}

HWY_INLINE V dot(const V3& a, const V3& b) {
  return hn::MulAdd(a.x, b.x, hn::MulAdd(a.y, b.y, hn::Mul(a.z, b.z)));
}

HWY_INLINE V3 cross(const V3& a, const V3& b) {
  return {hn::MulSub(a.y, b.z, hn::Mul(a.z, b.y)), hn::MulSub(a.z, b.x, hn::Mul(a.x, b.z)),
          hn::MulSub(a.x, b.y, hn::Mul(a.y, b.x))};
}

HWY_INLINE V3 add(const V3& a, const V3& b) {
  return {hn::Add(a.x, b.x), hn::Add(a.y, b.y), hn::Add(a.z, b.z)};
}

HWY_INLINE V3 subtract(const V3& a, const V3& b) {
  return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}

HWY_INLINE V3 scaled(V s, const V3& a) {
  return {hn::Mul(s, a.x), hn::Mul(s, a.y), hn::Mul(s, a.z)};
}

// s a + b
HWY_INLINE V3 addScaled(V s, const V3& a, const V3& b) {
  return {hn::MulAdd(s, a.x, b.x), hn::MulAdd(s, a.y, b.y), hn::MulAdd(s, a.z, b.z)};
}

// s v + sum, v the same for all lanes.
HWY_INLINE V3 addScaledAll(V s, const float* v, const V3& sum) {
  return addScaled(s, all3(v), sum);
}

// 1 / sqrt(x). On x86 an estimate of 12 bits or more and a step of Newton's method, which is within
// 3e-7 of it and takes a third of the time of a root and a division. Where Highway emulates vectors
// its estimate has 9 bits.
HWY_INLINE V inverseRoot(V x) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR
  const V estimate = hn::ApproximateReciprocalSqrt(x);
  const V half = hn::Mul(hn::Mul(x, all(0.5f)), estimate);
  return hn::Mul(estimate, hn::NegMulAdd(half, estimate, all(1.5f)));
#else
  return hn::Div(all(1.0f), hn::Sqrt(x));
#endif
}

// 1 / sqrt(squared), or 0 where that is not above `least`.
HWY_INLINE V inverseLength(V squared, V least) {
  return hn::IfThenElseZero(hn::Gt(squared, least), inverseRoot(squared));
}

HWY_INLINE V3 normalized(const V3& v, V least) {
  return scaled(inverseLength(dot(v, v), least), v);
}

inline constexpr float kLeastSquare = 1e-30f; // as in the references

// Weights as they are stored, in parts of 65535.
HWY_INLINE V loadParts(const WeightLanes& weights, std::size_t lane) {
  const hn::Rebind<std::int32_t, Tag> integers;
  const hn::Rebind<std::uint16_t, Tag> narrow;
  const auto wide = hn::PromoteTo(integers, hn::Load(narrow, weights.at.data() + lane));
  return hn::ConvertTo(Tag(), wide);
}

HWY_INLINE V loadWeights(const WeightLanes& weights, std::size_t lane) {
  return hn::Mul(loadParts(weights, lane), all(1.0f / 65535.0f));
}

// Three rows of four, of each lane its own.
struct M {
  V xx, xy, xz, xw, yx, yy, yz, yw, zx, zy, zz, zw;
};

HWY_INLINE M scaledMatrix(V s, const float* m) {
  return {hn::Mul(s, all(m[0])), hn::Mul(s, all(m[1])),  hn::Mul(s, all(m[2])),
          hn::Mul(s, all(m[3])), hn::Mul(s, all(m[4])),  hn::Mul(s, all(m[5])),
          hn::Mul(s, all(m[6])), hn::Mul(s, all(m[7])),  hn::Mul(s, all(m[8])),
          hn::Mul(s, all(m[9])), hn::Mul(s, all(m[10])), hn::Mul(s, all(m[11]))};
}

HWY_INLINE void addMatrix(V s, const float* m, M& sum) {
  sum.xx = hn::MulAdd(s, all(m[0]), sum.xx);
  sum.xy = hn::MulAdd(s, all(m[1]), sum.xy);
  sum.xz = hn::MulAdd(s, all(m[2]), sum.xz);
  sum.xw = hn::MulAdd(s, all(m[3]), sum.xw);
  sum.yx = hn::MulAdd(s, all(m[4]), sum.yx);
  sum.yy = hn::MulAdd(s, all(m[5]), sum.yy);
  sum.yz = hn::MulAdd(s, all(m[6]), sum.yz);
  sum.yw = hn::MulAdd(s, all(m[7]), sum.yw);
  sum.zx = hn::MulAdd(s, all(m[8]), sum.zx);
  sum.zy = hn::MulAdd(s, all(m[9]), sum.zy);
  sum.zz = hn::MulAdd(s, all(m[10]), sum.zz);
  sum.zw = hn::MulAdd(s, all(m[11]), sum.zw);
}

HWY_INLINE V row(V x, V y, V z, V w, const V3& p) {
  return hn::MulAdd(x, p.x, hn::MulAdd(y, p.y, hn::MulAdd(z, p.z, w)));
}

HWY_INLINE V3 transformPoint(const M& m, const V3& p) {
  return {row(m.xx, m.xy, m.xz, m.xw, p), row(m.yx, m.yy, m.yz, m.yw, p),
          row(m.zx, m.zy, m.zz, m.zw, p)};
}

// By a matrix that is the same for all lanes.
HWY_INLINE V3 transformPointAll(const float* m, const V3& p) {
  return {row(all(m[0]), all(m[1]), all(m[2]), all(m[3]), p),
          row(all(m[4]), all(m[5]), all(m[6]), all(m[7]), p),
          row(all(m[8]), all(m[9]), all(m[10]), all(m[11]), p)};
}

HWY_INLINE V3 transformVectorAll(const float* m, const V3& v) {
  return {dot({all(m[0]), all(m[1]), all(m[2])}, v), dot({all(m[4]), all(m[5]), all(m[6])}, v),
          dot({all(m[8]), all(m[9]), all(m[10])}, v)};
}

HWY_INLINE V3 transformVector(const M& m, const V3& v) {
  return {dot({m.xx, m.xy, m.xz}, v), dot({m.yx, m.yy, m.yz}, v), dot({m.zx, m.zy, m.zz}, v)};
}

// As transformNormal() of skinning/bone_palette.h.
template <bool stretched>
HWY_INLINE V3 transformNormal(const M& m, const V3& normal) {
  V least = all(kLeastSquare);
  if constexpr (!stretched) return normalized(transformVector(m, normal), least);
  const V3 x{m.xx, m.xy, m.xz};
  const V3 y{m.yx, m.yy, m.yz};
  const V3 z{m.zx, m.zy, m.zz};
  const V xx = dot(x, x);
  const V yy = dot(y, y);
  const V zz = dot(z, z);
  const V3 yz = cross(y, z);
  const V determinant = dot(x, yz);
  const V threshold = hn::Mul(all(1e-12f), hn::Mul(xx, hn::Mul(yy, zz)));
  const auto reflects =
      hn::And(hn::Lt(determinant, all(0.0f)), hn::Gt(hn::Mul(determinant, determinant), threshold));
  const V sum = hn::MulAdd(xx, yy, hn::MulAdd(yy, zz, hn::Mul(zz, xx)));
  least = hn::Max(least, hn::Mul(all(1e-12f), sum));
  const V3 out{dot(yz, normal), dot(cross(z, x), normal), dot(cross(x, y), normal)};
  const V length = inverseLength(dot(out, out), least);
  return scaled(hn::IfThenElse(reflects, hn::Neg(length), length), out);
}

// Of angles from -pi/2 to pi/2, by the power series.
HWY_INLINE V sineOfQuarter(V x) {
  const V xx = hn::Mul(x, x);
  V sum = hn::MulAdd(xx, all(-1.0f / 39916800.0f), all(1.0f / 362880.0f));
  sum = hn::MulAdd(xx, sum, all(-1.0f / 5040.0f));
  sum = hn::MulAdd(xx, sum, all(1.0f / 120.0f));
  sum = hn::MulAdd(xx, sum, all(-1.0f / 6.0f));
  return hn::MulAdd(hn::Mul(xx, sum), x, x);
}

inline constexpr float kHalfPi = 1.57079632679f;

HWY_INLINE V cosineOfQuarter(V x) {
  return sineOfQuarter(hn::Sub(all(kHalfPi), hn::Abs(x)));
}

// Of any angle: the multiple of pi next to it is taken off in three parts.
HWY_INLINE void sineAndCosine(V angle, V& sine, V& cosine) {
  const V multiples = hn::Round(hn::Mul(angle, all(0.318309886f)));
  V rest = hn::NegMulAdd(multiples, all(3.140625f), angle);
  rest = hn::NegMulAdd(multiples, all(9.67502593994140625e-4f), rest);
  rest = hn::NegMulAdd(multiples, all(1.509957990978376432e-7f), rest);
  const V half = hn::Mul(multiples, all(0.5f));
  const auto odd = hn::Ne(half, hn::Round(half));
  sine = sineOfQuarter(rest);
  cosine = cosineOfQuarter(rest);
  sine = hn::IfThenElse(odd, hn::Neg(sine), sine);
  cosine = hn::IfThenElse(odd, hn::Neg(cosine), cosine);
}

// One block, with what its vertices follow.
struct BlockView {
  BlockView(const SkinBlocks& of, const SkinTables& pose, std::size_t index)
      : blocks(of), tables(pose), number(index), block(of.blocks[index]),
        list(of.lists[block.list]), entries(of.entries.data() + list.first),
        weights(of.weights.data() + block.firstWeight), values(of.values.data() + block.firstValue),
        twists(of.twists.empty() ? nullptr : &of.twists[index]) {}

  const float* rows(std::size_t place) const {
    return tables.rows + tables.stride * entries[place];
  }

  const SkinBlocks& blocks;
  const SkinTables& tables;
  std::size_t number;
  const SkinBlock& block;
  const EntryList& list;
  const std::uint32_t* entries;
  const WeightLanes* weights;
  const BlockLanes* values;
  const TwistLanes* twists; // null: of none
};

// Where lanes twist by different joints: a number of each lane's, of twist_row.
HWY_INLINE V twistNumbers(const BlockView& view, std::size_t place, std::size_t lane,
                          std::size_t number) {
  const Tag d;
  alignas(64) float own[kBlockLanes];
  for (std::size_t i = 0; i < hn::Lanes(d); ++i)
    own[i] = view.tables.twists[twist_row::kCount * view.twists->joints[place][lane + i] + number];
  return hn::Load(d, own);
}

// The angle that twist ranges add.
HWY_INLINE V addedTwist(const BlockView& view, std::size_t place, std::size_t lane) {
  return hn::Mul(hn::Load(Tag(), view.twists->shares[place].at.data() + lane),
                 twistNumbers(view, place, lane, twist_row::kTwist));
}

} // namespace
} // namespace sinew::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
