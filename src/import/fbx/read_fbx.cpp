#include "import/fbx/steps.h"
#include "import/readers.h"
#include "import/repairs.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// What the file holds and sinew does not use.
class Unused {
 public:
  Unused(const FbxDocument& document, const FbxNodes& nodes, const FbxMaterials& materials)
      : document_(document), nodes_(nodes), normalMaps_(materials.normalMaps()),
        shown_(materials.shown()) {}

  std::string line() {
    for (std::uint32_t i = 0; i < document_.objects().size(); ++i)
      countObject(i);
    for (const FbxNode& node : nodes_.nodes)
      countNode(node);
    if (const FbxElement* takes = findChild(document_.root(), "Takes");
        takes != nullptr && document_.version() < 7000)
      countTakeLayers(*takes);
    add("object with the id of another one", "objects with ids of others", document_.repeatedIds());
    return counts_.line();
  }

 private:
  void add(std::string_view one, std::string_view many, std::size_t count = 1) {
    counts_.add(one, many, count);
  }

  void countObject(std::uint32_t index) {
    const FbxObject& object = document_.object(index);
    const std::string& kind = object.kind;
    if (kind == "Geometry" && object.subtype == "Mesh")
      countLayers(*object.element);
    else if (kind == "Geometry" && object.subtype == "Shape")
      countShapeNormals(*object.element);
    else if (kind == "Geometry")
      add("surface or curve that is no mesh", "surfaces or curves that are no meshes");
    else if (kind.starts_with("Constraint"))
      add("constraint", "constraints");
    else if (kind == "Deformer")
      countDeformer(object);
    else if (kind == "Character" || kind == "ControlSetPlug")
      add("character rig", "character rigs");
    else if (kind == "Cache")
      add("vertex cache", "vertex caches");
    else if (kind == "Material")
      countTextures(index);
    else if (kind == "Texture")
      countMapping(index);
    else if (kind == "NodeAttribute" && object.subtype == "Light")
      countLight(index);
    else if (kind == "NodeAttribute" && object.subtype == "LODGroup")
      add("group of levels of detail (all are drawn)",
          "groups of levels of detail (all are drawn)");
  }

  void countLight(std::uint32_t light) {
    if (!isFbxLightUsed(document_.properties(light)))
      add("light of an area or a volume", "lights of areas or volumes");
  }

  void countDeformer(const FbxObject& object) {
    static constexpr std::string_view kUsed[] = {"Skin", "Cluster", "BlendShape",
                                                 "BlendShapeChannel"};
    if (std::find(std::begin(kUsed), std::end(kUsed), object.subtype) == std::end(kUsed))
      add("deformer that is no skin or blend shape", "deformers that are no skins or blend shapes");
  }

  // Those of the moved surface take their place.
  void countShapeNormals(const FbxElement& shape) {
    const std::vector<double> normals = toReals(findChild(shape, "Normals"));
    if (std::any_of(normals.begin(), normals.end(), [](double x) { return x != 0.0; }))
      add("set of normals of a blend shape", "sets of normals of blend shapes");
  }

  // Version 6 has one layer of channels in a take, and some writers more, which nothing describes.
  void countTakeLayers(const FbxElement& takes) {
    std::vector<const FbxElement*> open{&takes};
    while (!open.empty()) {
      const FbxElement& element = *open.back();
      open.pop_back();
      if (element.name == "Layer") {
        add("layer of a take", "layers of takes");
        continue;
      }
      for (const FbxElement& child : element.children)
        open.push_back(&child);
    }
  }

  void countLayers(const FbxElement& mesh) {
    std::size_t texcoords = 0;
    std::size_t colors = 0;
    bool tangents = false;
    for (const FbxElement& child : mesh.children) {
      texcoords += child.name == "LayerElementUV" ? 1 : 0;
      colors += child.name == "LayerElementColor" ? 1 : 0;
      tangents = tangents || child.name == "LayerElementTangent";
      if (child.name == "LayerElementEdgeCrease" || child.name == "LayerElementVertexCrease")
        add("set of creases", "sets of creases");
    }
    if (tangents && normalMaps_.empty())
      add("set of tangents without a normal map", "sets of tangents without a normal map");
    if (texcoords > 2)
      add("further set of texture coordinates", "further sets of texture coordinates",
          texcoords - 2);
    if (colors > 1)
      add("further set of vertex colours", "further sets of vertex colours", colors - 1);
  }

  void countTextures(std::uint32_t material) {
    for (const FbxLink& link : document_.getChildren(material)) {
      const std::string& kind = document_.object(link.object).kind;
      if (kind == "LayeredTexture")
        add("layered texture (its first layer is shown)",
            "layered textures (their first layers are shown)");
      else if (kind == "Texture" && !isFbxBaseColor(link.property) && !shown_.contains(link.object))
        add("texture that a material does not show", "textures that materials do not show");
    }
  }

  void countMapping(std::uint32_t texture) {
    const FbxProperties properties = document_.properties(texture);
    if (properties.vector("Translation", glm::dvec3(0.0)) != glm::dvec3(0.0) ||
        properties.vector("Rotation", glm::dvec3(0.0)) != glm::dvec3(0.0) ||
        properties.vector("Scaling", glm::dvec3(1.0)) != glm::dvec3(1.0))
      add("transform of a texture", "transforms of textures");
  }

  void countNode(const FbxNode& node) {
    const FbxProperties properties = document_.properties(node.object);
    const FbxObject& object = document_.object(node.object);
    if (document_.version() < 7000 && object.subtype == "Light") countLight(node.object);
    const auto limits = [&](std::string_view prefix) {
      for (const char* end : {"MinX", "MinY", "MinZ", "MaxX", "MaxY", "MaxZ"})
        if (properties.flag(std::string(prefix) + end, false)) return true;
      return false;
    };
    if (limits("Translation") || limits("Scaling") ||
        (node.chain.rotationActive && limits("Rotation")))
      add("node with limits", "nodes with limits");
    if (node.chain.rotationActive && node.chain.order == 6)
      add("node with spherical rotation order (read as XYZ)",
          "nodes with spherical rotation order (read as XYZ)");
    if (properties.integer("QuaternionInterpolate", 0) != 0)
      add("node whose rotation keys are to be interpolated as quaternions",
          "nodes whose rotation keys are to be interpolated as quaternions");
    const std::size_t textures = document_.getChildren(node.object, "Texture").size();
    if (textures > 1) add("further texture of a model", "further textures of models", textures - 1);
    for (const FbxLink& link : document_.getChildren(node.object))
      if (link.property == "LookAtProperty") add("target to look at", "targets to look at");
  }

  const FbxDocument& document_;
  const FbxNodes& nodes_;
  const std::set<std::uint32_t>& normalMaps_;
  const std::set<std::uint32_t>& shown_;
  UnusedCounts counts_;
};

// FBX counts in centimetres.
std::optional<float> metersPerUnit(const FbxDocument& document) {
  const double centimetres = document.settings().real("UnitScaleFactor", 0.0);
  if (!(centimetres > 0.0) || !std::isfinite(centimetres)) return std::nullopt;
  return static_cast<float>(0.01 * centimetres);
}

} // namespace

Model readFbx(const SourceFile& file, const ImportOptions& options) try {
  Model model = startModel(file);
  const FbxDocument document(file, options);
  model.metersPerUnit = metersPerUnit(document);
  reportImport(options, 0.3f, "animation");
  const FbxAnimation animation = readFbxAnimation(document);
  std::vector<FbxMotion> motions;
  for (const FbxStack& stack : animation.stacks)
    motions.emplace_back(animation, stack);
  RepairLog repairs;
  FbxNodes nodes = readFbxNodes(document, motions, repairs);
  readFbxSceneParts(document, nodes);
  reportImport(options, 0.5f, "meshes");
  FbxMaterials materials(document, model);
  const std::vector<FbxMorph> morphs = readFbxMeshes(document, nodes, materials, repairs, model);
  if (model.materials.empty()) materials.fallback();
  reportImport(options, 0.8f, "animation");
  readFbxClips(animation, motions, nodes, morphs, repairs, model);
  if (const std::string line = Unused(document, nodes, materials).line(); !line.empty())
    model.warnings.push_back("not used: " + line);
  model.hierarchy = nodes.hierarchy;
  model.repairs = repairs.lines();
  return model;
} catch (const FbxError& error) {
  throw notUsable(file, error);
}

} // namespace sinew
