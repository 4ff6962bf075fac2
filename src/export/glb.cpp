#include "export/glb.h"

#include "core/error.h"
#include "core/json_text.h"
#include "export/glb_mesh.h"
#include "export/glb_parts.h"
#include "export/skinning_data.h"
#include "model/png.h"
#include "model/scale_model.h"

#include <fmt/format.h>
#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>

namespace sinew {
namespace {

constexpr const char* kLights = "KHR_lights_punctual";

GltfJson cameraJson(const SceneCamera& camera) {
  GltfJson lens = GltfJson::object();
  const float near = std::max(camera.nearPlane, camera.isOrthographic ? 0.0f : 1e-6f);
  if (camera.isOrthographic) {
    const float half = std::max(0.5f * camera.height, 1e-6f);
    lens["xmag"] = shortNumber(half * camera.aspect.value_or(1.0f));
    lens["ymag"] = shortNumber(half);
    lens["zfar"] = shortNumber(std::max(camera.farPlane.value_or(0.0f), 1.001f * near + 1e-6f));
  } else {
    if (camera.aspect) lens["aspectRatio"] = shortNumber(*camera.aspect);
    lens["yfov"] = shortNumber(camera.fieldOfView);
    if (camera.farPlane && *camera.farPlane > near) lens["zfar"] = shortNumber(*camera.farPlane);
  }
  lens["znear"] = shortNumber(near);
  GltfJson out = GltfJson::object();
  if (!camera.name.empty()) out["name"] = camera.name;
  const char* type = camera.isOrthographic ? "orthographic" : "perspective";
  out["type"] = type;
  out[type] = std::move(lens);
  return out;
}

GltfJson lightJson(const SceneLight& light) {
  GltfJson out = GltfJson::object();
  if (!light.name.empty()) out["name"] = light.name;
  out["type"] = light.kind == LightKind::directional ? "directional"
                : light.kind == LightKind::spot      ? "spot"
                                                     : "point";
  out["color"] = numbersJson(light.color);
  out["intensity"] = shortNumber(light.intensity);
  if (light.range && light.kind != LightKind::directional) out["range"] = shortNumber(*light.range);
  if (light.kind == LightKind::spot) {
    const float outer = std::clamp(light.outerAngle, 1e-4f, 1.5707963f);
    out["spot"] = {{"innerConeAngle", shortNumber(std::min(light.innerAngle, 0.999f * outer))},
                   {"outerConeAngle", shortNumber(outer)}};
  }
  return out;
}

// The node itself, or one below it.
GltfJson& nodeFor(std::size_t node, const quat& turned, const std::string& name, GltfJson& file) {
  if (std::abs(turned.w) > 1.0f - 1e-7f) return file["nodes"][node];
  const std::size_t made = appendTo(
      file, "nodes",
      {{"name", name}, {"rotation", numbersJson(vec4(turned.x, turned.y, turned.z, turned.w))}});
  appendTo(file["nodes"][node], "children", made);
  return file["nodes"][made];
}

// Cameras, lights (KHR_lights_punctual) and custom properties, to the file's first nodes, which are
// those of the hierarchy. A camera or a light that is turned in its node gets a node below it,
// behind all others.
void addSceneParts(const Hierarchy& hierarchy, GltfJson& file) {
  for (std::size_t n = 0; n < hierarchy.nodes.size(); ++n) {
    const Node& node = hierarchy.nodes[n];
    if (!node.extras.empty()) {
      const GltfJson extras = parseJson(node.extras, node.name);
      file["nodes"][n]["extras"].update(extras);
    }
    if (const auto& camera = node.camera) {
      const std::size_t index = appendTo(file, "cameras", cameraJson(*camera));
      nodeFor(n, camera->nodeFromCamera, freeNodeName(hierarchy, node.name + " camera"),
              file)["camera"] = index;
    }
    if (const auto& light = node.light) {
      useExtension(file, kLights);
      const std::size_t index = appendTo(file["extensions"][kLights], "lights", lightJson(*light));
      nodeFor(n, light->nodeFromLight, freeNodeName(hierarchy, node.name + " light"),
              file)["extensions"][kLights]["light"] = index;
    }
  }
}

using FileTextures = std::vector<std::optional<std::size_t>>; // per texture of the model

FileTextures addTextures(const Model& model, GlbBuffer& buffer, GltfJson& out) {
  FileTextures made;
  for (const Texture& texture : model.textures) {
    made.emplace_back();
    const Image& image = texture.image;
    if (!texture.found || image.rgba.empty()) continue;
    const std::string png = encodePng(image, PngEffort::small);
    const std::size_t view = buffer.addView(png.data(), png.size(), GlbUse::other);
    const std::size_t source = appendTo(
        out, "images", {{"name", texture.path}, {"mimeType", "image/png"}, {"bufferView", view}});
    made.back() = appendTo(out, "textures", {{"source", source}});
  }
  return made;
}

void setEmission(const vec3& glow, GltfJson& material) {
  if (glow == vec3(0.0f)) return;
  const float strength = std::max({1.0f, glow.x, glow.y, glow.z});
  material["emissiveFactor"] = numbersJson(glow / strength);
  if (strength > 1.0f)
    material["extensions"]["KHR_materials_emissive_strength"]["emissiveStrength"] =
        shortNumber(strength);
}

// One by TEXCOORD_1.
void addSecondTexture(const Material& material, const MaterialTexture& each, std::size_t index,
                      GltfJson& out) {
  GltfJson texture = {{"index", index}, {"texCoord", 1}};
  switch (each.role) {
  case TextureRole::baseColor: // by TEXCOORD_0 always
    break;
  case TextureRole::normals:
    if (material.normalScale != 1.0f) texture["scale"] = shortNumber(material.normalScale);
    out["normalTexture"] = std::move(texture);
    break;
  case TextureRole::surface:
    out["pbrMetallicRoughness"]["roughnessFactor"] = shortNumber(each.factor.y);
    out["pbrMetallicRoughness"]["metallicFactor"] = shortNumber(each.factor.z);
    out["pbrMetallicRoughness"]["metallicRoughnessTexture"] = std::move(texture);
    break;
  case TextureRole::occlusion:
    if (material.occlusionStrength != 1.0f)
      texture["strength"] = shortNumber(material.occlusionStrength);
    out["occlusionTexture"] = std::move(texture);
    break;
  case TextureRole::emissive:
    setEmission(each.factor, out);
    out["emissiveTexture"] = std::move(texture);
    break;
  }
}

GltfJson materialJson(const Material& material, const FileTextures& textures) {
  GltfJson pbr = {{"baseColorFactor", numbersJson(glm::clamp(material.baseColor, 0.0f, 1.0f))}};
  if (material.texture && textures[*material.texture])
    pbr["baseColorTexture"]["index"] = *textures[*material.texture];
  pbr["metallicFactor"] = shortNumber(material.metallic);
  pbr["roughnessFactor"] = shortNumber(material.roughness);
  const auto texture = [&](const std::optional<std::uint32_t>& t) -> GltfJson {
    if (!t || !textures[*t]) return nullptr;
    return {{"index", *textures[*t]}};
  };
  if (GltfJson surface = texture(material.surfaceTexture); !surface.is_null())
    pbr["metallicRoughnessTexture"] = std::move(surface);
  GltfJson out = {{"name", material.name}, {"pbrMetallicRoughness", std::move(pbr)}};
  if (material.normalTexture && textures[*material.normalTexture]) {
    out["normalTexture"]["index"] = *textures[*material.normalTexture];
    if (material.normalScale != 1.0f)
      out["normalTexture"]["scale"] = shortNumber(material.normalScale);
  }
  if (GltfJson occlusion = texture(material.occlusionTexture); !occlusion.is_null()) {
    out["occlusionTexture"] = std::move(occlusion);
    if (material.occlusionStrength != 1.0f)
      out["occlusionTexture"]["strength"] = shortNumber(material.occlusionStrength);
  }
  setEmission(material.emissive, out);
  if (GltfJson glow = texture(material.emissiveTexture); !glow.is_null())
    out["emissiveTexture"] = std::move(glow);
  for (const MaterialTexture& each : material.texturesBySecondSet)
    if (textures[each.texture]) addSecondTexture(material, each, *textures[each.texture], out);
  if (material.doubleSided) out["doubleSided"] = true;
  if (material.alphaMode == AlphaMode::blend) out["alphaMode"] = "BLEND";
  if (material.alphaMode == AlphaMode::mask) {
    out["alphaMode"] = "MASK";
    out["alphaCutoff"] = shortNumber(material.alphaCutoff);
  }
  return out;
}

void addNodes(const Hierarchy& hierarchy, GltfJson& out) {
  for (std::uint32_t n = 0; n < hierarchy.nodes.size(); ++n) {
    const Node& node = hierarchy.nodes[n];
    appendTo(out, "nodes", nodeJson(node));
    if (node.parent == kNoNode)
      appendTo(out["scenes"][0], "nodes", n);
    else
      appendTo(out["nodes"][node.parent], "children", n);
  }
}

void addSkins(const Model& model, GlbBuffer& buffer, GltfJson& out) {
  for (const Skin& skin : model.skins) {
    GltfJson made = {{"inverseBindMatrices", addInverseBinds(skin.joints, mat4(1.0f), buffer)},
                     {"joints", GltfJson::array()}};
    for (const SkinJoint& joint : skin.joints)
      made["joints"].push_back(joint.node);
    appendTo(out, "skins", std::move(made));
  }
}

void addSkinning(const Model& model, const GlbMeshParts& parts, const SkinningData& skinning,
                 GlbBuffer& buffer, GltfJson& mesh) {
  for (std::size_t p = 0; p < parts.parts.size(); ++p)
    addSkinningAttributes(skinning, static_cast<std::size_t>(parts.parts[p] - model.meshes.data()),
                          allVertices(*parts.parts[p]), buffer,
                          mesh["primitives"][p]["attributes"]);
}

// Every mesh on a node of its own: a skinned one at the top of the scene, a rigid one where it is.
std::vector<MorphingMesh> addMeshes(const Model& model, const SkinningData* skinning,
                                    GlbBuffer& buffer, GltfJson& out) {
  std::vector<MorphingMesh> morphing;
  std::set<std::string> names;
  for (const Node& node : model.hierarchy.nodes)
    names.insert(node.name);
  for (const GlbMeshParts& parts : glbMeshes(model)) {
    const Mesh& mesh = *parts.parts.front();
    std::string name = makeName(parts).empty() ? "mesh" : makeName(parts);
    while (!names.insert(name).second)
      name += "_mesh";
    GltfJson made = meshJson(model, parts, buffer);
    if (skinning != nullptr && mesh.skin) addSkinning(model, parts, *skinning, buffer, made);
    GltfJson node = {{"name", name}, {"mesh", appendTo(out, "meshes", std::move(made))}};
    if (mesh.skin) node["skin"] = *mesh.skin;
    if (skinning != nullptr && mesh.skin) stateSkinning(skinningJson(*skinning, mat4(1.0f)), node);
    const std::size_t index = appendTo(out, "nodes", std::move(node));
    if (mesh.skin)
      appendTo(out["scenes"][0], "nodes", index);
    else
      appendTo(out["nodes"][mesh.node], "children", index);
    if (!parts.targets.empty()) morphing.push_back({index, parts.targets});
  }
  return morphing;
}

} // namespace

Model inMetres(Model model) {
  if (model.metersPerUnit && *model.metersPerUnit != 1.0f) {
    scaleModel(model, *model.metersPerUnit);
    model.metersPerUnit = 1.0f;
  }
  return model;
}

std::string toGlb(const Model& model, std::span<const NodeConstraint> constraints,
                  const SkinningData* skinning) {
  if (model.hierarchy.nodes.empty()) throw usageError("a model without nodes cannot be written");
  GltfJson out = {{"asset", {{"version", "2.0"}, {"generator", "sinew " SINEW_VERSION}}},
                  {"scene", 0},
                  {"scenes", GltfJson::array({GltfJson{{"nodes", GltfJson::array()}}})}};
  GlbBuffer buffer(out);
  const FileTextures textures = addTextures(model, buffer, out);
  for (const Material& material : model.materials)
    if (const std::size_t i = appendTo(out, "materials", materialJson(material, textures));
        out["materials"][i].contains("extensions"))
      useExtension(out, "KHR_materials_emissive_strength");
  addNodes(model.hierarchy, out);
  FileNodes nodes(model.hierarchy.nodes.size());
  std::iota(nodes.begin(), nodes.end(), std::size_t{0});
  addConstraints(constraints, nodes, out);
  addSkins(model, buffer, out);
  if (!model.splines.empty()) out["extras"]["sinew"]["splines"] = splinesJson(model, nodes);
  const std::vector<MorphingMesh> morphing = addMeshes(model, skinning, buffer, out);
  addSceneParts(model.hierarchy, out);
  for (const Clip& clip : model.clips)
    if (GltfJson made = animationJson(model, nodes, morphing, clip, buffer);
        made.contains("channels"))
      appendTo(out, "animations", std::move(made));
  return buffer.finish();
}

std::vector<std::string> leftOutOfGlb(const Model& model) {
  std::vector<std::string> out;
  for (const Texture& texture : model.textures)
    if (!texture.found) out.push_back(fmt::format("texture {}: it was not found", texture.path));
  for (std::uint32_t i = 0; i < model.morphTargets.size(); ++i)
    if (std::ranges::none_of(model.meshes, [&](const Mesh& mesh) {
          return std::ranges::find(mesh.morphs, i, &MorphOffsets::target) != mesh.morphs.end();
        }))
      out.push_back(fmt::format("morph target {}: it moves nothing", model.morphTargets[i].name));
  for (const Clip& clip : model.clips)
    if (!clip.moves()) out.push_back(fmt::format("clip {}: it moves nothing", clip.name));
  if (!model.skinnedBy.empty())
    out.push_back(fmt::format("the skin's own method {}: glTF is skinned linearly; 'sinew bake' "
                              "makes helper joints for it",
                              model.skinnedBy));
  return out;
}

} // namespace sinew
