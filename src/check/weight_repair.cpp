#include "check/weight_repair.h"

#include "core/error.h"
#include "rig/surface_smoothing.h"
#include "weights/automatic_weights.h"
#include "weights/bind_model.h"
#include "weights/paint_layer.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace sinew {
namespace {

constexpr float kLeastWeight = 1e-3f;        // smaller weights are dropped
constexpr std::size_t kVertexLimit = 60'000; // automatic weights are computed for at most so many
constexpr int kFadingRings = 3; // rings of edges around the vertices that are bound again
constexpr std::size_t kReboundInfluences = 4; // per vertex that is bound again

using Weights = std::map<std::uint32_t, float>;

Weights sumByJoint(std::span<const Influence> influences) {
  Weights out;
  for (const Influence& each : influences)
    out[each.joint] += each.weight;
  return out;
}

std::vector<Influence> toList(const Weights& weights, std::size_t limit) {
  std::vector<Influence> list;
  for (const auto& [joint, weight] : weights)
    if (weight >= kLeastWeight) list.push_back({joint, weight});
  std::ranges::stable_sort(list, std::greater{}, &Influence::weight);
  list.resize(std::min(list.size(), limit));
  float sum = 0.0f;
  for (const Influence& each : list)
    sum += each.weight;
  for (Influence& each : list)
    each.weight /= sum;
  return list;
}

std::vector<bool> pointsInside(const SurfaceSmoothing& surface, const SkinRegion& region) {
  std::vector<bool> inside(surface.pointCount(), false);
  for (const std::uint32_t v : region.vertices)
    inside[surface.getPoint(v)] = true;
  return inside;
}

// How far each point is bound again: 1 where the joint moves skin, falling to 0 around it.
std::vector<float> reboundShares(const Rig& rig, const SurfaceSmoothing& surface,
                                 const SkinRegion& region) {
  std::vector<bool> inside = pointsInside(surface, region);
  for (std::size_t v = 0; v < rig.positions.size(); ++v)
    for (const Influence& each : rig.influences.of(v))
      if (rig.joints[each.joint].node == region.node && each.weight >= kLeastWeight)
        inside[surface.getPoint(v)] = true;
  std::vector<float> shares(inside.begin(), inside.end());
  for (int ring = 1; ring <= kFadingRings; ++ring) {
    const std::vector<float> before = shares;
    const float share = 1.0f - static_cast<float>(ring) / static_cast<float>(kFadingRings + 1);
    for (std::size_t p = 0; p < shares.size(); ++p)
      if (before[p] == 0.0f && std::ranges::any_of(surface.neighbours(p), [&](std::uint32_t other) {
            return before[other] > 0.0f;
          }))
        shares[p] = share;
  }
  return shares;
}

} // namespace

Influences smoothedAround(const Rig& rig, const SkinRegion& region, int rounds) {
  const SurfaceSmoothing surface(rig);
  std::vector<Weights> weights(surface.pointCount());
  for (std::size_t p = 0; p < weights.size(); ++p)
    weights[p] = sumByJoint(rig.influences.of(surface.vertexAt(p)));
  const std::vector<bool> inside = pointsInside(surface, region);
  for (int round = 0; round < rounds; ++round) {
    const auto before = weights;
    for (std::size_t p = 0; p < weights.size(); ++p) {
      const auto neighbours = surface.neighbours(p);
      if (!inside[p] || neighbours.empty()) continue;
      for (auto& [joint, weight] : weights[p])
        weight *= 0.5f;
      for (const std::uint32_t other : neighbours)
        for (const auto& [joint, weight] : before[other])
          weights[p][joint] += 0.5f * weight / static_cast<float>(neighbours.size());
    }
  }
  Influences out;
  for (std::size_t v = 0; v < rig.positions.size(); ++v) {
    const std::uint32_t point = surface.getPoint(v);
    if (inside[point])
      out.append(toList(weights[point], weights[point].size()));
    else
      out.append(rig.influences.of(v));
  }
  return out;
}

std::shared_ptr<const Influences> makeAutomaticWeights(const Workbench& workbench,
                                                       const Progress& progress) {
  const Rig& rig = workbench.rig;
  if (rig.positions.size() > kVertexLimit) return nullptr;
  AutomaticWeights found;
  Skeleton skeleton;
  try {
    skeleton = extractSkeleton(workbench.model);
    const JoinedMeshes mesh = joinMeshes(meshesAlone(workbench.model));
    found = automaticWeights(mesh.positions, mesh.triangles, skeleton.bones, {},
                             skeleton.jointOfBone, progress);
  } catch (const Error&) { // a model without joints, or one that automatic weights refuse
    return nullptr;
  }
  // A skin's joints by node.
  std::vector<std::map<std::uint32_t, std::uint32_t>> jointOfNode;
  std::vector<std::size_t> skinOfJoint(rig.joints.size(), 0); // counted from 1; 0: none
  for (const JointRange& range : boneLayer(workbench.model, rig).groups) {
    auto& joints = jointOfNode.emplace_back();
    for (std::uint32_t j = range.first; j < range.first + range.count; ++j) {
      joints.emplace(rig.joints[j].node, j);
      skinOfJoint[j] = jointOfNode.size();
    }
  }
  Influences out;
  for (std::size_t v = 0; v < rig.positions.size(); ++v) {
    const auto own = rig.influences.of(v);
    const std::size_t skin = own.empty() ? 0 : skinOfJoint[own[0].joint];
    Weights weights;
    if (skin != 0)
      for (const Influence& each : found.influences.of(v))
        if (const auto joint = jointOfNode[skin - 1].find(skeleton.joints[each.joint]);
            joint != jointOfNode[skin - 1].end())
          weights[joint->second] += each.weight;
    const std::vector<Influence> list = toList(weights, kReboundInfluences);
    if (list.empty())
      out.append(own);
    else
      out.append(list);
  }
  return std::make_shared<const Influences>(std::move(out));
}

Influences reboundAround(const Rig& rig, const SkinRegion& region, const Influences& automatic) {
  const SurfaceSmoothing surface(rig);
  const std::vector<float> shares = reboundShares(rig, surface, region);
  Influences out;
  for (std::size_t v = 0; v < rig.positions.size(); ++v) {
    const float share = shares[surface.getPoint(v)];
    if (share == 0.0f) {
      out.append(rig.influences.of(v));
      continue;
    }
    Weights weights;
    for (const Influence& each : rig.influences.of(v))
      weights[each.joint] += (1.0f - share) * each.weight;
    for (const Influence& each : automatic.of(v))
      weights[each.joint] += share * each.weight;
    out.append(toList(weights, kReboundInfluences));
  }
  return out;
}

} // namespace sinew
