#include "page/page_shaders.h"

#include "page/page_mesh.h"
#include "render/programs.h"
#include "render/shader_es300.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

// Indices of a stage's parts in a list of all texts.
Json listPartIndices(const Stage& stage, std::vector<std::string>& texts) {
  Json out = Json::array();
  for (const ShaderSource& part : stage.parts) {
    const std::string text = es300Part(part.text);
    const auto found = std::ranges::find(texts, text);
    out.push_back(found - texts.begin());
    if (found == texts.end()) texts.push_back(text);
  }
  return out;
}

Json writeShaders(const BoundMethod& bound, bool tangents, std::vector<std::string>& texts) {
  // The whole form serves every vertex; the cheaper ones would be further programs to compile.
  ProgramKey key{
      .skin = std::make_shared<const SkinShader>(makeSkinShader(
          *bound.method, bound.binding, listForms(bound.binding).back(), {.tangents = tangents}))};
  Json out{{"name", bound.method->name}, {"inputs", es300Part(key.skin->inputs)}};
  out["defines"] = Json::array();
  for (const std::string& define : key.skin->defines)
    out["defines"].push_back(es300Part(define));
  out["surface"] = listPartIndices(vertexStage(key), texts);
  key.pass = Pass::capture;
  out["capture"] = listPartIndices(vertexStage(key), texts);
  key.pass = Pass::surface;
  key.surface.normalMap = true;
  if (tangents) out["tangentSurface"] = listPartIndices(vertexStage(key), texts);
  return out;
}

} // namespace

Json pageShaders(const Workbench& workbench) {
  std::vector<std::string> texts;
  Json out{{"head", es300Head(true)}};
  out["methods"] = Json::array();
  for (const BoundMethod& bound : workbench.bound)
    out["methods"].push_back(
        writeShaders(bound, takesTangents(workbench.rig, *bound.method, bound.binding), texts));
  const SkinShader none; // fragment shaders are the same for all
  const ProgramKey key{.skin = std::make_shared<const SkinShader>(none)};
  out["fragment"] = listPartIndices(makeStages(key).back(), texts);
  const std::vector<Stage> overlay = overlayStages();
  out["overlayVertex"] = listPartIndices(overlay.front(), texts);
  out["overlayFragment"] = listPartIndices(overlay.back(), texts);
  out["parts"] = texts;
  return out;
}

} // namespace sinew
