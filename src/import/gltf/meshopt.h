// Buffer views that meshoptimizer compressed (EXT_meshopt_compression and
// KHR_meshopt_compression, which gltfpack writes).
#pragma once

#include "import/gltf/json_values.h"
#include "import/import_budget.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sinew {

// extension: the buffer view's; bytes: what it names. Returns count * byteStride bytes, with the
// filter applied. Throws GltfError where bytes or parameters are not those of the format.
std::string meshoptBytes(const GltfJson& extension, std::string_view bytes, ImportBudget& budget);

// Attribute streams of version 1 of meshoptimizer's vertex codec (KHR_meshopt_compression, appendix
// A, mode 0), which Debian's meshoptimizer does not read.
bool isMeshoptVersion1(std::string_view stream);

// count elements of `stride` bytes, a multiple of 4 up to 256; nothing where the stream is not of
// the format or not of this length.
std::optional<std::string> decodeMeshoptVersion1(std::string_view stream, std::size_t count,
                                                 std::size_t stride);

// Filter COLOR (appendix B) on elements of four components of 1 or 2 bytes, in place.
void decodeMeshoptColors(std::string& elements, std::size_t count, std::size_t stride);

// Filter QUATERNION (appendix B) on elements of four shorts, in place. In double precision:
// libraries do it in single precision, and then differ from one another by a unit in the last bit,
// which may move vertices by 1e-5 of a model's size.
void decodeMeshoptQuaternions(std::string& elements, std::size_t count);

} // namespace sinew
