#include "weights/bind_model.h"

#include "animation/pose.h"
#include "model/mesh.h"
#include "model/morph_targets.h"

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cassert>

namespace sinew {
void moveToModelSpace(Mesh& mesh, const mat4& modelFromNode) {
  const float determinant = glm::determinant(mat3(modelFromNode));
  // The cofactor matrix: the inverse transpose up to a factor, also of singular matrices.
  const mat3 m(modelFromNode);
  mat3 normalMatrix(glm::cross(m[1], m[2]), glm::cross(m[2], m[0]), glm::cross(m[0], m[1]));
  if (determinant < 0.0f) normalMatrix = -normalMatrix;
  transformOffsets(m, normalMatrix, mesh);
  transformTangents(m, mesh);
  normalizeTangents(mesh);
  for (vec3& p : mesh.positions)
    p = transformPoint(modelFromNode, p);
  for (vec3& n : mesh.normals) {
    const vec3 out = normalMatrix * n;
    if (const float length = glm::length(out); length > 0.0f) n = out / length;
  }
  if (determinant < 0.0f)
    for (Triangle& t : mesh.triangles)
      std::swap(t[1], t[2]);
}

Model meshesAlone(Model model) {
  const std::vector<mat4> modelFromNode = modelFromNodes(model.hierarchy, bindPose(model));
  for (Mesh& mesh : model.meshes) {
    // In the bind pose skinning moves no vertex: bind space is model space.
    if (!mesh.skin) moveToModelSpace(mesh, modelFromNode[mesh.node]);
    mesh.node = 0;
    mesh.skin.reset();
    mesh.influences = {};
    mesh.splineInfluences = {};
  }
  model.hierarchy.nodes = {{"root", kNoNode, {}}};
  model.skins.clear();
  model.splines.clear();
  model.clips.clear();
  return model;
}

namespace {

// The clips' weights move the morph targets of the same labels; others have none here.
void nameMorphs(const std::vector<std::string>& labels, Model& model) {
  const std::vector<std::string> here = morphLabels(model);
  for (Clip& clip : model.clips) {
    std::vector<MorphChannel> known;
    for (MorphChannel& channel : clip.morphs)
      if (const auto found = std::find(here.begin(), here.end(), labels[channel.target]);
          found != here.end())
        known.push_back(
            {static_cast<std::uint32_t>(found - here.begin()), std::move(channel.weight)});
    clip.morphs = std::move(known);
  }
}

} // namespace

JoinedMeshes joinMeshes(const Model& meshes) {
  JoinedMeshes out;
  for (const Mesh& mesh : meshes.meshes) {
    const auto first = static_cast<std::uint32_t>(out.positions.size());
    out.positions.insert(out.positions.end(), mesh.positions.begin(), mesh.positions.end());
    for (const auto& [a, b, c] : mesh.triangles)
      out.triangles.push_back({first + a, first + b, first + c});
  }
  return out;
}

Model bindModel(Model meshes, const Skeleton& skeleton, const Influences& influences) {
  assert(influences.vertexCount() == vertexCount(meshes));
  meshes.hierarchy = skeleton.hierarchy;
  meshes.clips = skeleton.clips;
  nameMorphs(skeleton.morphLabels, meshes);
  Skin skin;
  for (std::size_t j = 0; j < skeleton.joints.size(); ++j)
    skin.joints.push_back({skeleton.joints[j], glm::inverse(skeleton.modelFromJoint[j])});
  meshes.skins = {std::move(skin)};
  std::size_t vertex = 0;
  for (Mesh& mesh : meshes.meshes) {
    mesh.node = 0;
    mesh.skin = 0;
    mesh.influences = {};
    for (std::size_t v = 0; v < mesh.positions.size(); ++v)
      mesh.influences.append(influences.of(vertex++));
  }
  return meshes;
}

} // namespace sinew
