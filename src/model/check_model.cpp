#include "model/check_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace sinew {
namespace {

class ModelError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

void require(bool holds, const char* what) {
  if (!holds) throw ModelError(what);
}

void requireIndex(std::uint64_t index, std::size_t count, const char* what) {
  if (index >= count)
    throw ModelError(fmt::format("{} {} does not exist (there are {})", what, index, count));
}

bool finite(float value) {
  return std::isfinite(value);
}
template <glm::length_t N>
bool finite(const glm::vec<N, float>& v) {
  for (glm::length_t i = 0; i < N; ++i)
    if (!std::isfinite(v[i])) return false;
  return true;
}
bool finite(const quat& q) {
  return finite(q.x) && finite(q.y) && finite(q.z) && finite(q.w);
}
bool finite(const mat4& m) {
  return finite(m[0]) && finite(m[1]) && finite(m[2]) && finite(m[3]);
}
template <class T>
bool allAreFinite(const T& values) {
  for (const auto& value : values)
    if (!finite(value)) return false;
  return true;
}

template <class T>
void checkLength(const std::vector<T>& values, std::size_t count, const char* what) {
  if (!values.empty() && values.size() != count)
    throw ModelError(fmt::format("{} {} for {} vertices", values.size(), what, count));
}

void checkCamera(const SceneCamera& camera) {
  require(finite(camera.fieldOfView) && finite(camera.height) &&
              finite(camera.aspect.value_or(1)) && finite(camera.nearPlane) &&
              finite(camera.farPlane.value_or(1)) && finite(camera.nodeFromCamera),
          "a number of a camera is not finite");
}

void checkLight(const SceneLight& light) {
  require(finite(light.color) && finite(light.intensity) && finite(light.range.value_or(1)) &&
              finite(light.innerAngle) && finite(light.outerAngle) && finite(light.nodeFromLight),
          "a number of a light is not finite");
  require(light.kind <= LightKind::directional, "the kind of a light is unknown");
}

void checkHierarchy(const Hierarchy& hierarchy) {
  for (std::size_t i = 0; i < hierarchy.nodes.size(); ++i) {
    const Node& node = hierarchy.nodes[i];
    require(node.parent == kNoNode || node.parent < i, "a node stands before its parent");
    require(finite(node.rest.translation) && finite(node.rest.rotation) && finite(node.rest.scale),
            "a node's place is not finite");
    if (node.camera) checkCamera(*node.camera);
    if (node.light) checkLight(*node.light);
  }
}

void checkInfluences(const Influences& influences, std::size_t vertices, std::size_t joints) {
  require(influences.offsets.size() == vertices + 1, "influences are not of all vertices");
  require(influences.offsets.front() == 0 && influences.offsets.back() == influences.values.size(),
          "influences do not fill their lists");
  for (std::size_t v = 0; v < vertices; ++v)
    require(influences.offsets[v] <= influences.offsets[v + 1], "lists of influences overlap");
  for (const Influence& influence : influences.values) {
    requireIndex(influence.joint, joints, "joint");
    require(finite(influence.weight), "a weight is not finite");
  }
}

void checkMorph(const MorphOffsets& morph, const Mesh& mesh, const Model& model) {
  requireIndex(morph.target, model.morphTargets.size(), "morph target");
  require(morph.positions.size() == morph.vertices.size() &&
              (morph.normals.empty() || morph.normals.size() == morph.vertices.size()),
          "a morph target has not as many offsets as vertices");
  for (std::size_t i = 0; i < morph.vertices.size(); ++i) {
    requireIndex(morph.vertices[i], mesh.positions.size(), "vertex");
    require(i == 0 || morph.vertices[i - 1] < morph.vertices[i],
            "the vertices of a morph target do not ascend");
  }
  require(allAreFinite(morph.positions) && allAreFinite(morph.normals),
          "an offset of a morph target is not finite");
}

void checkMesh(const Mesh& mesh, const Model& model) {
  const std::size_t vertices = mesh.positions.size();
  require(mesh.normals.size() == vertices, "there are not as many normals as vertices");
  checkLength(mesh.tangents, vertices, "tangents");
  checkLength(mesh.texcoords, vertices, "texture coordinates");
  checkLength(mesh.texcoords1, vertices, "second texture coordinates");
  checkLength(mesh.colors, vertices, "colours");
  checkLength(mesh.dualQuaternionShares, vertices, "shares of dual quaternions");
  require(std::ranges::all_of(mesh.dualQuaternionShares,
                              [](float share) { return share >= 0.0f && share <= 1.0f; }),
          "a share of dual quaternions is not between 0 and 1");
  require(allAreFinite(mesh.positions) && allAreFinite(mesh.normals) &&
              allAreFinite(mesh.tangents) && allAreFinite(mesh.texcoords) &&
              allAreFinite(mesh.texcoords1) && allAreFinite(mesh.colors),
          "a value of a vertex is not finite");
  for (const Triangle& triangle : mesh.triangles)
    for (const std::uint32_t vertex : triangle)
      requireIndex(vertex, vertices, "vertex");
  requireIndex(mesh.material, model.materials.size(), "material");
  requireIndex(mesh.node, model.hierarchy.nodes.size(), "node");
  if (mesh.skin) {
    requireIndex(*mesh.skin, model.skins.size(), "skin");
    checkInfluences(mesh.influences, vertices, model.skins[*mesh.skin].joints.size());
  }
  if (mesh.splineInfluences.offsets.size() != 1 || !mesh.splineInfluences.values.empty())
    checkInfluences(mesh.splineInfluences, vertices, model.splines.size());
  for (const MorphOffsets& morph : mesh.morphs)
    checkMorph(morph, mesh, model);
  require(mesh.insertedVertices <= vertices, "more vertices are inserted than there are");
}

void checkMaterial(const Material& material, const Model& model) {
  require(finite(material.baseColor) && finite(material.normalScale) && finite(material.metallic) &&
              finite(material.roughness) && finite(material.occlusionStrength) &&
              finite(material.emissive) && finite(material.shininess) &&
              finite(material.specular) && finite(material.alphaCutoff),
          "a number is not finite");
  for (const auto& [role, texture] : listTextures(material))
    requireIndex(texture, model.textures.size(), "texture");
  for (const MaterialTexture& each : material.texturesBySecondSet) {
    requireIndex(each.texture, model.textures.size(), "texture");
    require(each.role <= TextureRole::emissive, "the role of a texture is unknown");
    require(finite(each.factor), "the factor of a texture is not finite");
  }
  require(material.alphaMode >= AlphaMode::opaque && material.alphaMode <= AlphaMode::blend,
          "its alpha mode is unknown");
}

void checkTexture(const Texture& texture) {
  const Image& image = texture.image;
  require(image.rgba.size() / 4 == std::uint64_t{image.width} * image.height &&
              image.rgba.size() % 4 == 0,
          "the image has not the pixels of its size");
}

template <class T>
void checkTrack(const Track<T>& track) {
  require(track.values.size() == track.times.size(), "a track has not as many values as times");
  require(track.interpolation <= Interpolation::cubic, "an interpolation is unknown");
  require(track.interpolation != Interpolation::cubic ||
              track.tangents.size() == track.times.size(),
          "a track has not as many tangents as times");
  require(allAreFinite(track.times) && allAreFinite(track.values), "a key is not finite");
  for (const auto& tangents : track.tangents)
    require(finite(tangents[0]) && finite(tangents[1]), "a tangent is not finite");
  for (std::size_t i = 1; i < track.times.size(); ++i)
    require(track.times[i - 1] < track.times[i], "the times of a track do not rise");
}

void checkClip(const Clip& clip, const Model& model) {
  require(finite(clip.seconds), "its length is not finite");
  for (const Channel& channel : clip.channels) {
    requireIndex(channel.node, model.hierarchy.nodes.size(), "node");
    checkTrack(channel.translation);
    checkTrack(channel.rotation);
    checkTrack(channel.scale);
  }
  for (const MorphChannel& channel : clip.morphs) {
    requireIndex(channel.target, model.morphTargets.size(), "morph target");
    checkTrack(channel.weight);
  }
  for (const TwistChannel& channel : clip.twists) {
    requireIndex(channel.node, model.hierarchy.nodes.size(), "node");
    checkTrack(channel.twist);
  }
}

// Names the list and the place in it.
template <class T, class Check>
void checkEach(const std::vector<T>& all, const char* name, const Check& check) {
  for (std::size_t i = 0; i < all.size(); ++i)
    try {
      check(all[i]);
    } catch (const ModelError& error) {
      throw ModelError(fmt::format("{}[{}]: {}", name, i, error.what()));
    }
}

// Their nodes are named; a name that no node has is an error of the layer (layer_stack.h).
void checkSpringBones(const SpringBones& bones) {
  checkEach(bones.colliders, "colliders of springs", [](const SpringCollider& collider) {
    require(finite(collider.offset) && finite(collider.radius) && finite(collider.end),
            "a number is not finite");
    require(collider.shape <= ColliderShape::plane, "its shape is unknown");
  });
  checkEach(bones.colliderGroups, "groups of colliders", [&](const auto& group) {
    for (const std::uint32_t collider : group)
      requireIndex(collider, bones.colliders.size(), "collider");
  });
  checkEach(bones.springs, "springs", [&](const Spring& spring) {
    for (const SpringJoint& joint : spring.joints)
      require(finite(joint.endLength) && finite(joint.stiffness) && finite(joint.drag) &&
                  finite(joint.gravity) && finite(joint.radius),
              "a number is not finite");
    for (const std::uint32_t group : spring.colliderGroups)
      requireIndex(group, bones.colliderGroups.size(), "group of colliders");
  });
}

void checkModel(const Model& model) {
  const std::size_t nodes = model.hierarchy.nodes.size();
  require(!model.metersPerUnit || (finite(*model.metersPerUnit) && *model.metersPerUnit > 0.0f),
          "the unit of length is not finite");
  checkHierarchy(model.hierarchy);
  checkEach(model.skins, "skins", [&](const Skin& skin) {
    for (const SkinJoint& joint : skin.joints) {
      requireIndex(joint.node, nodes, "node");
      require(finite(joint.jointFromBind), "a bind matrix is not finite");
    }
  });
  checkEach(model.splines, "splines", [&](const FreeSpline& spline) {
    for (const std::uint32_t node : spline.nodes)
      requireIndex(node, nodes, "node");
    require(allAreFinite(spline.points), "a point is not finite");
  });
  checkEach(model.morphTargets, "morph targets", [](const MorphTarget& target) {
    require(finite(target.weight), "its weight is not finite");
  });
  checkEach(model.morphPoses, "morph poses", [&](const MorphPose& pose) {
    for (const MorphPoseWeight& each : pose.weights) {
      requireIndex(each.target, model.morphTargets.size(), "morph target");
      require(finite(each.weight), "its weight is not finite");
    }
  });
  checkSpringBones(model.springBones);
  checkEach(model.meshes, "meshes", [&](const Mesh& mesh) { checkMesh(mesh, model); });
  checkEach(model.materials, "materials",
            [&](const Material& material) { checkMaterial(material, model); });
  checkEach(model.textures, "textures", checkTexture);
  checkEach(model.clips, "clips", [&](const Clip& clip) { checkClip(clip, model); });
}

} // namespace

std::string modelProblem(const Model& model) {
  try {
    checkModel(model);
  } catch (const ModelError& error) {
    return error.what();
  }
  return {};
}

} // namespace sinew
