// Buffer views that meshoptimizer compressed (EXT_meshopt_compression and
// KHR_meshopt_compression, which gltfpack writes).
#pragma once

#include "import/gltf/json_values.h"
#include "import/import_budget.h"

#include <string>
#include <string_view>

namespace sinew {

// extension: the buffer view's; bytes: what it names. Returns count * byteStride bytes, with the
// filter applied. Throws GltfError where bytes or parameters are not those of the format.
std::string meshoptBytes(const GltfJson& extension, std::string_view bytes, ImportBudget& budget);

} // namespace sinew
