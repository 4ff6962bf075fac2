#include "export/skinning_data.h"

#include "model/gltf_origin.h"

#include <glm/matrix.hpp>

#include <cctype>
#include <cmath>
#include <cstring>

namespace sinew {
namespace {

// How an accessor has the format of an attribute.
VertexLayout toLayout(AttributeFormat format) {
  using namespace component;
  switch (format) {
  case AttributeFormat::uint8x4:
    return {"VEC4", kUnsignedByte, false};
  case AttributeFormat::uint16x4:
    return {"VEC4", kUnsignedShort, false};
  case AttributeFormat::unorm16x4:
    return {"VEC4", kUnsignedShort, true};
  case AttributeFormat::snorm8x3:
    return {"VEC3", kByte, true};
  case AttributeFormat::float1:
    return {"SCALAR", kFloat, false};
  case AttributeFormat::float2:
    return {"VEC2", kFloat, false};
  case AttributeFormat::float3:
    return {"VEC3", kFloat, false};
  case AttributeFormat::float4:
  case AttributeFormat::texel4:
    break;
  }
  return {"VEC4", kFloat, false};
}

} // namespace

std::string skinningAttributeName(std::string_view input) {
  std::string out = "_SINEW_";
  char before = '_';
  for (const char letter : input) {
    const auto code = static_cast<unsigned char>(letter);
    const bool begins =
        std::isupper(code) != 0 ||
        (std::isdigit(code) != 0 && std::isdigit(static_cast<unsigned char>(before)) == 0);
    if (begins && before != '_') out += '_';
    out += static_cast<char>(std::toupper(code));
    before = letter;
  }
  return out;
}

void addSkinningAttributes(const SkinningData& data, std::size_t mesh, const GlbVertices& vertices,
                           GlbBuffer& buffer, GltfJson& attributes) {
  const std::size_t first = data.rig->meshes.at(mesh).firstVertex;
  for (const Attribute& attribute : data.binding->attributes) {
    const std::size_t size = byteSize(attribute.format);
    std::vector<std::byte> bytes(size * vertices.size(), std::byte{0});
    for (std::size_t v = 0; v < vertices.size(); ++v)
      if (vertices[v] != kNotInGltf)
        std::memcpy(&bytes[size * v], &attribute.data[size * (first + vertices[v])], size);
    attributes[skinningAttributeName(attribute.name)] =
        buffer.add(bytes, size, toLayout(attribute.format));
  }
}

GltfJson skinningJson(const SkinningData& data, const mat4& modelFromMesh) {
  const Binding& binding = *data.binding;
  GltfJson out = {{"version", 1}};
  out.update(data.stated);
  const float scale = std::cbrt(std::abs(glm::determinant(mat3(modelFromMesh))));
  if (out.contains("zones") && scale > 0.0f)
    for (GltfJson& zone : out["zones"]) {
      const auto divide = [&](GltfJson& end) { end = shortNumber(end.get<float>() / scale); };
      for (const char* end : {"min", "max"})
        if (zone.contains(end)) divide(zone[end]);
      if (zone.contains("twist") && zone["twist"].is_array())
        for (GltfJson& end : zone["twist"])
          divide(end);
    }
  out["entries"] = binding.entryCount;
  out["rows_per_entry"] = binding.rowsPerEntry;
  out["rows"] = GltfJson::array();
  for (const std::string_view row : binding.rowTexts)
    out["rows"].push_back(row);
  out["attributes"] = GltfJson::object();
  for (const Attribute& attribute : binding.attributes)
    out["attributes"][attribute.name] = skinningAttributeName(attribute.name);
  if (modelFromMesh != mat4(1.0f))
    out["model_from_mesh"] = numbersJson(std::span<const float>(&modelFromMesh[0][0], 16));
  return out;
}

bool stateSkinning(GltfJson skinning, GltfJson& node) {
  if (node.contains("extras") && !node["extras"].is_object()) return false;
  GltfJson& sinew = node["extras"]["sinew"];
  if (!sinew.is_object()) sinew = GltfJson::object();
  sinew["skinning"] = std::move(skinning);
  return true;
}

} // namespace sinew
