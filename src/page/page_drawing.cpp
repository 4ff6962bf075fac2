#include "page/page_drawing.h"

#include "render/further_attributes.h"
#include "render/programs.h"
#include "render/shader_es300.h"
#include "render/vertex_layout.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json addVectors(std::vector<T>& values, bool exact, PackedArrays& arrays) {
  return addFloats(floatsIn(values), sizeof(T) / sizeof(float), exact, arrays);
}

// What of an image's width a texture coordinate may be off by.
constexpr double kTexelShare = 0.125;

// 16 bits are too few where an image is repeated over and over.
bool needsExactTexcoords(const Model& model, std::span<const vec2> texcoords) {
  std::uint32_t side = 1;
  for (const Texture& texture : model.textures)
    side = std::max({side, texture.image.width, texture.image.height});
  vec2 least(0.0f), largest(0.0f);
  for (const vec2& t : texcoords) {
    least = glm::min(least, t);
    largest = glm::max(largest, t);
  }
  const double range = static_cast<double>(std::max(largest.x - least.x, largest.y - least.y));
  return !(range / 65534.0 * side < kTexelShare);
}

// Triangles by material, in the order of the materials.
Json addTriangles(const Workbench& workbench, PackedArrays& arrays) {
  const Rig& rig = workbench.rig;
  std::vector<std::uint32_t> indices;
  Json batches = Json::array();
  const std::size_t materials = std::max<std::size_t>(workbench.model.materials.size(), 1);
  for (std::uint32_t material = 0; material < materials; ++material) {
    const std::size_t first = indices.size();
    for (const RigMesh& mesh : rig.meshes)
      if (mesh.material == material)
        for (std::uint32_t t = 0; t < mesh.triangleCount; ++t) {
          const Triangle& triangle = rig.triangles[mesh.firstTriangle + t];
          indices.insert(indices.end(), triangle.begin(), triangle.end());
        }
    if (indices.size() > first)
      batches.push_back(
          {{"material", material}, {"first", first}, {"count", indices.size() - first}});
  }
  return {{"indices", arrays.add(std::span<const std::uint32_t>(indices))}, {"batches", batches}};
}

// Adds the joints of every vertex, as indices into jointNodes(), and their weights in 255ths: for
// the heat map alone.
Json addJointWeights(const Workbench& workbench, PackedArrays& arrays) {
  std::vector<std::uint32_t> jointOfNode(workbench.model.hierarchy.nodes.size(), kNoNode);
  const std::vector<std::uint32_t> nodes = jointNodes(workbench.model);
  for (std::uint32_t j = 0; j < nodes.size(); ++j)
    jointOfNode[nodes[j]] = j;
  std::vector<std::uint32_t> counts, joints, weights;
  for (std::size_t v = 0; v < workbench.rig.positions.size(); ++v) {
    const std::size_t before = joints.size();
    for (const Influence& influence : workbench.rig.influences.of(v)) {
      const std::uint32_t joint = jointOfNode[workbench.rig.joints[influence.joint].node];
      const auto weight = static_cast<std::uint32_t>(
          std::lround(255.0f * std::clamp(influence.weight, 0.0f, 1.0f)));
      if (joint == kNoNode || weight == 0) continue;
      joints.push_back(joint);
      weights.push_back(weight);
    }
    counts.push_back(static_cast<std::uint32_t>(joints.size() - before));
  }
  return {{"counts", arrays.add(std::span<const std::uint32_t>(counts))},
          {"joints", arrays.add(std::span<const std::uint32_t>(joints))},
          {"weights", arrays.add(std::span<const std::uint32_t>(weights))}};
}

bool isFloat(AttributeFormat format) {
  return format == AttributeFormat::float1 || format == AttributeFormat::float2 ||
         format == AttributeFormat::float3 || format == AttributeFormat::float4 ||
         format == AttributeFormat::texel4;
}

std::string_view nameKind(AttributeFormat format) {
  if (isInteger(format)) return "integers";
  if (format == AttributeFormat::unorm16x4) return "fractions";
  return format == AttributeFormat::snorm8x3 ? "bytes" : "floats";
}

Json addAttribute(Attribute& attribute, bool exact, PackedArrays& arrays) {
  if (isFloat(attribute.format)) {
    std::vector<float> values(attribute.data.size() / sizeof(float));
    std::memcpy(values.data(), attribute.data.data(), attribute.data.size());
    Json array = addFloats(values, static_cast<std::size_t>(componentCount(attribute.format)),
                           exact, arrays);
    std::memcpy(attribute.data.data(), values.data(), attribute.data.size());
    return array;
  }
  const std::size_t size = byteSize(attribute.format);
  return arrays.add(std::span<const std::byte>(attribute.data), size / 4, 4);
}

// An attribute that another method may have too, with the same values.
struct AddedAttribute {
  const Attribute* given;
  Attribute read;
  Json array;
};

Json addAttributes(const Rig& rig, const Method& method, const Binding& binding, bool exact,
                   PackedArrays& arrays, std::vector<AddedAttribute>& added, Binding& read) {
  Json list = Json::array();
  for (std::size_t i = 0; i < binding.attributes.size(); ++i) {
    const Attribute& given = binding.attributes[i];
    auto found = std::ranges::find_if(added, [&](const AddedAttribute& other) {
      return other.given->format == given.format && other.given->data == given.data;
    });
    if (found == added.end()) {
      AddedAttribute one{&given, given, {}};
      one.array = addAttribute(one.read, exact, arrays);
      added.push_back(std::move(one));
      found = std::prev(added.end());
    }
    read.attributes[i].data = found->read.data;
    Json entry = found->array;
    entry["name"] = given.name;
    entry["kind"] = nameKind(given.format);
    list.push_back(std::move(entry));
  }
  updateParts(read);
  const bool tangents = takesTangents(rig, method, binding);
  const std::size_t located = locatedCount(binding, tangents);
  for (std::size_t i = 0; i < located; ++i)
    list[i]["location"] = bindingLocation(i);
  Json further = Json::array();
  for (const FurtherTexture& texture : furtherTextures(binding, tangents))
    further.push_back({{"name", texture.name}, {"attributes", texture.attributes}});
  return {{"attributes", std::move(list)}, {"further", std::move(further)}};
}

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

Json addMesh(const Workbench& workbench, const PageMorphs& morphs, bool exact, PackedArrays& arrays,
             PageMesh& read) {
  read.rig = workbench.rig;
  MorphedVertices base;
  applyMorphs(workbench.rig, std::span(morphs.base).first(workbench.rig.morphs.size()), base);
  const BindVertices shape(workbench.rig, base);
  read.rig.positions.assign(shape.positions.begin(), shape.positions.end());
  read.rig.normals.assign(shape.normals.begin(), shape.normals.end());
  const auto fixed = [&](std::string_view name, Json array) {
    array["name"] = name;
    array["kind"] = "floats";
    array["location"] = fixedLocation(name);
    return array;
  };
  Json vertices = Json::array();
  vertices.push_back(fixed("bindPosition", addVectors(read.rig.positions, exact, arrays)));
  vertices.push_back(fixed("bindNormal", addVectors(read.rig.normals, exact, arrays)));
  if (!workbench.model.textures.empty()) {
    const bool whole = exact || needsExactTexcoords(workbench.model, read.rig.texcoords);
    vertices.push_back(fixed("texcoord", addVectors(read.rig.texcoords, whole, arrays)));
  }
  if (std::ranges::any_of(read.rig.colors, [](const vec4& c) { return c != vec4(1.0f); }))
    vertices.push_back(fixed("color", addVectors(read.rig.colors, exact, arrays)));
  if (!read.rig.tangents.empty())
    vertices.push_back(fixed("bindTangent", addVectors(read.rig.tangents, exact, arrays)));

  Json out = addTriangles(workbench, arrays);
  out["vertexCount"] = workbench.rig.positions.size();
  out["fieldLocation"] = kFieldLocation;
  out["offsetLocation"] = kOffsetLocation;
  out["vertices"] = std::move(vertices);
  out["jointWeights"] = addJointWeights(workbench, arrays);
  out["methods"] = Json::array();
  std::vector<AddedAttribute> added;
  std::vector<Binding> bindings;
  for (std::size_t m = 0; m < workbench.bound.size(); ++m)
    bindings.push_back(bindingAt(workbench, m, morphedAt(workbench, m, morphs.base)));
  read.bindings = bindings;
  for (std::size_t m = 0; m < bindings.size(); ++m)
    out["methods"].push_back(addAttributes(workbench.rig, *workbench.bound[m].method, bindings[m],
                                           exact, arrays, added, read.bindings[m]));
  out["morphs"] = addMorphs(workbench, morphs, exact, arrays, read.morphs);
  return out;
}

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
