#include "compare/weight_comparison.h"

#include "animation/retarget/joint_names.h"
#include "core/error.h"
#include "core/file.h"
#include "rig/rig.h"
#include "weights/reference_weights.h"
#include "weights/skeleton_tgf.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <optional>
#include <unordered_map>

namespace sinew {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// The skeleton's joints by name: exactly, then as motions find them.
class JointsByName {
 public:
  explicit JointsByName(const Skeleton& skeleton) {
    for (std::uint32_t j = 0; j < skeleton.joints.size(); ++j) {
      const std::string& name = skeleton.hierarchy.nodes[skeleton.joints[j]].name;
      exact_.emplace(name, j);
      loose_.emplace(normalizedJointName(name), j);
    }
  }
  std::optional<std::uint32_t> find(const std::string& name) const {
    if (const auto found = exact_.find(name); found != exact_.end()) return found->second;
    if (const auto found = loose_.find(normalizedJointName(name)); found != loose_.end())
      return found->second;
    return std::nullopt;
  }

 private:
  std::unordered_map<std::string, std::uint32_t> exact_;
  std::unordered_map<std::string, std::uint32_t> loose_;
};

using Joints = std::vector<std::optional<std::uint32_t>>; // per column

// Adds up the columns of one joint. Columns without a joint are left out, the rest scaled to 1.
Influences renamed(const Influences& influences, const Joints& joints) {
  Influences out;
  for (std::size_t v = 0; v < influences.vertexCount(); ++v) {
    std::vector<Influence> vertex;
    for (const Influence& i : influences.of(v)) {
      if (!joints[i.joint]) continue;
      const std::uint32_t joint = *joints[i.joint];
      const auto same = std::find_if(vertex.begin(), vertex.end(),
                                     [&](const Influence& o) { return o.joint == joint; });
      if (same != vertex.end())
        same->weight += i.weight;
      else
        vertex.push_back({joint, i.weight});
    }
    if (!vertex.empty()) pruneWeights(vertex, 0, Pruning::plain);
    out.append(vertex);
  }
  return out;
}

Influences reordered(const Influences& influences, std::span<const std::uint32_t> order) {
  Influences out;
  for (const std::uint32_t v : order)
    out.append(v < influences.vertexCount() ? influences.of(v) : std::span<const Influence>{});
  return out;
}

Influences referenceOfModel(const std::string& from, const JointsByName& names,
                            const LoadOptions& options) {
  const Model model = loadModel(from, options);
  const Rig rig = buildRig(model);
  Joints joints;
  for (const RigJoint& joint : rig.joints) {
    std::optional<std::uint32_t> found;
    // A rigid mesh's node moves with the joint above it.
    for (std::uint32_t node = joint.node; node != kNoNode && !found;
         node = model.hierarchy.nodes[node].parent)
      found = names.find(model.hierarchy.nodes[node].name);
    joints.push_back(found);
  }
  return renamed(rig.influences, joints);
}

Influences referenceOfFile(const std::string& from, const std::string& meshName,
                           const Model& meshes, const std::string& skeletonName,
                           const JointsByName& names) {
  const ReferenceWeights file = readReferenceWeights(from);
  Joints joints;
  if (!file.names.empty()) {
    for (const std::string& name : file.names) {
      joints.push_back(names.find(name));
      if (!joints.back())
        throw inputError(from, fmt::format("names a joint '{}' the skeleton does not have", name));
    }
  } else {
    if (getExtension(skeletonName) != ".tgf")
      throw inputError(from, "counts its bones as a .tgf does, and the skeleton is none");
    for (const std::uint32_t joint : jointsOfTgfEdges(skeletonName))
      joints.emplace_back(joint);
    if (file.columns > joints.size())
      throw inputError(from, fmt::format("has weights of {} bones; {} has {}", file.columns,
                                         skeletonName, joints.size()));
  }
  Influences influences = renamed(file.influences, joints);
  if (!file.names.empty() || getExtension(meshName) != ".obj") return influences;
  // Reading an .obj may order and join its vertices in its own way.
  return reordered(influences,
                   verticesAt(joinMeshes(meshes).positions, readObjVertices(meshName), from));
}

Json smoothnessJson(const WeightSmoothness& s) {
  return {{"dirichlet", s.dirichlet}, {"largest_step", s.largestStep}, {"steep_step", s.steepStep}};
}

} // namespace

ReferenceWeightSet loadReferenceWeightSet(const std::string& from, const std::string& meshName,
                                          const Model& meshes, const std::string& skeletonName,
                                          const Skeleton& skeleton, const LoadOptions& options) {
  const JointsByName names(skeleton);
  const std::string extension = getExtension(from);
  const bool isFile = extension == ".txt" || extension == ".dmat" || extension == ".json";
  ReferenceWeightSet out{from, isFile ? referenceOfFile(from, meshName, meshes, skeletonName, names)
                                      : referenceOfModel(from, names, options)};
  if (out.influences.vertexCount() != vertexCount(meshes))
    throw inputError(from,
                     fmt::format("has weights of {} vertices; the mesh has {}",
                                 out.influences.vertexCount(), vertexCount(meshes)),
                     "compare with weights of the same file");
  if (out.influences.values.empty())
    throw inputError(from, "has no weights for the skeleton's joints", "see that names agree");
  return out;
}

WeightComparison compareWeights(const JoinedMeshes& mesh, const Skeleton& skeleton,
                                const Influences& influences, const ReferenceWeightSet& reference) {
  std::vector<std::uint32_t> parents;
  const auto above = parentJoints(skeleton);
  for (std::uint32_t j = 0; j < above.size(); ++j)
    parents.push_back(above[j].value_or(j));
  const WeightSurface surface = makeWeightSurface(mesh.positions, mesh.triangles);
  return {reference.from, distanceBetween(influences, reference.influences, parents),
          measureSmoothness(surface, influences), measureSmoothness(surface, reference.influences)};
}

Json comparisonJson(const WeightComparison& c) {
  return {{"with", c.with},
          {"mean_l1", c.distance.mean},
          {"largest_l1", c.distance.largest},
          {"bleeding", c.distance.bleeding},
          {"smoothness", smoothnessJson(c.smoothness)},
          {"smoothness_there", smoothnessJson(c.referenceSmoothness)}};
}

std::string comparisonText(const WeightComparison& c) {
  const auto smooth = [](const WeightSmoothness& s) {
    return fmt::format("Dirichlet energy {:.1f}, steps of {:.2f} (one edge in a thousand more)",
                       s.dirichlet, s.steepStep);
  };
  return fmt::format("against {}: L1 {:.4f} in the mean, {:.3f} at most; bleeding {:.4f}\n"
                     "smoothness: {}; there: {}\n",
                     c.with, c.distance.mean, c.distance.largest, c.distance.bleeding,
                     smooth(c.smoothness), smooth(c.referenceSmoothness));
}

} // namespace sinew
