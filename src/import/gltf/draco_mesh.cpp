#include "import/gltf/draco_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <draco/compression/decode.h>
#include <limits>
#include <map>

namespace sinew {

struct DracoMesh::Decoded {
  std::unique_ptr<draco::Mesh> mesh;
  std::map<std::string, const draco::PointAttribute*> attributes;

  const draco::PointAttribute& of(const std::string& name, std::size_t components) const {
    const draco::PointAttribute& attribute = *attributes.at(name);
    if (static_cast<std::size_t>(attribute.num_components()) != components)
      throw GltfError(fmt::format("Draco: {} has {} components where {} belong", name,
                                  attribute.num_components(), components));
    return attribute;
  }

  template <class Out>
  std::vector<Out> read(const draco::PointAttribute& attribute, std::size_t components) const {
    std::vector<Out> out(mesh->num_points() * components);
    for (std::uint32_t point = 0; point < mesh->num_points(); ++point)
      if (!attribute.ConvertValue(attribute.mapped_index(draco::PointIndex(point)),
                                  static_cast<std::int8_t>(components), &out[point * components]))
        throw GltfError("Draco: a value does not fit its type");
    return out;
  }
};

namespace {

constexpr std::uint64_t kPointBytes = 16; // few, since Draco takes about two of the file

// What a normalised integer of the type is divided by; 1 for others.
float findLargest(draco::DataType type) {
  switch (type) {
  case draco::DT_INT8:
    return std::numeric_limits<std::int8_t>::max();
  case draco::DT_UINT8:
    return std::numeric_limits<std::uint8_t>::max();
  case draco::DT_INT16:
    return std::numeric_limits<std::int16_t>::max();
  case draco::DT_UINT16:
    return std::numeric_limits<std::uint16_t>::max();
  default:
    return 1.0f;
  }
}

} // namespace

DracoMesh::DracoMesh(GltfDocument& document, const GltfJson& extension)
    : decoded_(std::make_unique<Decoded>()) {
  const auto view = indexIn(extension, "bufferView");
  if (!view) throw GltfError("KHR_draco_mesh_compression names no buffer view");
  const std::string_view bytes = document.view(*view);
  draco::DecoderBuffer buffer;
  buffer.Init(bytes.data(), bytes.size());
  const auto type = draco::Decoder::GetEncodedGeometryType(&buffer);
  if (!type.ok() || type.value() != draco::TRIANGULAR_MESH)
    throw GltfError("Draco: the compressed bytes are no mesh");
  buffer.Init(bytes.data(), bytes.size());
  draco::Decoder decoder;
  auto mesh = decoder.DecodeMeshFromBuffer(&buffer);
  if (!mesh.ok())
    throw GltfError(
        fmt::format("Draco: the compressed bytes are damaged ({})", mesh.status().error_msg()));
  decoded_->mesh = std::move(mesh).value();
  const std::uint64_t points = decoded_->mesh->num_points();
  document.budget().take(points, kPointBytes, "decompressed vertices");
  if (decoded_->mesh->num_points() > document.options().maxVertices)
    throw GltfError(fmt::format("Draco: {} vertices are too many", decoded_->mesh->num_points()));
  const GltfJson& names = objectIn(extension, "attributes");
  for (auto it = names.begin(); it != names.end(); ++it) {
    const draco::PointAttribute* attribute = decoded_->mesh->GetAttributeByUniqueId(
        static_cast<std::uint32_t>(asIndex(it.value(), "attributes")));
    if (attribute == nullptr) throw GltfError(fmt::format("Draco: {} is missing", it.key()));
    decoded_->attributes[it.key()] = attribute;
  }
}

DracoMesh::~DracoMesh() = default;

std::size_t DracoMesh::vertexCount() const {
  return decoded_->mesh->num_points();
}

std::vector<Triangle> DracoMesh::triangles() const {
  std::vector<Triangle> out;
  out.reserve(decoded_->mesh->num_faces());
  for (std::uint32_t f = 0; f < decoded_->mesh->num_faces(); ++f) {
    const draco::Mesh::Face& face = decoded_->mesh->face(draco::FaceIndex(f));
    out.push_back({face[0].value(), face[1].value(), face[2].value()});
  }
  return out;
}

bool DracoMesh::has(const std::string& attribute) const {
  return decoded_->attributes.contains(attribute);
}

std::vector<float> DracoMesh::floats(const std::string& name, std::size_t components,
                                     bool normalized) const {
  const draco::PointAttribute& attribute = decoded_->of(name, components);
  std::vector<float> out = decoded_->read<float>(attribute, components);
  if (normalized && !attribute.normalized())
    for (float& value : out)
      value = std::max(value / findLargest(attribute.data_type()), -1.0f);
  return out;
}

std::vector<std::uint32_t> DracoMesh::integers(const std::string& name,
                                               std::size_t components) const {
  return decoded_->read<std::uint32_t>(decoded_->of(name, components), components);
}

} // namespace sinew
