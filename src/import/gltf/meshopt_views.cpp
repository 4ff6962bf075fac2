#include "import/gltf/meshopt_views.h"

#include "import/gltf/meshopt_attributes.h"

#include <fmt/format.h>
#include <meshoptimizer.h>

#include <cstdint>
#include <optional>
#include <utility>

namespace sinew {
namespace {

constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 31;

void applyFilter(const std::string& filter, std::string& out, std::size_t count,
                 std::size_t stride) {
  if (filter.empty() || filter == "NONE") return;
  if (filter == "OCTAHEDRAL" && (stride == 4 || stride == 8))
    meshopt_decodeFilterOct(out.data(), count, stride);
  else if (filter == "QUATERNION" && stride == 8)
    decodeMeshoptQuaternions(out, count);
  else if (filter == "EXPONENTIAL" && stride % 4 == 0)
    meshopt_decodeFilterExp(out.data(), count, stride);
  else if (filter == "COLOR" && (stride == 4 || stride == 8))
    decodeMeshoptColors(out, count, stride);
  else
    throw GltfError(
        fmt::format("meshopt compression: filter {} of {} bytes is unknown", filter, stride));
}

// Whether the stream could be read.
bool decodeAttributes(std::string_view bytes, std::size_t count, std::size_t stride,
                      std::string& out) {
  if (!isMeshoptVersion1(bytes))
    return meshopt_decodeVertexBuffer(out.data(), count, stride,
                                      reinterpret_cast<const unsigned char*>(bytes.data()),
                                      bytes.size()) == 0;
  std::optional<std::string> decoded = decodeMeshoptVersion1(bytes, count, stride);
  if (decoded) out = std::move(*decoded);
  return decoded.has_value();
}

} // namespace

std::string meshoptBytes(const GltfJson& extension, std::string_view bytes, ImportBudget& budget) {
  const std::size_t count = countIn(extension, "count", 0);
  const std::size_t stride = countIn(extension, "byteStride", 0);
  const std::string mode = textIn(extension, "mode");
  if (stride == 0 || stride > 256 || count > kMaxBytes / stride)
    throw GltfError(fmt::format("meshopt compression: {} elements of {} bytes", count, stride));
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  budget.take(count, stride, "decompressed elements");
  std::string out(count * stride, '\0');
  if (count == 0) return out;
  int failed = 1;
  if (mode == "ATTRIBUTES" && stride % 4 == 0)
    failed = decodeAttributes(bytes, count, stride, out) ? 0 : 1;
  else if (mode == "TRIANGLES" && count % 3 == 0 && (stride == 2 || stride == 4))
    failed = meshopt_decodeIndexBuffer(out.data(), count, stride, data, bytes.size());
  else if (mode == "INDICES" && (stride == 2 || stride == 4))
    failed = meshopt_decodeIndexSequence(out.data(), count, stride, data, bytes.size());
  else
    throw GltfError(
        fmt::format("meshopt compression: mode {} of {} bytes is unknown", mode, stride));
  if (failed != 0) throw GltfError("meshopt compression: the compressed bytes are damaged");
  applyFilter(textIn(extension, "filter"), out, count, stride);
  return out;
}

} // namespace sinew
