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

struct V4 {
  V x, y, z, w;
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

HWY_INLINE V3 xyz(const V4& v) {
  return {v.x, v.y, v.z};
}

#if HWY_TARGET != HWY_SCALAR
// Four numbers of each fourth lane beside one another.
template <class D>
HWY_INLINE hn::Vec<D> loadFours(D d, const float* from, const std::int32_t* offsets) {
  if constexpr (hn::MaxLanes(D()) <= 4) {
    return hn::LoadU(d, from + *offsets);
  } else {
    const hn::Half<D> half;
    return hn::Combine(d, loadFours(half, from, offsets + hn::MaxLanes(half)),
                       loadFours(half, from, offsets));
  }
}
#endif

// What a kernel reads of a palette entry: the same for all lanes.
struct SharedRows {
  static constexpr bool kShared = true;
  const float* rows;

  HWY_INLINE V one(std::size_t i) const { return all(rows[i]); }
  HWY_INLINE V3 three(std::size_t i) const { return all3(rows + i); }
  HWY_INLINE V4 four(std::size_t i) const {
    return {all(rows[i]), all(rows[i + 1]), all(rows[i + 2]), all(rows[i + 3])};
  }
};

// Rows for lanes with entries of their own. It loads four numbers at a time, as that costs what one
// costs; a kernel reads its numbers in fours where it can.
struct LaneRows {
  static constexpr bool kShared = false;
  const float* rows;
  alignas(64) std::int32_t offsets[kBlockLanes];

  HWY_INLINE V one(std::size_t i) const {
    const hn::RebindToSigned<Tag> integers;
    return hn::GatherIndex(Tag(), rows + i, hn::Load(integers, offsets));
  }
  HWY_INLINE V3 three(std::size_t i) const { return xyz(four(i)); }
  HWY_INLINE V4 four(std::size_t i) const {
#if HWY_TARGET == HWY_SCALAR
    return {one(i), one(i + 1), one(i + 2), one(i + 3)};
#else
    const Tag d;
    const hn::Repartition<std::uint64_t, Tag> pairs;
    V r[4];
    for (std::size_t k = 0; k < 4; ++k)
      r[k] = loadFours(d, rows + i, offsets + k);
    const auto xy01 = hn::BitCast(pairs, hn::InterleaveLower(d, r[0], r[1]));
    const auto xy23 = hn::BitCast(pairs, hn::InterleaveLower(d, r[2], r[3]));
    const auto zw01 = hn::BitCast(pairs, hn::InterleaveUpper(d, r[0], r[1]));
    const auto zw23 = hn::BitCast(pairs, hn::InterleaveUpper(d, r[2], r[3]));
    return {hn::BitCast(d, hn::InterleaveLower(pairs, xy01, xy23)),
            hn::BitCast(d, hn::InterleaveUpper(pairs, xy01, xy23)),
            hn::BitCast(d, hn::InterleaveLower(pairs, zw01, zw23)),
            hn::BitCast(d, hn::InterleaveUpper(pairs, zw01, zw23))};
#endif
  }
};

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

// Three rows of four; each lane has its own.
struct M {
  V xx, xy, xz, xw, yx, yy, yz, yw, zx, zy, zz, zw;
};

// Three rows of an entry, from its i-th number on.
template <class Rows>
HWY_INLINE M matrixAt(const Rows& rows, std::size_t i) {
  const V4 x = rows.four(i);
  const V4 y = rows.four(i + 4);
  const V4 z = rows.four(i + 8);
  return {x.x, x.y, x.z, x.w, y.x, y.y, y.z, y.w, z.x, z.y, z.z, z.w};
}

HWY_INLINE M scaledMatrix(V s, const M& m) {
  return {hn::Mul(s, m.xx), hn::Mul(s, m.xy), hn::Mul(s, m.xz), hn::Mul(s, m.xw),
          hn::Mul(s, m.yx), hn::Mul(s, m.yy), hn::Mul(s, m.yz), hn::Mul(s, m.yw),
          hn::Mul(s, m.zx), hn::Mul(s, m.zy), hn::Mul(s, m.zz), hn::Mul(s, m.zw)};
}

HWY_INLINE void addMatrix(V s, const M& m, M& sum) {
  sum.xx = hn::MulAdd(s, m.xx, sum.xx);
  sum.xy = hn::MulAdd(s, m.xy, sum.xy);
  sum.xz = hn::MulAdd(s, m.xz, sum.xz);
  sum.xw = hn::MulAdd(s, m.xw, sum.xw);
  sum.yx = hn::MulAdd(s, m.yx, sum.yx);
  sum.yy = hn::MulAdd(s, m.yy, sum.yy);
  sum.yz = hn::MulAdd(s, m.yz, sum.yz);
  sum.yw = hn::MulAdd(s, m.yw, sum.yw);
  sum.zx = hn::MulAdd(s, m.zx, sum.zx);
  sum.zy = hn::MulAdd(s, m.zy, sum.zy);
  sum.zz = hn::MulAdd(s, m.zz, sum.zz);
  sum.zw = hn::MulAdd(s, m.zw, sum.zw);
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

// The sine of angles from -pi/2 to pi/2, by the power series.
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

// Takes any angle: the nearest multiple of pi is subtracted in three parts.
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

// One block.
struct BlockView {
  BlockView(const SkinBlocks& of, const SkinTables& pose, std::size_t index)
      : blocks(of), tables(pose), number(index), block(of.blocks[index]),
        count(of.countEntries(block)), weights(of.weights.data() + block.firstWeight),
        values(of.values.data() + block.firstValue),
        twists(of.twists.empty() ? nullptr : &of.twists[index]) {}

  const SkinBlocks& blocks;
  const SkinTables& tables;
  std::size_t number;
  const SkinBlock& block;
  std::size_t count; // entries that its vertices follow, or slots
  const WeightLanes* weights;
  const BlockLanes* values;
  const TwistLanes* twists; // null without twist ranges
};

// A block whose lanes share a list.
struct SharedView : BlockView {
  static constexpr bool kShared = true;
  SharedView(const SkinBlocks& of, const SkinTables& pose, std::size_t index)
      : BlockView(of, pose, index), list(of.lists[block.list]),
        entries(of.entries.data() + list.first) {}

  HWY_INLINE SharedRows rows(std::size_t place, std::size_t /*lane*/) const {
    return {tables.rows + tables.stride * entries[place]};
  }

  const EntryList& list;
  const std::uint32_t* entries;
};

// A block with slots.
struct LaneView : BlockView {
  static constexpr bool kShared = false;
  LaneView(const SkinBlocks& of, const SkinTables& pose, std::size_t index)
      : BlockView(of, pose, index), slots(of.laneEntries.data() + block.firstSlot) {}

  HWY_INLINE LaneRows rows(std::size_t place, std::size_t lane) const {
    const hn::Rebind<std::int32_t, Tag> integers;
    const hn::Rebind<std::uint32_t, Tag> counts;
    LaneRows out;
    out.rows = tables.rows;
    const auto entries = hn::BitCast(integers, hn::LoadU(counts, slots[place].data() + lane));
    const auto stride = hn::Set(integers, static_cast<std::int32_t>(tables.stride));
    hn::Store(hn::Mul(entries, stride), integers, out.offsets);
    return out;
  }
  // None of its entries stretches.
  bool isRigid() const {
    if (tables.allRigid) return true;
    for (std::size_t i = 0; i < count; ++i)
      for (const std::uint32_t entry : slots[i])
        if (!(tables.scales[entry] > 0.0f)) return false;
    return true;
  }

  const EntryLanes* slots;
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
