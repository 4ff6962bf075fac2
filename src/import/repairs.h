// What was wrong in a file and has been mended, counted by kind: one line each in Model::repairs.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace sinew {

enum class Repair {
  weightNotFinite,
  weightNotPositive,
  weightSum,
  vertexWithoutWeights,
  shellWithoutWeights,
  influenceDuplicate,
  influenceOutOfRange,
  boneWithoutNode,
  bindMatrixSingular,
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
  vertexNotFinite,
  normalBad,
  normalsAstray,
  windingInverted,
  texcoordNotFinite,
  count_
};

class RepairLog {
 public:
  void add(Repair kind, std::size_t count = 1) { counts_[static_cast<std::size_t>(kind)] += count; }
  // "12 weights were negative or zero: dropped", in the order of the enumeration.
  std::vector<std::string> lines() const;

 private:
  std::array<std::size_t, static_cast<std::size_t>(Repair::count_)> counts_{};
};

} // namespace sinew
