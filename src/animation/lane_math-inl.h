// Vectors of characters' numbers (pose_lanes.h): what posing and packing share. Included once for
// each kind of vector instructions. Products and sums are not fused, so that every lane has the
// bits of one character alone.
#if defined(SINEW_LANE_MATH) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_LANE_MATH
#undef SINEW_LANE_MATH
#else
#define SINEW_LANE_MATH
#endif

#include "animation/pose_lanes.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace sinew::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using LaneTag = hn::CappedTag<float, kLanes>;
using LaneVector = hn::Vec<LaneTag>;

struct FourVectors {
  LaneVector x, y, z, w;
};

HWY_INLINE LaneVector allLanes(float value) {
  return hn::Set(LaneTag(), value);
}

// Loads the lanes from `first` on.
HWY_INLINE LaneVector load(const Lanes& lanes, std::size_t first) {
  return hn::Load(LaneTag(), lanes.at.data() + first);
}

HWY_INLINE void store(LaneVector what, Lanes& lanes, std::size_t first) {
  hn::Store(what, LaneTag(), lanes.at.data() + first);
}

HWY_INLINE LaneVector plus(LaneVector a, LaneVector b) {
  return hn::Add(a, b);
}
HWY_INLINE LaneVector minus(LaneVector a, LaneVector b) {
  return hn::Sub(a, b);
}
HWY_INLINE LaneVector times(LaneVector a, LaneVector b) {
  return hn::Mul(a, b);
}

// a b + c d + e f, added in this order.
HWY_INLINE LaneVector sum3(LaneVector a, LaneVector b, LaneVector c, LaneVector d, LaneVector e,
                           LaneVector f) {
  return plus(plus(times(a, b), times(c, d)), times(e, f));
}

#if HWY_TARGET == HWY_SCALAR
// `at(l)`: four numbers of the character of lane l. They become lane l of the four vectors.
template <class At>
HWY_INLINE FourVectors loadFours(std::size_t first, const At& at) {
  const LaneTag d;
  const float* own = at(first);
  return {hn::Load(d, own), hn::Load(d, own + 1), hn::Load(d, own + 2), hn::Load(d, own + 3)};
}

// The reverse.
template <class At>
HWY_INLINE void storeFours(const FourVectors& v, std::size_t first, const At& at) {
  const LaneTag d;
  float* own = at(first);
  hn::Store(v.x, d, own);
  hn::Store(v.y, d, own + 1);
  hn::Store(v.z, d, own + 2);
  hn::Store(v.w, d, own + 3);
}
#else
// Each four lanes of all four vectors as a matrix, transposed.
HWY_INLINE void transpose(FourVectors& v) {
  const LaneTag d;
  const LaneVector low02 = hn::InterleaveLower(d, v.x, v.z);
  const LaneVector low13 = hn::InterleaveLower(d, v.y, v.w);
  const LaneVector high02 = hn::InterleaveUpper(d, v.x, v.z);
  const LaneVector high13 = hn::InterleaveUpper(d, v.y, v.w);
  v.x = hn::InterleaveLower(d, low02, low13);
  v.y = hn::InterleaveUpper(d, low02, low13);
  v.z = hn::InterleaveLower(d, high02, high13);
  v.w = hn::InterleaveUpper(d, high02, high13);
}

template <class At>
HWY_INLINE FourVectors loadFours(std::size_t first, const At& at) {
  const LaneTag d;
  const auto row = [&](std::size_t l) HWY_ATTR {
    if constexpr (hn::MaxLanes(LaneTag()) == 4) {
      return hn::LoadU(d, at(l));
    } else {
      const hn::Half<LaneTag> half;
      return hn::Combine(d, hn::LoadU(half, at(l + 4)), hn::LoadU(half, at(l)));
    }
  };
  FourVectors out{row(first), row(first + 1), row(first + 2), row(first + 3)};
  transpose(out);
  return out;
}

template <class At>
HWY_INLINE void storeFours(FourVectors v, std::size_t first, const At& at) {
  const LaneTag d;
  transpose(v);
  const LaneVector rows[] = {v.x, v.y, v.z, v.w};
  for (std::size_t l = 0; l < 4; ++l) {
    if constexpr (hn::MaxLanes(LaneTag()) == 4) {
      hn::StoreU(rows[l], d, at(first + l));
    } else {
      const hn::Half<LaneTag> half;
      hn::StoreU(hn::LowerHalf(half, rows[l]), half, at(first + l));
      hn::StoreU(hn::UpperHalf(half, rows[l]), half, at(first + l + 4));
    }
  }
}
#endif

// Affine matrices: row by row, as AffineLanes.
struct AffineVectors {
  LaneVector entries[12];
};

// In every lane the bits of affineProduct() (core/affine.h). b(i): entry i of the second.
template <class Entry>
HWY_INLINE AffineVectors affineProduct(const AffineLanes& a, std::size_t first, const Entry& b) {
  AffineVectors out;
  for (std::size_t r = 0; r < 3; ++r) {
    const LaneVector x = load(a.entries[4 * r], first);
    const LaneVector y = load(a.entries[4 * r + 1], first);
    const LaneVector z = load(a.entries[4 * r + 2], first);
    for (std::size_t c = 0; c < 4; ++c)
      out.entries[4 * r + c] = sum3(x, b(c), y, b(4 + c), z, b(8 + c));
    out.entries[4 * r + 3] = plus(out.entries[4 * r + 3], load(a.entries[4 * r + 3], first));
  }
  return out;
}

// By a matrix that all characters share.
HWY_INLINE AffineVectors affineProduct(const AffineLanes& a, std::size_t first, const mat4& b) {
  const float* entries = &b[0][0];
  return affineProduct(
      a, first, [&](std::size_t i) HWY_ATTR { return allLanes(entries[4 * (i % 4) + i / 4]); });
}

} // namespace
} // namespace sinew::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
