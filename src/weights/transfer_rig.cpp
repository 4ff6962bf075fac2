#include "weights/transfer_rig.h"

#include "animation/mirror.h"
#include "core/error.h"
#include "weights/bind_model.h"
#include "weights/merge_rigs.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace sinew {
namespace {

const std::string& getSourceName(const Model& model) {
  return model.path.empty() ? model.name : model.path;
}

template <class T>
void append(std::vector<T>& to, std::vector<T> from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

void shift(std::optional<std::uint32_t>& index, std::uint32_t by) {
  if (index) *index += by;
}

// Materials, textures, morph targets and skins of `clothes` count on after those of the body.
void renumber(Model& clothes, const Model& body) {
  const auto materials = static_cast<std::uint32_t>(body.materials.size());
  const auto textures = static_cast<std::uint32_t>(body.textures.size());
  const auto targets = static_cast<std::uint32_t>(body.morphTargets.size());
  const auto skins = static_cast<std::uint32_t>(body.skins.size());
  for (Material& material : clothes.materials) {
    for (std::optional<std::uint32_t>* texture :
         {&material.texture, &material.normalTexture, &material.surfaceTexture,
          &material.occlusionTexture, &material.emissiveTexture})
      shift(*texture, textures);
    for (MaterialTexture& texture : material.texturesBySecondSet)
      texture.texture += textures;
  }
  for (Mesh& mesh : clothes.meshes) {
    mesh.material += materials;
    shift(mesh.skin, skins);
    for (MorphOffsets& morph : mesh.morphs)
      morph.target += targets;
  }
  for (MorphPose& pose : clothes.morphPoses)
    for (MorphPoseWeight& weight : pose.weights)
      weight.target += targets;
}

// clothes: bound to the body's skeleton, whose nodes are the body's.
Model dressed(Model body, Model clothes) {
  renumber(clothes, body);
  append(body.materials, std::move(clothes.materials));
  append(body.textures, std::move(clothes.textures));
  append(body.morphTargets, std::move(clothes.morphTargets));
  append(body.morphPoses, std::move(clothes.morphPoses));
  append(body.skins, std::move(clothes.skins));
  append(body.meshes, std::move(clothes.meshes));
  append(body.warnings, std::move(clothes.warnings));
  append(body.repairs, std::move(clothes.repairs));
  return body;
}

std::vector<vec2> joinedTexcoords(const Model& model) {
  std::vector<vec2> out;
  for (const Mesh& mesh : model.meshes) {
    if (mesh.texcoords.size() != mesh.positions.size())
      throw inputError(getSourceName(model),
                       fmt::format("mesh '{}' has no texture coordinates", mesh.name),
                       "match by the surface, or by order");
    out.insert(out.end(), mesh.texcoords.begin(), mesh.texcoords.end());
  }
  return out;
}

// A mesh and its weights by the joints of a skeleton.
struct RiggedMesh {
  JoinedMeshes mesh;
  Influences weights;
};

void mirrorSource(const Model& model, const Skeleton& skeleton, RiggedMesh& rigged) {
  const MirrorMap map = mirrorMap(model);
  std::vector<std::uint32_t> partner;
  bool paired = false;
  for (std::uint32_t j = 0; j < skeleton.joints.size(); ++j) {
    const auto found = std::ranges::lower_bound(skeleton.joints, map.partner[skeleton.joints[j]]);
    const bool there = found != skeleton.joints.end() && *found == map.partner[skeleton.joints[j]];
    partner.push_back(there ? static_cast<std::uint32_t>(found - skeleton.joints.begin()) : j);
    paired = paired || partner.back() != j;
  }
  if (!paired)
    throw usageError(
        fmt::format("{}: no joint has a partner on the other side", getSourceName(model)),
        "name them arm.L and arm.R, or LeftArm and RightArm");
  for (vec3& p : rigged.mesh.positions)
    p -= 2.0f * (glm::dot(map.normal, p) - map.offset) * map.normal;
  for (Triangle& t : rigged.mesh.triangles)
    std::swap(t[1], t[2]);
  for (Influence& each : rigged.weights.values)
    each.joint = partner[each.joint];
}

std::vector<bool> chosenJoints(const Model& source, const Skeleton& skeleton,
                               const TransferRigOptions& options) {
  std::vector<bool> out(skeleton.joints.size(), options.joints.empty());
  for (const std::string& name : options.joints) {
    const auto found = std::ranges::find_if(skeleton.joints, [&](std::uint32_t node) {
      return skeleton.hierarchy.nodes[node].name == name;
    });
    if (found == skeleton.joints.end())
      throw usageError(fmt::format("{} has no joint '{}'", getSourceName(source), name),
                       "sinew info lists them");
    out[static_cast<std::size_t>(found - skeleton.joints.begin())] = true;
  }
  if (!options.below) return out;
  const auto parents = parentJoints(skeleton);
  for (std::size_t j = 0; j < out.size(); ++j)
    if (parents[j] && out[*parents[j]]) out[j] = true;
  return out;
}

// The weights by the joints of another skeleton; weights of joints that it lacks are left out.
Influences byOtherJoints(const Influences& weights, const SameJoints& joints) {
  Influences out;
  for (std::size_t v = 0; v < weights.vertexCount(); ++v) {
    for (const Influence& each : weights.of(v))
      if (joints[each.joint]) out.values.push_back({*joints[each.joint], each.weight});
    out.endList();
  }
  return out;
}

// The rig that results: its skeleton, and whose joints are which.
struct ResultingRig {
  Skeleton skeleton;
  SameJoints ofSource;
  std::vector<bool> chosen;             // per joint of `skeleton`
  std::optional<Influences> ownWeights; // the target's weights, where they stay
};

ResultingRig resultingRig(const Model& source, Skeleton sourceSkeleton, const Model& target,
                          const TransferRigOptions& options) {
  const std::vector<bool> chosen = chosenJoints(source, sourceSkeleton, options);
  ResultingRig out;
  std::optional<Skeleton> own;
  if (options.keepsOwnWeights() && target.skins.empty())
    throw inputError(getSourceName(target), "has no weights of its own that could stay",
                     "take all of the source's");
  if (options.keepsOwnWeights() || options.addJoints) own = extractSkeleton(target);
  if (options.keepsOwnWeights())
    out.ownWeights = weightsBySkeleton(target, *own, getSourceName(target));
  if (options.addJoints) {
    out.skeleton = *std::move(own);
    out.ofSource = addJoints(sourceSkeleton, chosen, out.skeleton);
  } else {
    out.skeleton = std::move(sourceSkeleton);
    out.ofSource = sameJoints(out.skeleton, out.skeleton);
    if (out.ownWeights) {
      const SameJoints ofOwn = sameJoints(*own, out.skeleton);
      for (const Influence& each : out.ownWeights->values)
        if (!ofOwn[each.joint])
          throw inputError(getSourceName(target),
                           fmt::format("its joint '{}' has weights, and the source lacks it",
                                       own->hierarchy.nodes[own->joints[each.joint]].name),
                           "add the source's joints to its skeleton (--add-joints)");
      out.ownWeights = byOtherJoints(*out.ownWeights, ofOwn);
    }
  }
  out.chosen.assign(out.skeleton.joints.size(), false);
  for (std::size_t j = 0; j < chosen.size(); ++j)
    if (chosen[j] && out.ofSource[j]) out.chosen[*out.ofSource[j]] = true;
  return out;
}

// Pruning comes last: mixing needs whole weights.
void keepOwnWeights(const ResultingRig& rig, const TransferRigOptions& options,
                    TransferredWeights& weights) {
  const WeightChoice choice{rig.chosen, options.mix};
  Influences out;
  for (std::size_t v = 0; v < weights.influences.vertexCount(); ++v) {
    std::vector<Influence> vertex =
        combinedWeights(rig.ownWeights->of(v), weights.influences.of(v), choice);
    weights.largestCut =
        std::max(weights.largestCut,
                 pruneWeights(vertex, options.weights.influences, options.weights.pruning));
    out.append(vertex);
  }
  weights.influences = std::move(out);
}

TransferredWeights transferredTo(const RiggedMesh& from, std::size_t joints, const Model& source,
                                 const Model& target, const JoinedMeshes& to,
                                 const TransferRigOptions& options, const Progress& progress) {
  for (const auto& [joined, model] : {std::pair(&from.mesh, &source), {&to, &target}})
    if (joined->triangles.empty()) throw inputError(getSourceName(*model), "has no mesh");
  std::vector<vec2> sourceTexcoords, targetTexcoords;
  if (options.weights.by == TransferBy::texture) {
    sourceTexcoords = joinedTexcoords(source);
    targetTexcoords = joinedTexcoords(target);
  }
  if (options.weights.by == TransferBy::order && from.mesh.positions.size() != to.positions.size())
    throw inputError(getSourceName(target),
                     fmt::format("has {} vertices, the source {}: they do not correspond by order",
                                 to.positions.size(), from.mesh.positions.size()),
                     "match by the surface, or by texture coordinates");
  TransferOptions weights = options.weights;
  if (options.keepsOwnWeights()) weights.influences = 0;
  return transferWeights({from.mesh.positions, from.mesh.triangles, sourceTexcoords}, from.weights,
                         joints, {to.positions, to.triangles, targetTexcoords}, weights, progress);
}

} // namespace

TransferredRig transferRig(const Model& source, const Model& target,
                           const TransferRigOptions& options, const Progress& progress) {
  if (options.dress && options.addJoints)
    throw usageError("clothes that join a body share its skeleton",
                     "leave out --dress or --add-joints");
  Skeleton skeleton = extractSkeleton(source);
  RiggedMesh from{joinMeshes(meshesAlone(source)),
                  weightsBySkeleton(source, skeleton, getSourceName(source))};
  if (options.mirror) mirrorSource(source, skeleton, from);
  const std::size_t joints = skeleton.joints.size();
  const ResultingRig rig = resultingRig(source, std::move(skeleton), target, options);
  Model meshes = meshesAlone(target);
  TransferredRig out;
  out.weights = transferredTo(from, joints, source, target, joinMeshes(meshes), options, progress);
  out.weights.influences = byOtherJoints(out.weights.influences, rig.ofSource);
  if (rig.ownWeights) keepOwnWeights(rig, options, out.weights);
  for (const std::uint32_t node : rig.skeleton.joints)
    out.joints.push_back(rig.skeleton.hierarchy.nodes[node].name);
  out.model = bindModel(std::move(meshes), rig.skeleton, out.weights.influences);
  if (options.dress) out.model = dressed(source, std::move(out.model));
  return out;
}

std::size_t countOrigins(const TransferredWeights& weights, TransferOrigin origin) {
  return static_cast<std::size_t>(std::ranges::count(weights.origins, origin));
}

} // namespace sinew
