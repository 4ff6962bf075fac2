#include "render/programs.h"

#include "render/further_attributes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace sinew {
namespace {

Program build(const std::vector<Stage>& stages, std::span<const char* const> captured) {
  Program program(stages, captured);
  program.bindBlock("Frame", kFrameBlock);
  program.bindBlock("PaletteBlock", kPaletteBlock);
  program.use();
  Program::set(program.uniform("baseTexture"), static_cast<int>(kBaseTextureUnit));
  Program::set(program.uniform("normalTexture"), static_cast<int>(kNormalTextureUnit));
  Program::set(program.uniform("surfaceTexture"), static_cast<int>(kSurfaceTextureUnit));
  Program::set(program.uniform("occlusionTexture"), static_cast<int>(kOcclusionTextureUnit));
  Program::set(program.uniform("emissiveTexture"), static_cast<int>(kEmissiveTextureUnit));
  Program::set(program.uniform("shadowMap"), static_cast<int>(kShadowUnit));
  Program::set(program.uniform("plays"), static_cast<int>(kPlaysUnit));
  for (std::size_t i = 0; i < kFurtherTextures.size(); ++i)
    Program::set(program.uniform(kFurtherTextures[i].data()), static_cast<int>(kFurtherUnit + i));
  return program;
}

} // namespace

std::size_t Programs::KeyHash::operator()(const ProgramKey& key) const {
  std::size_t choices = static_cast<std::size_t>(key.pass);
  const SurfaceVariant& s = key.surface;
  for (const bool on :
       {key.nonUniformScale, s.unlit, s.field, s.fieldIsColor, s.colorBlindSafe, s.textured,
        s.normalMap, s.alphaMask, s.alphaBlend, s.flat, s.vertexColors, s.pictureLight, s.physical,
        s.surfaceMap, s.occlusionMap, s.emissiveMap, s.occlusion, s.shadowed})
    choices = 2 * choices + (on ? 1 : 0);
  return key.skin->hash ^ choices;
}

const SkinnedProgram& Programs::skinned(const ProgramKey& key) {
  ++calls_;
  if (const auto known = skinned_.find(key); known != skinned_.end()) {
    known->second.lastUse = calls_;
    return known->second.program;
  }
  static constexpr std::array kCaptured{"capturedPosition", "capturedNormal"};
  const std::span<const char* const> captured(kCaptured);
  const bool captures = key.pass == Pass::capture || key.pass == Pass::captureTangents;
  SkinnedProgram out;
  out.program = build(makeStages(key), captures ? captured : captured.first(0));
  out.baseColor = out.program.uniform("baseColor");
  out.gloss = out.program.uniform("gloss");
  out.normalScale = out.program.uniform("normalScale");
  out.alphaCutoff = out.program.uniform("alphaCutoff");
  out.lineColor = out.program.uniform("lineColor");
  out.pictureLight = out.program.uniform("pictureLight");
  out.metalRough = out.program.uniform("metalRough");
  out.emissiveGlow = out.program.uniform("emissiveGlow");
  out.softLights = out.program.uniform("softLights");
  out.shadowFromWorld = out.program.uniform("shadowFromWorld");
  out.palette = out.program.uniform("palette");
  out.paletteInstanceRows = out.program.uniform("paletteInstanceRows");
  out.paletteScale = out.program.uniform("paletteScale");
  out.bakedSeconds = out.program.uniform("bakedSeconds");
  out.batch = out.program.uniform("batch");
  out.posed = out.program.uniform("posed");
  out.firstCharacter = out.program.uniform("firstCharacter");
  if (skinned_.size() >= max_) deleteLeastUsed();
  return skinned_.emplace(key, Entry{std::move(out), calls_}).first->second.program;
}

void Programs::deleteLeastUsed() {
  const auto least =
      std::min_element(skinned_.begin(), skinned_.end(), [](const auto& a, const auto& b) {
        return a.second.lastUse < b.second.lastUse;
      });
  if (least != skinned_.end()) skinned_.erase(least);
}

const Program& Programs::ground() {
  if (!ground_) ground_ = build(groundStages(), {});
  return ground_;
}

const Program& Programs::overlay() {
  if (!overlay_) overlay_ = build(overlayStages(), {});
  return overlay_;
}

} // namespace sinew
