// The text of shaders, part by part: what render/programs.h declares without an OpenGL call.
#include "render/further_attributes.h"
#include "render/programs.h"
#include "render/vertex_layout.h"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {
namespace {

std::size_t computeHash(const SkinShader& shader) {
  std::size_t hash = std::hash<std::string>()(shader.inputs);
  const auto add = [&](const std::vector<std::string>& texts) {
    for (const std::string& text : texts)
      hash = 31 * hash + std::hash<std::string>()(text);
  };
  for (const auto* texts : {&shader.mixed, &shader.mixedTangents})
    for (const ShaderText& mixed : *texts)
      hash = 31 * hash + std::hash<std::string>()(mixed.text);
  add(shader.tangentParts);
  add(shader.parts);
  add(shader.defines);
  return hash;
}

std::vector<std::string> makeDefines(const ProgramKey& key) {
  std::vector<std::string> defines = key.skin->defines;
  defines.push_back(fmt::format("NON_UNIFORM_SCALE {}", key.nonUniformScale));
  const auto choice = [&](const char* name, bool on) {
    if (on) defines.emplace_back(name);
  };
  choice("UNLIT", key.surface.unlit);
  choice("FIELD", key.surface.field);
  choice("FIELD_IS_COLOR", key.surface.fieldIsColor);
  choice("COLOR_BLIND_SAFE", key.surface.colorBlindSafe);
  choice("TEXTURED", key.surface.textured);
  choice("TEXCOORDS", key.surface.textured || key.surface.normalMap || key.surface.surfaceMap ||
                          key.surface.occlusionMap || key.surface.emissiveMap);
  choice("NORMAL_MAP", key.surface.normalMap);
  choice("ALPHA_MASK", key.surface.alphaMask);
  choice("ALPHA_BLEND", key.surface.alphaBlend);
  choice("CAPTURE_TANGENTS", key.pass == Pass::captureTangents);
  choice("FLAT_NORMALS", key.surface.flat);
  choice("VERTEX_COLORS", key.surface.vertexColors);
  choice("PICTURE_LIGHT", key.surface.pictureLight);
  choice("PHYSICAL", key.surface.physical);
  choice("SURFACE_MAP", key.surface.surfaceMap);
  choice("OCCLUSION_MAP", key.surface.occlusionMap);
  choice("EMISSIVE_MAP", key.surface.emissiveMap);
  choice("OCCLUSION", key.surface.occlusion);
  choice("SHADOWED", key.surface.shadowed);
  if (key.surface.shadowed) defines.push_back(fmt::format("SHADOW_SIDE {}.0", kShadowSide));
  return defines;
}

std::vector<ShaderSource> sources(std::initializer_list<std::string_view> paths) {
  std::vector<ShaderSource> out;
  for (const std::string_view path : paths)
    out.push_back(findShaderSource(path));
  return out;
}

} // namespace

SkinShader makeSkinShader(const Method& method, const Binding& binding, const BindingForm& form,
                          const SkinShaderOptions& options) {
  const bool tangents = options.tangents;
  const bool computes = !options.stored.empty();
  SkinShader shader;
  shader.mixed = partShaders(binding);
  if (tangents) {
    shader.mixedTangents = partShaders(binding, true);
    shader.tangentParts.assign(method.tangentShaders.begin(), method.tangentShaders.end());
  }
  shader.parts.assign(method.shaders.begin(), method.shaders.end());
  const std::size_t located =
      std::min(std::size_t{form.attributes}, locatedCount(binding, tangents));
  shader.inputs = computes ? storedInputs(binding, options.stored, tangents)
                           : inputDeclarations(binding, located, tangents);
  shader.inputs += furtherDeclarations(binding, tangents);
  Variant variant = binding.variant;
  variant.influences = form.influences;
  variant.attachments = form.attachments;
  shader.defines = makeDefines(variant);
  if (form.attachments > 1 && !binding.forms.empty())
    shader.defines.emplace_back("EVERY_ATTACHMENT"); // the others have a form of their own
  for (std::string& define :
       furtherDefines(binding, tangents, computes ? "vertexIndex" : "gl_VertexID"))
    shader.defines.push_back(std::move(define));
  if (binding.rowsPerEntry > 0) {
    const PaletteReading& reading = options.reading;
    const PaletteStorage storage = options.storage;
    shader.defines.push_back(
        fmt::format("PALETTE_ROWS {}", storedRows(reading.format, binding.rowsPerEntry)));
    if (reading.format == PaletteFormat::dq16) shader.defines.emplace_back("PALETTE_FRACTIONS");
    if (reading.baked) shader.defines.emplace_back("PALETTE_BAKED");
    if (storage == PaletteStorage::storageBuffer) {
      shader.defines.emplace_back("PALETTE_STORAGE_BUFFER");
      shader.version = 430;
    } else if (holdsCrowd(storage)) {
      shader.defines.emplace_back("PALETTE_TEXTURE");
    } else {
      shader.defines.emplace_back(storage == PaletteStorage::block ? "PALETTE_BLOCK"
                                                                   : "PALETTE_UNIFORM_ARRAY");
      shader.defines.push_back(fmt::format("PALETTE_CAPACITY {}", options.capacityRows));
    }
  }
  if (computes) shader.version = 430;
  if (computes) shader.defines.emplace_back("COMPUTE");
  if (computes && tangents) shader.defines.emplace_back("COMPUTE_TANGENTS");
  shader.hash = computeHash(shader);
  return shader;
}

bool ProgramKey::operator==(const ProgramKey& other) const {
  return pass == other.pass && nonUniformScale == other.nonUniformScale &&
         surface == other.surface && (skin == other.skin || *skin == *other.skin);
}

Stage vertexStage(const ProgramKey& key) {
  Stage stage{GL_VERTEX_SHADER,
              makeDefines(key),
              {findShaderSource("common/palette.glsl")},
              key.skin->inputs};
  const bool computes = key.pass == Pass::compute;
  if (computes) stage.type = GL_COMPUTE_SHADER;
  stage.version = key.skin->version;
  const bool tangents = key.surface.normalMap || key.pass == Pass::captureTangents ||
                        (computes && !key.skin->tangentParts.empty());
  const bool captures = key.pass == Pass::capture || key.pass == Pass::captureTangents;
  for (const ShaderText& part : tangents ? key.skin->mixedTangents : key.skin->mixed)
    stage.parts.push_back({part.path, part.text});
  for (const std::string& part : key.skin->parts)
    stage.parts.push_back(findShaderSource(part));
  for (std::size_t i = 0; tangents && i < key.skin->tangentParts.size(); ++i)
    stage.parts.push_back(findShaderSource(key.skin->tangentParts[i]));
  if (computes) {
    stage.parts.push_back(findShaderSource("skin.comp"));
    return stage;
  }
  stage.parts.push_back(findShaderSource("common/frame.glsl"));
  stage.parts.push_back(findShaderSource(captures ? "capture.vert" : "mesh.vert"));
  return stage;
}

// The order of parts, for every program there is. Later parts use what earlier ones declare.
std::vector<Stage> makeStages(const ProgramKey& key) {
  const Stage vertex = vertexStage(key);
  const Stage flat{GL_FRAGMENT_SHADER, vertex.defines, sources({"flat.frag"})};
  switch (key.pass) {
  case Pass::surface:
    return {
        vertex,
        {GL_FRAGMENT_SHADER, vertex.defines,
         sources({"common/frame.glsl", "common/color.glsl", "common/physical.glsl", "mesh.frag"})}};
  case Pass::wireframe:
    return {vertex, flat};
  case Pass::normals:
    return {vertex,
            {GL_GEOMETRY_SHADER, vertex.defines, sources({"common/frame.glsl", "normals.geom"})},
            flat};
  case Pass::capture:
  case Pass::captureTangents:
  case Pass::compute:
    return {vertex};
  }
  return {};
}

std::vector<Stage> overlayStages() {
  return {{GL_VERTEX_SHADER, {}, sources({"common/frame.glsl", "overlay.vert"})},
          {GL_FRAGMENT_SHADER, {}, sources({"overlay.frag"})}};
}

std::vector<Stage> groundStages() {
  return {{GL_VERTEX_SHADER, {}, sources({"common/frame.glsl", "ground.vert"})},
          {GL_FRAGMENT_SHADER,
           {fmt::format("SHADOW_SIDE {}.0", kShadowSide)},
           sources({"ground.frag"})}};
}

} // namespace sinew
