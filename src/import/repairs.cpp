#include "import/repairs.h"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {
namespace {

struct Wording {
  const char* one;
  const char* many;
  const char* repair;
};

Wording getWording(Repair kind) {
  switch (kind) {
  case Repair::weightNotFinite:
    return {"weight is", "weights are", "not a number: dropped"};
  case Repair::weightNotPositive:
    return {"weight is", "weights are", "zero or negative: dropped"};
  case Repair::weightSum:
    return {"vertex has", "vertices have", "weights that do not sum to one: normalised"};
  case Repair::vertexWithoutWeights:
    return {"skinned vertex has", "skinned vertices have",
            "no weights: they follow the nearest skinned neighbours on the surface"};
  case Repair::componentWithoutWeights:
    return {"vertex of a skinned mesh lies", "vertices of skinned meshes lie",
            "in a part without any weights: they follow the mesh's own node"};
  case Repair::influenceDuplicate:
    return {"influence repeats", "influences repeat", "a joint of the same vertex: merged"};
  case Repair::influenceOutOfRange:
    return {"influence names", "influences name", "a joint or vertex that does not exist: dropped"};
  case Repair::boneWithoutNode:
    return {"bone names", "bones name", "no node of the scene: placed where its bind matrix says"};
  case Repair::bindMatrixSingular:
    return {"bind matrix is", "bind matrices are",
            "singular or not finite: taken from the rest pose"};
  case Repair::bindMatrixNotAffine:
    return {"bind matrix has", "bind matrices have", "a last row other than 0 0 0 1: replaced"};
  case Repair::nodeMatrix:
    return {"node matrix is", "node matrices are",
            "not finite or beyond 1e15: replaced by the identity"};
  case Repair::nodeScaleZero:
    return {"joint is", "joints are", "scaled to zero: scaled to 0.000001 instead"};
  case Repair::keyNotFinite:
    return {"animation key is", "animation keys are", "not finite or beyond 1e15: dropped"};
  case Repair::keyUnordered:
    return {"animation key is", "animation keys are", "out of order or repeated: sorted"};
  case Repair::keyZeroQuaternion:
    return {"rotation key is", "rotation keys are", "a zero quaternion: dropped"};
  case Repair::keyScaleZero:
    return {"scale key is", "scale keys are", "zero: scaled to 0.000001 instead"};
  case Repair::channelWithoutNode:
    return {"animation channel moves", "animation channels move",
            "a node that does not exist: dropped"};
  case Repair::clipInFrames:
    return {"clip has", "clips have",
            "no ticks per second and keys one tick apart: taken as 30 frames a second"};
  case Repair::faceIndex:
    return {"face names", "faces name", "a vertex that does not exist: dropped"};
  case Repair::faceDegenerate:
    return {"triangle has", "triangles have", "two equal corners: dropped"};
  case Repair::faceRepeated:
    return {"triangle repeats", "triangles repeat", "another one: dropped"};
  case Repair::vertexNotFinite:
    return {"vertex position is", "vertex positions are",
            "not finite or beyond 1e15: dropped with the triangles that use them"};
  case Repair::normalsDisagree:
    return {"mesh has", "meshes have",
            "normals that do not belong to the surface: computed from the triangles"};
  case Repair::windingInverted:
    return {"mesh has", "meshes have", "triangles that wind against their normals: flipped"};
  case Repair::normalBad:
    return {"normal is", "normals are", "missing, zero or not finite: computed from the triangles"};
  case Repair::texcoordNotFinite:
    return {"texture coordinate is", "texture coordinates are", "not finite: set to zero"};
  case Repair::morphOffsetNotFinite:
    return {"offset of a morph target is", "offsets of morph targets are",
            "not finite or beyond 1e15: set to zero"};
  case Repair::morphWeightNotFinite:
    return {"weight of a morph target is", "weights of morph targets are",
            "not finite or beyond 1e15: set to zero"};
  }
  return {"", "", ""};
}

} // namespace

std::vector<std::string> RepairLog::lines() const {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    if (counts_[i] == 0) continue;
    const Wording w = getWording(static_cast<Repair>(i));
    lines.push_back(
        fmt::format("{} {} {}", counts_[i], counts_[i] == 1 ? w.one : w.many, w.repair));
  }
  return lines;
}

void UnusedCounts::add(std::string_view one, std::string_view many, std::size_t count) {
  if (count == 0) return;
  const auto found =
      std::find_if(all_.begin(), all_.end(), [&](const Counted& each) { return each.one == one; });
  if (found == all_.end())
    all_.push_back({std::string(one), std::string(many), count});
  else
    found->count += count;
}

std::string UnusedCounts::line() const {
  std::string out;
  for (const Counted& each : all_)
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", each.count,
                       each.count == 1 ? each.one : each.many);
  return out;
}

} // namespace sinew
