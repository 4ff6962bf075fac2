#include "import/gltf/primitive.h"

#include "import/gltf/accessor.h"
#include "import/gltf/draco_mesh.h"
#include "import/repairs.h"
#include "model/morph_targets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

namespace sinew {
namespace {

// Modes of section 3.7.2.1.
constexpr std::size_t kTriangleMode = 4;
constexpr std::size_t kStrip = 5;
constexpr std::size_t kFan = 6;

std::vector<vec3> asVec3(const std::vector<float>& values) {
  std::vector<vec3> out;
  out.reserve(values.size() / 3);
  for (std::size_t i = 0; i + 2 < values.size(); i += 3)
    out.emplace_back(values[i], values[i + 1], values[i + 2]);
  return out;
}

// The corners of strips and fans turn the way of the first triangle; those with an edge of length
// zero only lead on to the next one.
std::vector<Triangle> makeTriangles(const std::vector<std::uint32_t>& corners, std::size_t mode) {
  std::vector<Triangle> out;
  const std::size_t count = corners.size();
  out.reserve(mode == kTriangleMode ? count / 3 : count);
  if (mode == kTriangleMode)
    for (std::size_t i = 0; i + 2 < count; i += 3)
      out.push_back({corners[i], corners[i + 1], corners[i + 2]});
  if (mode == kStrip)
    for (std::size_t i = 0; i + 2 < count; ++i)
      out.push_back({corners[i], corners[i + 1 + i % 2], corners[i + 2 - i % 2]});
  if (mode == kFan)
    for (std::size_t i = 1; i + 1 < count; ++i)
      out.push_back({corners[i], corners[i + 1], corners[0]});
  if (mode != kTriangleMode)
    std::erase_if(out,
                  [](const Triangle& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; });
  return out;
}

class PrimitiveReader {
 public:
  PrimitiveReader(GltfDocument& document, const GltfJson& source, RepairLog& repairs)
      : document_(document), source_(source), attributes_(objectIn(source, "attributes")),
        repairs_(repairs) {
    if (const GltfJson* draco = extensionIn(source, "KHR_draco_mesh_compression"))
      draco_ = std::make_unique<DracoMesh>(document, *draco);
  }

  GltfPrimitive read(const GltfMaterials& materials) {
    const std::size_t mode = countIn(source_, "mode", kTriangleMode);
    if (memberIn(attributes_, "POSITION") == nullptr || mode < kTriangleMode) return {};
    if (mode > kFan) throw GltfError(fmt::format("the mode {} of a primitive is unknown", mode));
    Mesh& mesh = out_.mesh;
    mesh.positions = asVec3(floats("POSITION", 3));
    if (memberIn(attributes_, "NORMAL") != nullptr) mesh.normals = asVec3(floats("NORMAL", 3));
    const auto material = indexIn(source_, "material");
    if (material) document_.item("materials", *material); // exists
    mesh.material = material ? static_cast<std::uint32_t>(*material) : materials.fallback;
    if (material && materials.normalMaps[*material]) readTangents();
    const GltfTexcoords first = material ? materials.texcoords[*material] : GltfTexcoords();
    readTexcoords(first);
    readSecondTexcoords(first, material ? materials.secondTexcoords[*material] : std::nullopt);
    readColors();
    readInfluences("JOINTS", "WEIGHTS", out_.influences);
    readInfluences("_SPLINES", "_SPLINE_WEIGHTS", out_.splineInfluences);
    readMorphs();
    readTriangles(mode);
    return std::move(out_);
  }

 private:
  std::size_t findAccessor(const std::string& attribute) const {
    return asIndex(attributes_.at(attribute), attribute.c_str());
  }

  // Values of all vertices; every attribute has as many elements as POSITION.
  template <class T>
  std::vector<T> checked(const std::string& attribute, std::vector<T> values,
                         std::size_t components) const {
    const std::size_t vertices =
        attribute == "POSITION" ? values.size() / components : out_.mesh.positions.size();
    if (values.size() != vertices * components)
      throw GltfError(fmt::format("{} has {} elements for {} vertices", attribute,
                                  values.size() / components, vertices));
    return values;
  }

  std::vector<float> floats(const std::string& attribute, std::size_t components) {
    const std::size_t index = findAccessor(attribute);
    if (draco_ && draco_->has(attribute))
      return checked(attribute,
                     draco_->floats(attribute, components, accessorAt(document_, index).normalized),
                     components);
    return checked(attribute, readFloats(document_, index, components), components);
  }

  std::vector<std::uint32_t> integers(const std::string& attribute, std::size_t components) {
    if (draco_ && draco_->has(attribute))
      return checked(attribute, draco_->integers(attribute, components), components);
    return checked(attribute, readIntegers(document_, findAccessor(attribute), components),
                   components);
  }

  // They have a meaning beside normals alone.
  void readTangents() {
    if (out_.mesh.normals.empty() || memberIn(attributes_, "TANGENT") == nullptr) return;
    const std::vector<float> values = floats("TANGENT", 4);
    out_.mesh.tangents.reserve(values.size() / 4);
    for (std::size_t v = 0; v < values.size() / 4; ++v)
      out_.mesh.tangents.emplace_back(values[4 * v], values[4 * v + 1], values[4 * v + 2],
                                      values[4 * v + 3]);
  }

  bool has(const std::string& attribute) const {
    return memberIn(attributes_, attribute.c_str()) != nullptr;
  }

  void readTexcoords(const GltfTexcoords& from) {
    std::string attribute = fmt::format("TEXCOORD_{}", from.set);
    if (!has(attribute)) attribute = "TEXCOORD_0";
    if (has(attribute)) readTexcoordSet(attribute, from, out_.mesh.texcoords);
  }

  // The set of the textures that have another one, or the first other one of the file.
  void readSecondTexcoords(const GltfTexcoords& first, const std::optional<GltfTexcoords>& from) {
    const GltfTexcoords second =
        from.value_or(GltfTexcoords{first.set == 0 ? std::size_t{1} : 0, {}});
    std::string attribute = fmt::format("TEXCOORD_{}", second.set);
    if (from && !has(attribute)) attribute = "TEXCOORD_0";
    if (has(attribute)) readTexcoordSet(attribute, second, out_.mesh.texcoords1);
  }

  void readTexcoordSet(const std::string& attribute, const GltfTexcoords& from,
                       std::vector<vec2>& out) {
    const std::vector<float> values = floats(attribute, 2);
    out.reserve(values.size() / 2);
    for (std::size_t v = 0; v < values.size() / 2; ++v) {
      vec2 uv(values[2 * v], values[2 * v + 1]);
      if (from.transform) uv = *from.transform * vec3(uv, 1.0f);
      if (!std::isfinite(uv.x) || !std::isfinite(uv.y)) {
        uv = vec2(0.0f);
        repairs_.add(Repair::texcoordNotFinite);
      }
      out.push_back(uv);
    }
  }

  void readColors() {
    if (memberIn(attributes_, "COLOR_0") == nullptr) return;
    const std::size_t components = accessorAt(document_, findAccessor("COLOR_0")).components;
    if (components != 3 && components != 4)
      throw GltfError(fmt::format("COLOR_0 has {} components", components));
    const std::vector<float> values = floats("COLOR_0", components);
    out_.mesh.colors.reserve(out_.mesh.positions.size());
    for (std::size_t v = 0; v < out_.mesh.positions.size(); ++v) {
      const float* c = &values[v * components];
      out_.mesh.colors.emplace_back(c[0], c[1], c[2], components == 4 ? c[3] : 1.0f);
    }
  }

  // A set of four influences for every vertex.
  struct InfluenceSet {
    std::vector<std::uint32_t> joints;
    std::vector<float> weights;
  };

  // JOINTS_0, JOINTS_1... as many sets as there are.
  std::vector<InfluenceSet> influenceSets(const char* jointsName, const char* weightsName) {
    std::vector<InfluenceSet> out;
    for (std::size_t set = 0;; ++set) {
      const std::string joints = fmt::format("{}_{}", jointsName, set);
      const std::string weights = fmt::format("{}_{}", weightsName, set);
      if (memberIn(attributes_, joints.c_str()) == nullptr ||
          memberIn(attributes_, weights.c_str()) == nullptr)
        return out;
      out.push_back({integers(joints, 4), floats(weights, 4)});
    }
  }

  void readInfluences(const char* jointsName, const char* weightsName, Influences& out) {
    const std::vector<InfluenceSet> sets = influenceSets(jointsName, weightsName);
    if (sets.empty()) return;
    const std::size_t vertices = out_.mesh.positions.size();
    out.offsets.reserve(vertices + 1);
    out.values.reserve(4 * vertices);
    for (std::size_t v = 0; v < vertices; ++v) {
      for (const InfluenceSet& set : sets)
        for (std::size_t i = 4 * v; i < 4 * v + 4; ++i)
          if (const float weight = set.weights[i]; !std::isfinite(weight))
            repairs_.add(Repair::weightNotFinite);
          else if (weight < 0.0f)
            repairs_.add(Repair::weightNotPositive);
          else if (weight > 0.0f)
            out.values.push_back({set.joints[i], weight});
      out.endList();
    }
  }

  void readMorphs() {
    const GltfJson& targets = arrayIn(source_, "targets");
    for (std::uint32_t t = 0; t < targets.size(); ++t) {
      const std::vector<vec3> positions = offsets(targets[t], "POSITION");
      std::vector<vec3> normals;
      if (!out_.mesh.normals.empty()) normals = offsets(targets[t], "NORMAL");
      MorphOffsets morph = sparseOffsets(
          t, positions.empty() ? std::vector<vec3>(out_.mesh.positions.size()) : positions,
          normals);
      if (!morph.vertices.empty()) out_.mesh.morphs.push_back(std::move(morph));
    }
  }

  // One offset per vertex; empty where the target has none.
  std::vector<vec3> offsets(const GltfJson& target, const char* attribute) {
    const auto accessor = indexIn(target, attribute);
    if (!accessor) return {};
    std::vector<vec3> out = asVec3(readFloats(document_, *accessor, 3));
    if (out.size() != out_.mesh.positions.size())
      throw GltfError(fmt::format("a morph target has {} elements for {} vertices", out.size(),
                                  out_.mesh.positions.size()));
    for (vec3& offset : out)
      if (!isUsable(offset)) {
        offset = vec3(0.0f);
        repairs_.add(Repair::morphOffsetNotFinite);
      }
    return out;
  }

  void readTriangles(std::size_t mode) {
    if (draco_) {
      out_.mesh.triangles = draco_->triangles();
      return;
    }
    std::vector<std::uint32_t> corners;
    if (const auto indices = indexIn(source_, "indices")) {
      corners = readIntegers(document_, *indices, 1);
    } else {
      corners.resize(out_.mesh.positions.size());
      std::iota(corners.begin(), corners.end(), 0u);
    }
    out_.mesh.triangles = makeTriangles(corners, mode);
  }

  GltfDocument& document_;
  const GltfJson& source_;
  const GltfJson& attributes_;
  RepairLog& repairs_;
  std::unique_ptr<DracoMesh> draco_;
  GltfPrimitive out_;
};

} // namespace

std::size_t countVertices(const GltfDocument& document, const GltfJson& primitive) {
  const auto positions = indexIn(objectIn(primitive, "attributes"), "POSITION");
  return positions ? accessorAt(document, *positions).count : 0;
}

GltfPrimitive readGltfPrimitive(GltfDocument& document, const GltfJson& primitive,
                                const GltfMaterials& materials, RepairLog& repairs) {
  return PrimitiveReader(document, primitive, repairs).read(materials);
}

} // namespace sinew
