#include "core/error.h"
#include "import/gltf/steps.h"
#include "import/readers.h"
#include "import/repairs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sinew {
namespace {

// Positions and normals are read.
void countMorphs(const GltfJson& primitive, UnusedCounts& counts) {
  for (const GltfJson& target : arrayIn(primitive, "targets"))
    for (auto it = target.begin(); it != target.end(); ++it)
      if (it.key() == "TANGENT")
        counts.add("morph target's set of tangents", "morph targets' sets of tangents");
      else if (it.key() != "POSITION" && it.key() != "NORMAL")
        counts.add("morph target's set of colours or texture coordinates",
                   "morph targets' sets of colours or texture coordinates");
}

bool takesTangents(const GltfDocument& document, const GltfJson& primitive) {
  const auto material = indexIn(primitive, "material");
  return material && drawsNormalMap(document.item("materials", *material)) &&
         memberIn(objectIn(primitive, "attributes"), "NORMAL") != nullptr;
}

void countMeshes(const GltfDocument& document, UnusedCounts& counts) {
  for (const GltfJson& mesh : arrayIn(document.root(), "meshes")) {
    for (const GltfJson& primitive : arrayIn(mesh, "primitives")) {
      countMorphs(primitive, counts);
      if (countIn(primitive, "mode", 4) < 4)
        counts.add("primitive of points or lines", "primitives of points or lines");
      const GltfJson& attributes = objectIn(primitive, "attributes");
      std::size_t texcoords = 0;
      for (auto it = attributes.begin(); it != attributes.end(); ++it) {
        const std::string& name = it.key();
        if (name == "TANGENT" && !takesTangents(document, primitive))
          counts.add("set of tangents without a normal map",
                     "sets of tangents without a normal map");
        if (name.starts_with("TEXCOORD_") && ++texcoords > 2)
          counts.add("further set of texture coordinates", "further sets of texture coordinates");
        if (name.starts_with("COLOR_") && name != "COLOR_0")
          counts.add("further set of vertex colours", "further sets of vertex colours");
        // A method's data are bound again from the weights (export/skinning_data.h).
        if (name.starts_with('_') && !name.starts_with("_SPLINE") && !name.starts_with("_SINEW_"))
          counts.add("application-specific vertex attribute",
                     "application-specific vertex attributes");
      }
    }
  }
}

void countMaterials(const GltfDocument& document, UnusedCounts& counts) {
  for (const GltfJson& material : arrayIn(document.root(), "materials")) {
    const GltfJson& pbr = objectIn(material, "pbrMetallicRoughness");
    if (memberIn(material, "normalTexture") != nullptr && !drawsNormalMap(material) &&
        !hasSecondTexcoords(material, material, "normalTexture"))
      counts.add("normal map with texture coordinates of its own",
                 "normal maps with texture coordinates of their own");
    const auto countOwn = [&](const GltfJson& of, const char* slot, const char* one,
                              const char* several) {
      if (memberIn(of, slot) != nullptr && !drawsTexture(material, of, slot) &&
          !hasSecondTexcoords(material, of, slot))
        counts.add(one, several);
    };
    countOwn(pbr, "metallicRoughnessTexture",
             "metallic-roughness texture with texture coordinates of its own",
             "metallic-roughness textures with texture coordinates of their own");
    countOwn(material, "occlusionTexture", "occlusion texture with texture coordinates of its own",
             "occlusion textures with texture coordinates of their own");
    countOwn(material, "emissiveTexture", "emissive texture with texture coordinates of its own",
             "emissive textures with texture coordinates of their own");
    if (extensionIn(material, "KHR_materials_unlit") != nullptr)
      counts.add("unlit material (drawn lit)", "unlit materials (drawn lit)");
  }
  for (const GltfJson& sampler : arrayIn(document.root(), "samplers"))
    if (countIn(sampler, "wrapS", 10497) != 10497 || countIn(sampler, "wrapT", 10497) != 10497)
      counts.add("texture sampler that does not repeat", "texture samplers that do not repeat");
}

bool hasEntries(const GltfJson& holder, const char* key) {
  const GltfJson* value = memberIn(holder, key);
  return value != nullptr && (value->is_array() || value->is_object()) && !value->empty();
}

// VRM 1: expressions change materials too, and hold others back ("block", "blend").
void countExpressions(const GltfJson& expressions, UnusedCounts& counts) {
  for (const char* kind : {"preset", "custom"})
    for (const GltfJson& expression : usableObject(expressions, kind)) {
      if (hasEntries(expression, "materialColorBinds") ||
          hasEntries(expression, "textureTransformBinds"))
        counts.add("expression's change of materials", "expressions' changes of materials");
      for (const char* what : {"overrideBlink", "overrideLookAt", "overrideMouth"})
        if (const std::string how = usableText(expression, what); !how.empty() && how != "none") {
          counts.add("expression that holds others back", "expressions that hold others back");
          break;
        }
    }
}

void countVrm(const GltfDocument& document, UnusedCounts& counts) {
  const GltfJson& extensions = usableObject(document.root(), "extensions");
  const GltfJson& vrm1 = usableObject(extensions, "VRMC_vrm");
  const GltfJson& vrm0 = usableObject(extensions, "VRM");
  if (!vrm1.empty()) {
    countExpressions(usableObject(vrm1, "expressions"), counts);
    counts.add("look-at", "look-ats", hasEntries(vrm1, "lookAt") ? 1 : 0);
    counts.add("set of first-person meshes", "sets of first-person meshes",
               hasEntries(vrm1, "firstPerson") ? 1 : 0);
  } else if (!vrm0.empty()) {
    for (const GltfJson& group :
         usableArray(usableObject(vrm0, "blendShapeMaster"), "blendShapeGroups"))
      if (hasEntries(group, "materialValues"))
        counts.add("expression's change of materials", "expressions' changes of materials");
    const GltfJson& first = usableObject(vrm0, "firstPerson");
    counts.add("look-at", "look-ats", memberIn(first, "lookAtTypeName") != nullptr ? 1 : 0);
    counts.add("set of first-person meshes", "sets of first-person meshes",
               hasEntries(first, "meshAnnotations") ? 1 : 0);
  }
}

// A line for Model::warnings each: parts, extensions, other scenes. Animations report their own.
std::vector<std::string> unusedParts(const GltfDocument& document, const GltfNodes& nodes) {
  std::vector<std::string> lines;
  UnusedCounts counts;
  countMeshes(document, counts);
  countMaterials(document, counts);
  countVrm(document, counts);
  if (const std::string line = counts.line(); !line.empty()) lines.push_back("not used: " + line);
  if (!document.ignoredExtensions().empty())
    lines.push_back(
        fmt::format("extensions not used: {}", fmt::join(document.ignoredExtensions(), ", ")));
  const std::size_t scenes = document.count("scenes");
  const auto outside =
      std::count(nodes.nodeByFileNode.begin(), nodes.nodeByFileNode.end(), kNoNode);
  if (scenes > 1)
    lines.push_back(
        fmt::format("{} of {} scenes {} not read", scenes - 1, scenes, scenes == 2 ? "is" : "are"));
  if (outside > 0)
    lines.push_back(fmt::format("{} not read: outside the scene",
                                outside == 1 ? "1 node is" : fmt::format("{} nodes are", outside)));
  return lines;
}

// model: what is known before, its path among it.
Model readDocument(GltfDocument& document, const ImportOptions& options, GltfOrigin& origin,
                   Model model) {
  model.metersPerUnit = 1.0f;
  reportImport(options, 0.3f, "textures");
  const GltfMaterials materials = readGltfMaterials(document, model);
  reportImport(options, 0.5f, "meshes");
  RepairLog repairs;
  GltfNodes nodes = readGltfNodes(document, repairs);
  readGltfSceneParts(document, nodes);
  const GltfMorphsOfNodes morphs =
      readGltfMeshes(document, nodes, materials, repairs, model, origin);
  readVrm(document, morphs, nodes, model);
  reportImport(options, 0.9f, "animation");
  readGltfAnimations(document, nodes, morphs, repairs, model, origin);
  for (std::string& line : unusedParts(document, nodes))
    model.warnings.push_back(std::move(line));
  model.hierarchy = nodes.hierarchy;
  origin.nodeByFileNode = nodes.nodeByFileNode;
  model.repairs = repairs.lines();
  return model;
}

} // namespace

Model readGltf(const SourceFile& file, const ImportOptions& options, GltfOrigin& origin) try {
  GltfDocument document(file, options);
  return readDocument(document, options, origin, startModel(file));
} catch (const GltfError& error) {
  throw notUsable(file, error);
}

Model readGlb(std::string glb, const ImportOptions& options, GltfOrigin& origin) try {
  GltfDocument document("model.glb", std::move(glb), options);
  return readDocument(document, options, origin, {});
} catch (const GltfError& error) {
  throw inputError("the model", fmt::format("not a usable glTF file: {}", error.what()));
}

Model readGltf(const SourceFile& file, const ImportOptions& options) {
  GltfOrigin unused;
  return readGltf(file, options, unused);
}

} // namespace sinew
