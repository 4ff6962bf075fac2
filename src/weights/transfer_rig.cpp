#include "weights/transfer_rig.h"

#include "core/error.h"
#include "weights/bind_model.h"
#include "weights/skeleton_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace sinew {
namespace {

const std::string& fileOf(const Model& model) {
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
      throw inputError(fileOf(model),
                       fmt::format("mesh '{}' has no texture coordinates", mesh.name),
                       "match by the surface, or by order");
    out.insert(out.end(), mesh.texcoords.begin(), mesh.texcoords.end());
  }
  return out;
}

} // namespace

TransferredRig transferRig(const Model& source, const Model& target, const TransferOptions& options,
                           bool dress, const Progress& progress) {
  const Skeleton skeleton = skeletonOf(source);
  const Influences weights = weightsBySkeleton(source, skeleton, fileOf(source));
  const JoinedMeshes from = joinMeshes(meshesAlone(source));
  Model meshes = meshesAlone(target);
  const JoinedMeshes to = joinMeshes(meshes);
  for (const auto& [joined, model] : {std::pair(&from, &source), {&to, &target}})
    if (joined->triangles.empty()) throw inputError(fileOf(*model), "has no mesh");
  std::vector<vec2> sourceTexcoords, targetTexcoords;
  if (options.by == TransferBy::texture) {
    sourceTexcoords = joinedTexcoords(source);
    targetTexcoords = joinedTexcoords(target);
  }
  if (options.by == TransferBy::order && from.positions.size() != to.positions.size())
    throw inputError(fileOf(target),
                     fmt::format("has {} vertices, the source {}: they do not correspond by order",
                                 to.positions.size(), from.positions.size()),
                     "match by the surface, or by texture coordinates");
  TransferredRig out;
  for (const std::uint32_t node : skeleton.joints)
    out.joints.push_back(skeleton.hierarchy.nodes[node].name);
  out.weights = transferWeights({from.positions, from.triangles, sourceTexcoords}, weights,
                                skeleton.joints.size(),
                                {to.positions, to.triangles, targetTexcoords}, options, progress);
  out.model = bindModel(std::move(meshes), skeleton, out.weights.influences);
  if (dress) out.model = dressed(source, std::move(out.model));
  return out;
}

std::size_t countOf(const TransferredWeights& weights, TransferOrigin origin) {
  return static_cast<std::size_t>(std::ranges::count(weights.origins, origin));
}

} // namespace sinew
