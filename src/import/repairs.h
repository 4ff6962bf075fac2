// What was damaged in a file and has been repaired, counted by kind: one line each in
// Model::repairs.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace sinew {

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

class RepairLog {
 public:
  void add(Repair kind, std::size_t count = 1) { counts_[static_cast<std::size_t>(kind)] += count; }
  // "12 weights were negative or zero: dropped", in the order of the enumeration.
  std::vector<std::string> lines() const;

 private:
  std::array<std::size_t, kRepairKinds> counts_{};
};

} // namespace sinew
