// What readers find in a file beside what they use: damage that they repair, and parts of no use.
#pragma once

#include "core/transform.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// Numbers of a file that can be computed with: finite, and so small that squares, products and sums
// of them are finite too.
inline constexpr float kMaxUsable = 1e15f;

inline bool isUsable(float value) {
  return std::abs(value) <= kMaxUsable; // false for what is not a number
}
inline bool isUsable(const vec3& v) {
  return isUsable(v.x) && isUsable(v.y) && isUsable(v.z);
}
inline bool isUsable(const quat& q) {
  return isUsable(q.x) && isUsable(q.y) && isUsable(q.z) && isUsable(q.w);
}
inline bool isUsable(const mat4& m) {
  for (int column = 0; column < 4; ++column)
    if (!isUsable(vec3(m[column])) || !isUsable(m[column].w)) return false;
  return true;
}

// What a scale of zero becomes: posed vertices are off by a millionth of the part's size at most.
inline constexpr float kTinyScale = 1e-6f;

enum class Repair {
  weightNotFinite,
  weightNotPositive,
  weightSum,
  vertexWithoutWeights,
  componentWithoutWeights,
  influenceDuplicate,
  influenceOutOfRange,
  boneWithoutNode,
  bindMatrixSingular,
  bindMatrixNotAffine,
  nodeMatrix,
  nodeScaleZero,
  keyNotFinite,
  keyUnordered,
  keyZeroQuaternion,
  keyScaleZero,
  channelWithoutNode,
  clipInFrames,
  faceIndex,
  faceDegenerate,
  faceRepeated,
  vertexNotFinite,
  normalBad,
  normalsDisagree,
  windingInverted,
  texcoordNotFinite,
  morphOffsetNotFinite,
  morphWeightNotFinite // the last: kRepairKinds counts up to it
};
inline constexpr std::size_t kRepairKinds =
    static_cast<std::size_t>(Repair::morphWeightNotFinite) + 1;

// What was damaged and has been repaired, by kind: one line each in Model::repairs.
class RepairLog {
 public:
  void add(Repair kind, std::size_t count = 1) { counts_[static_cast<std::size_t>(kind)] += count; }
  // "12 weights were negative or zero: dropped", in the order of the enumeration.
  std::vector<std::string> lines() const;

 private:
  std::array<std::size_t, kRepairKinds> counts_{};
};

// What a file holds and sinew does not use, counted for one line of Model::warnings.
class UnusedCounts {
 public:
  // Both forms of the name; a count of 0 adds nothing.
  void add(std::string_view one, std::string_view many, std::size_t count = 1);
  std::string line() const; // "2 cameras, 1 light", in the order of the first of each; or empty

 private:
  struct Counted {
    std::string one, many;
    std::size_t count = 0;
  };
  std::vector<Counted> all_;
};

} // namespace sinew
