// Weights that others made, read from the files they come in, to compare with.
#pragma once

#include "model/mesh.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace sinew {

// One vertex after another; joints are columns: the bones of the skeleton's file in the order of
// its lines, or those of `names` where the file has names. A vertex may have none.
struct ReferenceWeights {
  Influences influences;
  std::size_t columns = 0;
  std::vector<std::string> names;
};

// By extension: .txt, lines `vertex bone:weight ...`, both from 0, vertices that are not named have
// none; .dmat, `bones vertices` and then the weights of bone after bone (libigl's); .json, what
// weightsToJson() writes. Throws inputError that names the file, and the line where it has lines.
ReferenceWeights readReferenceWeights(const std::filesystem::path& path);

// Vertices of an .obj file in the order of its lines `v`.
std::vector<vec3> readObjVertices(const std::filesystem::path& path);

// For every position the vertex of the file that stands there, within a millionth of their box's
// diagonal. Throws inputError naming the path where there is none.
std::vector<std::uint32_t> verticesAt(const std::vector<vec3>& positions,
                                      const std::vector<vec3>& fileVertices,
                                      const std::filesystem::path& path);

} // namespace sinew
