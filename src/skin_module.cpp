// The program of the npm package (packages/web), compiled to WebAssembly by scripts/web_package: a
// method bound to meshes that a page has as arrays, its GLSL, the palette of a pose, and the same
// vertices on the CPU. packages/web/src/module.js writes into its memory and calls what is exported
// here. It reads no file and draws nothing.
#include "app/method_parameters.h"
#include "core/error.h"
#include "gl/glsl_text.h"
#include "gl/shader_source.h"
#include "render/part_shaders.h"
#include "render/shader_es300.h"
#include "rig/zone_table.h"
#include "skinning/methods.h"
#include "skinning/rebind.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <numeric>
#include <vector>

#define SINEW_EXPORT(name) extern "C" __attribute__((export_name(#name)))

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

struct BoundSkin {
  const Method* method = nullptr;
  Rig rig;
  Binding binding;
  std::vector<mat4> matrices;       // one per node, written by the page
  Palette palette;                  // made by the last pack()
  std::vector<float> weights;       // one per morph target, written by the page
  std::vector<std::uint32_t> words; // what each vertex's attributes hold, side by side
  MorphedVertices morphed;
  std::optional<MorphedBinding> morphedBinding;
  SkinnedMesh posed;

  BindVertices vertices() const { return {rig, morphed}; }
  const Binding& shown() const {
    return morphedBinding && morphed.moved() ? morphedBinding->binding : binding;
  }
};

std::vector<std::byte> given;
std::vector<std::unique_ptr<BoundSkin>> skins;
std::string text;

// Runs a call of the page: what is thrown becomes the text, and the result -1.
template <class Function>
int guardCall(const Function& function) {
  try {
    return function();
  } catch (const std::exception& error) {
    text = error.what();
    return -1;
  }
}

// The arrays behind the JSON, one after another; all numbers have four bytes.
class GivenArrays {
 public:
  explicit GivenArrays(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <class T>
  std::vector<T> take(std::size_t count) {
    std::vector<T> out(count);
    const std::size_t size = count * sizeof(T);
    if (size > bytes_.size()) throw inputError("arrays", "they are shorter than described");
    if (size > 0) std::memcpy(static_cast<void*>(out.data()), bytes_.data(), size);
    bytes_ = bytes_.subspan(size);
    return out;
  }

 private:
  std::span<const std::byte> bytes_;
};

// Positive, the largest first, among equals the first joint, as readers of files order them; of sum
// 1, each joint once. A vertex without weight follows the first joint.
Influences makeInfluences(const std::vector<std::uint32_t>& joints,
                          const std::vector<float>& weights, std::size_t perVertex,
                          std::size_t jointCount) {
  Influences out;
  std::vector<Influence> list;
  for (std::size_t first = 0; first < joints.size(); first += perVertex) {
    list.clear();
    float sum = 0.0f;
    for (std::size_t i = first; i < first + perVertex; ++i) {
      if (!(weights[i] > 0.0f)) continue;
      if (joints[i] >= jointCount)
        throw inputError("skinIndex", fmt::format("joint {} of {}", joints[i], jointCount));
      const auto same = std::ranges::find(list, joints[i], &Influence::joint);
      if (same == list.end())
        list.push_back({joints[i], weights[i]});
      else
        same->weight += weights[i];
      sum += weights[i];
    }
    if (list.empty()) {
      list.push_back({0, 1.0f});
      sum = 1.0f;
    }
    for (Influence& each : list)
      each.weight /= sum;
    std::ranges::sort(list, {}, &Influence::joint);
    std::ranges::stable_sort(list, std::greater(), &Influence::weight);
    out.append(std::span<const Influence>(list));
  }
  return out;
}

MorphOffsets takeMorph(const Json& described, GivenArrays& arrays, std::size_t vertices) {
  MorphOffsets out;
  out.target = described.at("target");
  const std::vector<vec3> positions = arrays.take<vec3>(vertices);
  std::vector<vec3> normals;
  if (described.at("normals")) normals = arrays.take<vec3>(vertices);
  for (std::uint32_t v = 0; v < vertices; ++v) {
    if (positions[v] == vec3(0.0f) && (normals.empty() || normals[v] == vec3(0.0f))) continue;
    out.vertices.push_back(v);
    out.positions.push_back(positions[v]);
    if (!normals.empty()) out.normals.push_back(normals[v]);
  }
  return out;
}

Mesh takeMesh(const Json& described, GivenArrays& arrays, const Model& model) {
  Mesh mesh;
  const std::size_t vertices = described.at("vertices"), perVertex = described.at("influences");
  mesh.skin = described.at("skin");
  mesh.positions = arrays.take<vec3>(vertices);
  if (described.at("normals")) mesh.normals = arrays.take<vec3>(vertices);
  if (described.at("tangents")) mesh.tangents = arrays.take<vec4>(vertices);
  const auto joints = arrays.take<std::uint32_t>(vertices * perVertex);
  const auto weights = arrays.take<float>(vertices * perVertex);
  mesh.influences =
      makeInfluences(joints, weights, perVertex, model.skins.at(*mesh.skin).joints.size());
  mesh.triangles = arrays.take<Triangle>(described.at("triangles"));
  for (const Triangle& triangle : mesh.triangles)
    for (const std::uint32_t vertex : triangle)
      if (vertex >= vertices)
        throw inputError("index", fmt::format("vertex {} of {}", vertex, vertices));
  for (const Json& morph : described.at("morphs"))
    mesh.morphs.push_back(takeMorph(morph, arrays, vertices));
  if (mesh.normals.empty()) mesh.normals = computeNormals(mesh.positions, mesh.triangles);
  return mesh;
}

Model takeModel(const Json& described, GivenArrays& arrays) {
  Model model;
  model.materials.emplace_back();
  for (const Json& node : described.at("nodes"))
    model.hierarchy.nodes.push_back(
        {freeNodeName(model.hierarchy, std::string(node.at("name"))),
         node.at("parent") < 0 ? kNoNode : node.at("parent").get<std::uint32_t>(),
         {}});
  for (const Json& nodes : described.at("skins")) {
    Skin& skin = model.skins.emplace_back();
    const std::vector<mat4> inverses = arrays.take<mat4>(nodes.size());
    for (std::size_t j = 0; j < nodes.size(); ++j)
      skin.joints.push_back({nodes[j], inverses[j]});
  }
  model.morphTargets.resize(described.at("targets"));
  for (const Json& mesh : described.at("meshes"))
    model.meshes.push_back(takeMesh(mesh, arrays, model));
  return model;
}

// The meshes' own; those that show no normal map have none.
void setTangents(const Model& model, Rig& rig) {
  for (std::size_t m = 0; m < model.meshes.size(); ++m) {
    const std::vector<vec4>& tangents = model.meshes[m].tangents;
    if (tangents.empty()) continue;
    rig.tangents.resize(rig.positions.size(), vec4(0.0f, 0.0f, 0.0f, 1.0f));
    std::ranges::copy(tangents, rig.tangents.begin() + rig.meshes[m].firstVertex);
  }
}

BindOptions readOptions(const Json& described, const Method& method, const Model& model,
                        const Rig& rig) {
  BindOptions out;
  out.influences = described.at("influences");
  if (out.influences < 1 || out.influences > kInfluenceLimit)
    throw usageError(
        fmt::format("influences: a whole number from 1 to {} is expected", kInfluenceLimit));
  const ParameterSettings settings = parseParameters(std::string(described.at("parameters")));
  for (const ParameterSetting& setting : settings)
    if (std::ranges::find(method.parameters, setting.name, &Parameter::name) ==
        method.parameters.end())
      throw usageError(fmt::format("parameters: '{}' has no '{}'", method.name, setting.name));
  for (const Parameter& parameter : method.parameters)
    out.parameters.push_back(parameterIn(settings, parameter));
  if (!described.contains("zones") || !method.usesZones) return out;
  const Json file{{"sinew", "zones"}, {"joints", described["zones"]}};
  RigZones zones = rigZones(zonesFromJson(model, file.dump(), "zones"), model.hierarchy, rig);
  out.zones = std::move(zones.zones);
  out.sources = std::move(zones.sources);
  out.twists = std::move(zones.twists);
  if (method.perJoint)
    for (const std::string& name : zones.methods)
      out.methods.push_back(name.empty() ? nullptr : &findMethod(name));
  return out;
}

std::size_t wordCount(const Attribute& attribute) {
  return (byteSize(attribute.format) + 3) / 4;
}

// The size of a vertex, in texels of four words.
std::size_t texelCount(const Binding& binding) {
  const std::size_t words =
      std::accumulate(binding.attributes.begin(), binding.attributes.end(), std::size_t{0},
                      [](std::size_t sum, const Attribute& each) { return sum + wordCount(each); });
  return (words + 3) / 4;
}

void writeWords(BoundSkin& skin) {
  const Binding& binding = skin.shown();
  const std::size_t stride = 4 * texelCount(binding);
  skin.words.assign(stride * binding.vertexCount, 0);
  std::size_t first = 0;
  for (const Attribute& attribute : binding.attributes) {
    const std::size_t size = byteSize(attribute.format);
    for (std::size_t v = 0; v < binding.vertexCount; ++v)
      std::memcpy(&skin.words[stride * v + first], attribute.data.data() + size * v, size);
    first += wordCount(attribute);
  }
}

std::string wordText(std::size_t word) {
  return fmt::format("t{}.{}", word / 4, "xyzw"[word % 4]);
}

std::string floatsText(std::size_t word, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i)
    out += (i == 0 ? "" : ", ") + wordText(word + i);
  if (count == 1) return fmt::format("uintBitsToFloat({})", out);
  return fmt::format("uintBitsToFloat(uvec{}({}))", count, out);
}

std::string halvesText(std::size_t word) {
  const std::string a = wordText(word), b = wordText(word + 1);
  return fmt::format("uvec4({0} & 65535u, {0} >> 16, {1} & 65535u, {1} >> 16)", a, b);
}

// An attribute's type and its value from a vertex's words.
std::pair<std::string, std::string> readText(const Attribute& attribute, std::size_t word) {
  const std::string a = wordText(word);
  switch (attribute.format) {
  case AttributeFormat::uint8x4:
    return {"uvec4",
            fmt::format("uvec4({0} & 255u, ({0} >> 8) & 255u, ({0} >> 16) & 255u, {0} >> 24)", a)};
  case AttributeFormat::uint16x4:
    return {"uvec4", halvesText(word)};
  case AttributeFormat::unorm16x4:
    return {"vec4", fmt::format("vec4({}) / 65535.0", halvesText(word))};
  case AttributeFormat::snorm8x3: // the sign bit of a byte comes to the top and back
    return {"vec3",
            fmt::format("vec3(ivec3(uvec3({0} << 24, {0} << 16, {0} << 8)) >> 24) / 127.0", a)};
  case AttributeFormat::float1:
    return {"float", floatsText(word, 1)};
  case AttributeFormat::float2:
    return {"vec2", floatsText(word, 2)};
  case AttributeFormat::float3:
    return {"vec3", floatsText(word, 3)};
  case AttributeFormat::float4:
  case AttributeFormat::texel4:
    break;
  }
  return {"vec4", floatsText(word, 4)};
}

// Textures and uniforms, and what the methods' GLSL takes to be vertex attributes.
std::string inputsText(const Binding& binding) {
  std::string out = R"(
uniform highp sampler2D sinewPalette;
uniform highp usampler2D sinewVertices;
uniform int sinewFirstVertex;
uniform int sinewFirstRow;
uniform bool sinewStretches;
#define nonUniformScale sinewStretches
)";
  out += fmt::format(R"(
vec4 paletteRow(uint entry, int row) {{
  int i = sinewFirstRow + int(entry) * {} + row, width = textureSize(sinewPalette, 0).x;
  return texelFetch(sinewPalette, ivec2(i % width, i / width), 0);
}}
uvec4 sinewTexel(int i) {{
  int width = textureSize(sinewVertices, 0).x;
  return texelFetch(sinewVertices, ivec2(i % width, i / width), 0);
}}
)",
                     binding.rowsPerEntry);
  std::string reads;
  for (std::size_t t = 0; t < texelCount(binding); ++t)
    reads += fmt::format("  uvec4 t{0} = sinewTexel(first + {0});\n", t);
  std::size_t word = 0;
  for (const Attribute& attribute : binding.attributes) {
    const auto [type, value] = readText(attribute, word);
    out += fmt::format("{} {};\n", type, attribute.name);
    reads += fmt::format("  {} = {};\n", attribute.name, value);
    word += wordCount(attribute);
  }
  return out + fmt::format("void sinewRead(int vertex) {{\n  int first = (sinewFirstVertex + "
                           "vertex) * {};\n{}}}\n",
                           texelCount(binding), reads);
}

// The method's own GLSL behind its inputs: sinewRead(vertex), then skin() and, with tangents,
// skinTangent().
std::string writeShader(const BoundSkin& skin, bool tangents) {
  const Binding& binding = skin.binding;
  const BindingForm form = listForms(binding).back();
  Variant variant = binding.variant;
  variant.influences = form.influences;
  variant.attachments = form.attachments;
  std::vector<std::string> defines = makeDefines(variant);
  std::string out = inputsText(binding);
  for (const std::string& define : defines)
    if (define.find(' ') != std::string::npos) out += "#define " + define + '\n';
  if (form.attachments > 1 && !binding.forms.empty()) defines.emplace_back("EVERY_ATTACHMENT");
  const auto append = [&](std::string_view part) {
    out += es300Part(resolveConditionals(part, defines)) + '\n';
  };
  for (const ShaderText& part : partShaders(binding, tangents))
    append(part.text);
  for (const std::string_view path : skin.method->shaders)
    append(findShaderSource(path).text);
  if (tangents)
    for (const std::string_view path : skin.method->tangentShaders)
      append(findShaderSource(path).text);
  return out;
}

std::string describeSkin(const BoundSkin& skin) {
  const bool tangents = takesTangents(skin.rig, *skin.method, skin.binding);
  Json out{{"method", skin.method->name},
           {"title", skin.method->title},
           {"vertices", skin.binding.vertexCount},
           {"rows", skin.binding.entryCount * skin.binding.rowsPerEntry},
           {"texels", texelCount(skin.binding)},
           {"tangents", tangents},
           {"morphs", skin.method->morph != nullptr && !skin.rig.morphs.empty()},
           {"glsl", writeShader(skin, tangents)}};
  out["firstVertices"] = Json::array();
  for (const RigMesh& mesh : skin.rig.meshes)
    out["firstVertices"].push_back(mesh.firstVertex);
  return out.dump();
}

int bindGiven() {
  std::uint32_t length = 0;
  if (given.size() < sizeof(length)) throw inputError("arrays", "they are empty");
  std::memcpy(&length, given.data(), sizeof(length));
  const std::span<const std::byte> behind =
      std::span<const std::byte>(given).subspan(sizeof(length));
  if (length > behind.size()) throw inputError("arrays", "they are shorter than described");
  const auto* letters = reinterpret_cast<const char*>(behind.data());
  const Json described = Json::parse(letters, letters + length);
  GivenArrays arrays(behind.subspan(length));

  const Model model = takeModel(described, arrays);
  auto skin = std::make_unique<BoundSkin>();
  skin->method = &findMethod(described.at("method").get<std::string>());
  skin->rig = buildRig(model);
  setTangents(model, skin->rig);
  skin->binding =
      skin->method->bind(skin->rig, readOptions(described, *skin->method, model, skin->rig));
  skin->matrices.assign(model.hierarchy.nodes.size(), mat4(1.0f));
  skin->weights.assign(model.morphTargets.size(), 0.0f);
  writeWords(*skin);
  text = describeSkin(*skin);
  given = {};
  const auto free = std::ranges::find(skins, nullptr);
  const auto handle = static_cast<int>(free - skins.begin());
  if (free == skins.end()) skins.emplace_back();
  skins[static_cast<std::size_t>(handle)] = std::move(skin);
  return handle;
}

std::string methodList() {
  Json out = Json::array();
  for (const Method& method : methods())
    out.push_back({{"name", method.name}, {"title", method.title}, {"summary", method.summary}});
  return out.dump();
}

} // namespace

// Room for the JSON of what is to be bound, its length before it and its arrays behind it.
SINEW_EXPORT(room) std::byte* room(std::size_t size) {
  given.resize(size);
  return given.data();
}

// The number of what has been bound, and text() describes it; -1: text() says why not.
SINEW_EXPORT(bind) int bind() {
  return guardCall(bindGiven);
}

SINEW_EXPORT(release) void release(std::size_t skin) {
  skins[skin].reset();
}

SINEW_EXPORT(listMethods) void listMethods() {
  text = methodList();
}

SINEW_EXPORT(text) const char* textData() {
  return text.data();
}
SINEW_EXPORT(textSize) std::size_t textSize() {
  return text.size();
}

// The texels of every vertex, four words each.
SINEW_EXPORT(words) const std::uint32_t* words(std::size_t skin) {
  return skins[skin]->words.data();
}

// 16 floats for every node, to be written column by column.
SINEW_EXPORT(matrices) mat4* matrices(std::size_t skin) {
  return skins[skin]->matrices.data();
}

// Writes the palette of those; whether it stretches.
SINEW_EXPORT(pack) int pack(std::size_t skin) {
  return guardCall([&] {
    BoundSkin& bound = *skins[skin];
    packPalette(*bound.method, bound.rig, bound.binding, bound.matrices, bound.palette);
    return bound.palette.nonUniformScale ? 1 : 0;
  });
}
SINEW_EXPORT(rows) const vec4* rows(std::size_t skin) {
  return skins[skin]->palette.rows.data();
}

// A float for every morph target, to be written.
SINEW_EXPORT(weights) float* weights(std::size_t skin) {
  return skins[skin]->weights.data();
}

// Moves the vertices by those; 1 where words() have changed.
SINEW_EXPORT(morph) int morph(std::size_t skin) {
  return guardCall([&] {
    BoundSkin& bound = *skins[skin];
    if (!applyMorphs(bound.rig, bound.weights, bound.morphed)) return 0;
    if (bound.method->morph == nullptr) return 0;
    morphBinding(*bound.method, bound.rig, bound.binding, bound.morphed, bound.morphedBinding);
    writeWords(bound);
    return 1;
  });
}

// Skins by the reference, by the palette of the last pack().
SINEW_EXPORT(skin) int skinVertices(std::size_t skin) {
  return guardCall([&] {
    BoundSkin& bound = *skins[skin];
    bound.method->skin(bound.vertices(), bound.shown(), bound.palette, bound.posed);
    return 0;
  });
}
SINEW_EXPORT(positions) const vec3* positions(std::size_t skin) {
  return skins[skin]->posed.positions.data();
}
SINEW_EXPORT(normals) const vec3* normals(std::size_t skin) {
  return skins[skin]->posed.normals.data();
}

} // namespace sinew

// Nothing here outlives the page's one thread.
extern "C" int __cxa_thread_atexit(void (* /*destroy*/)(void*), void* /*object*/,
                                   void* /*library*/) noexcept {
  return 0;
}
