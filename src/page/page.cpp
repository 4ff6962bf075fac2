#include "page/page.h"

#include "animation/pose.h"
#include "app/settings_view.h"
#include "core/error.h"
#include "page/page_drawing.h"
#include "page/page_files.h"
#include "page/page_motion.h"
#include "page/page_posing.h"
#include "page/page_textures.h"
#include "skinning/modified.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <utility>

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

// Share of the model's size above which rounding could be seen, in a close look or in the colours
// of differences.
constexpr float kLargestError = 1e-4f;

Json toJson(const vec3& v) {
  return {v.x, v.y, v.z};
}

float sizeInBindPose(const Workbench& workbench) {
  const BoundMethod& bound = workbench.bound.front();
  Palette palette;
  packPalette(*bound.method, workbench.rig, bound.binding,
              modelFromNodes(workbench.model.hierarchy, bindPose(workbench.model)), palette);
  SkinnedMesh skin;
  bound.method->skin(workbench.rig, bound.binding, palette, skin);
  return computeBounds(skin.positions).size();
}

Json writeJoints(const Model& model) {
  const std::vector<std::uint32_t> nodes = jointNodes(model);
  Json out = Json::array();
  for (const std::uint32_t node : nodes) {
    // The nearest joint above: helper nodes between two are passed over.
    auto parent = nodes.end();
    for (std::uint32_t above = model.hierarchy.nodes[node].parent;
         above != kNoNode && parent == nodes.end(); above = model.hierarchy.nodes[above].parent)
      parent = std::ranges::find(nodes, above);
    out.push_back({{"name", model.hierarchy.nodes[node].name},
                   {"parent", parent == nodes.end() ? -1 : parent - nodes.begin()}});
  }
  return out;
}

Json writeMaterials(const Model& model) {
  std::vector<Material> materials = model.materials;
  if (materials.empty()) materials.emplace_back();
  Json out = Json::array();
  static constexpr std::array kModes = {"opaque", "mask", "blend"};
  for (const Material& material : materials) {
    Json one{
        {"baseColor",
         {material.baseColor.x, material.baseColor.y, material.baseColor.z, material.baseColor.w}},
        {"gloss", {material.specular, material.shininess}},
        {"alphaMode", kModes.at(static_cast<std::size_t>(material.alphaMode))},
        {"alphaCutoff", material.alphaCutoff}};
    if (material.flat) one["flat"] = true;
    one["metalRough"] = {material.metallic, material.roughness};
    one["emissiveGlow"] = {material.emissive.x, material.emissive.y, material.emissive.z,
                           material.occlusionStrength};
    if (material.texture) one["texture"] = *material.texture;
    const auto further = [&](const char* name, const std::optional<std::uint32_t>& texture) {
      if (texture && model.textures[*texture].found) one[name] = *texture;
    };
    further("surfaceTexture", material.surfaceTexture);
    further("occlusionTexture", material.occlusionTexture);
    further("emissiveTexture", material.emissiveTexture);
    if (material.normalTexture && showsNormalMap(model, material)) {
      one["normalTexture"] = *material.normalTexture;
      one["normalScale"] = material.normalScale;
    }
    out.push_back(std::move(one));
  }
  return out;
}

// Null for those that no material shows.
Json writeTextures(const Model& model, const PageOptions& options, PackedArrays& arrays) {
  Json out = Json::array();
  for (std::uint32_t t = 0; t < model.textures.size(); ++t) {
    bool color = false, numbers = false;
    for (const Material& material : model.materials)
      for (const auto& [role, texture] : listTextures(material)) {
        if (texture != t) continue;
        if (role == TextureRole::normals && !showsNormalMap(model, material)) continue;
        (isColor(role) ? color : numbers) = true;
      }
    out.push_back(nullptr);
    if (!color && !numbers) continue;
    if (options.rawTextures) {
      const Image image = limitedImage(model.textures[t], options.textureLimit);
      out.back() =
          arrays.addBytes({reinterpret_cast<const char*>(image.rgba.data()), image.rgba.size()});
      out.back()["width"] = image.width;
      out.back()["height"] = image.height;
    } else {
      const EncodedTexture encoded =
          encodeTexture(model.textures[t], options.textureLimit, options.exact || numbers);
      out.back() = arrays.addBytes(encoded.bytes);
      out.back()["mime"] = encoded.mime;
    }
    out.back()["color"] = color;
    out.back()["numbers"] = numbers;
  }
  return out;
}

// Null without a picture as light. Turned about y by the yaw, then as the light (scene.js).
Json pictureJson(const Light& light) {
  if (!light.picture) return nullptr;
  Json coefficients = Json::array();
  for (const vec3& coefficient : light.picture->coefficients)
    coefficients.push_back(toJson(coefficient));
  return {{"coefficients", coefficients},
          {"main", toJson(mainDirection(*light.picture))},
          {"yaw", std::atan2(light.direction.x, light.direction.z)}};
}

// Null without the physically based look. Turned as a picture's light (scene.js).
Json studioJson(const Light& light) {
  if (!light.studio) return nullptr;
  const Studio& studio = *light.studio;
  Json coefficients = Json::array();
  for (const vec3& coefficient : studio.around.coefficients)
    coefficients.push_back(toJson(coefficient));
  Json softLights = Json::array();
  for (const SoftLight& soft : studio.softLights)
    softLights.push_back({{"towards", toJson(soft.towards)},
                          {"sharpness", soft.sharpness},
                          {"radiance", toJson(soft.radiance)}});
  return {{"coefficients", coefficients},
          {"softLights", softLights},
          {"key", toJson(studio.key)},
          {"keySharpness", studio.keySharpness},
          {"yaw", std::atan2(light.direction.x, light.direction.z)}};
}

Json viewJson(const Settings& settings) {
  const View view = makeView(settings, {}, {}, {});
  Json colors = Json::array();
  for (const vec3& color : fieldColors(settings))
    colors.push_back(toJson(color));
  return {{"camera", {settings.yaw, settings.pitch, settings.distance}},
          {"fieldOfView", Camera().fovY},
          {"background", toJson(getColor(settings.background))},
          {"ownBackground", settings.background != Settings().background},
          {"light", toJson(view.light.direction)},
          {"picture", view.light.studio ? Json() : pictureJson(view.light)},
          {"studio", studioJson(view.light)},
          {"intensity", view.light.intensity},
          {"headlight", view.light.headlight},
          {"grid", settings.grid},
          {"skeleton", settings.skeleton},
          {"turntable", settings.turntable},
          {"weightsJoint", settings.weightsJoint},
          {"differenceScale", 0.01f * settings.differenceScale},
          {"colorBlindSafe", settings.colormap == FieldColors::colorBlindSafe},
          {"fieldColors", colors},
          {"time", settings.time},
          {"speed", settings.speed},
          {"playing", settings.playing},
          {"loop", settings.loop},
          {"pingPong", settings.pingPong}};
}

// Adds mesh and motion to the description, and the program that packs palettes where it can.
PageError addCharacter(const Workbench& workbench, std::span<const PageClip> clips,
                       const PageMorphs& morphs, bool byProgram, MotionForm form, float size,
                       Json& description, PackedArrays& arrays) {
  PageMesh read;
  PageError error;
  std::vector<std::uint32_t> nodes;
  if (byProgram) nodes = addPosing(workbench, description, arrays);
  form.nodes = nodes;
  description["mesh"] = addMesh(workbench, morphs, form.exact, arrays, read);
  description["clips"] = addMotion(workbench, clips, morphs, read, size, form, arrays, error);
  return error;
}

// What is left out until no vertex is seen to be off: rounding, then the motion of morph targets.
struct PageForm {
  PageMorphs morphs;
  bool exact = false;
};

std::vector<PageForm> pageForms(const Workbench& workbench, std::span<const PageClip> clips,
                                bool exact, bool shapes) {
  std::vector<PageMorphs> morphs{movingMorphs(workbench, clips, shapes)};
  if (!morphs.front().moving.empty()) morphs.push_back(stillMorphs(workbench, morphs.front()));
  std::vector<PageForm> out;
  for (const PageMorphs& each : morphs) {
    if (!exact) out.push_back({each, false});
    out.push_back({each, true});
  }
  return out;
}

// off: the largest error with floats as they are and targets that move.
std::string stillReason(const PageMorphs& morphs, float off) {
  if (morphs.still == 0) return {};
  if (morphs.tooMany > 0)
    return fmt::format("they move {} vertices together, and a page holds {}", morphs.tooMany,
                       kMaxMovedVertices);
  return fmt::format(
      "they do not act linearly on all methods: a vertex would be off by {:.2g} % of "
      "the size, and up to {:g} % are allowed",
      100.0 * static_cast<double>(off), 100.0 * static_cast<double>(kLargestError));
}

} // namespace

std::string pageData(const Workbench& workbench, const Settings& settings,
                     std::span<const PageClip> clips, const PageOptions& options,
                     PageSummary& summary) {
  if (workbench.rig.triangles.empty())
    throw inputError(workbench.model.path.empty() ? workbench.model.name : workbench.model.path,
                     "a page shows triangles, and this model has none");
  std::vector<PageClip> ownClips;
  if (std::ranges::any_of(workbench.bound,
                          [](const BoundMethod& b) { return b.method->shows != nullptr; }))
    clips = ownClips = withStandIns(workbench, clips);
  summary.fixedReason =
      options.posing ? fixedReason(workbench, clips, options.program) : "it was left out";
  const float size = sizeInBindPose(workbench);
  Json description;
  PackedArrays arrays;
  PageError error;
  float movingError = 0.0f;
  for (const PageForm& form :
       pageForms(workbench, clips, options.exact || !options.measured, options.shapes)) {
    arrays = {};
    error = addCharacter(workbench, clips, form.morphs, summary.fixedReason.empty(),
                         {form.exact, options.measured}, size, description, arrays);
    summary.rounded = !form.exact;
    summary.stillMorphs = form.morphs.still;
    summary.stillReason = stillReason(form.morphs, movingError);
    if (!form.morphs.moving.empty()) movingError = error.largest;
    if (error.largest <= kLargestError) break;
  }
  for (const PageClip& clip : clips)
    summary.poses += clip.poses.size();
  summary.errorPercent = 100.0 * static_cast<double>(error.largest);
  summary.measured = error.poses;

  if (summary.fixedReason.empty() && options.program)
    description["posing"]["module"] = arrays.addBytes(pageFile("pose.wasm"));
  description["name"] = workbench.model.name;
  description["size"] = size;
  description["view"] = viewJson(settings);
  description["joints"] = writeJoints(workbench.model);
  description["materials"] = writeMaterials(workbench.model);
  description["textures"] = writeTextures(workbench.model, options, arrays);
  description["fixedReason"] = summary.fixedReason;
  description["shaders"] = pageShaders(workbench);
  for (std::size_t m = 0; m < workbench.bound.size(); ++m) {
    const BoundMethod& bound = workbench.bound[m];
    Json method{{"name", methodText(settings.methods[m])},
                {"title", makeTitle(settings.methods[m])},
                {"summary", bound.method->summary}};
    // The place of the rows of velocity skinning within an entry of the palette.
    if (isModified(bound.binding, velocityModifier()))
      method["velocity"] = {{"row", bound.binding.parts[1].firstRow},
                            {"entries", bound.binding.entryCount}};
    description["methods"].push_back(std::move(method));
  }
  description["errorPercent"] = summary.errorPercent;

  const std::string json = description.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string bytes(4, '\0');
  for (std::size_t i = 0; i < 4; ++i)
    bytes[i] = static_cast<char>(json.size() >> (8 * i) & 0xff);
  bytes += json;
  return bytes + arrays.bytes();
}

} // namespace sinew
