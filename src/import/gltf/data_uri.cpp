#include "import/gltf/data_uri.h"

#include "core/base64.h"
#include "import/gltf/json_values.h"
#include "import/percent.h"

namespace sinew {
std::optional<std::string> bytesOfDataUri(std::string_view uri) {
  if (!uri.starts_with("data:")) return std::nullopt;
  const std::size_t comma = uri.find(',');
  if (comma == uri.npos) throw GltfError("a data URI has no data");
  const std::string_view data = uri.substr(comma + 1);
  if (!uri.substr(0, comma).ends_with(";base64")) return decodePercent(data);
  std::optional<std::string> bytes = fromBase64(data);
  if (!bytes) throw GltfError("a data URI is not base64");
  return bytes;
}

} // namespace sinew
