// Weights made by other programs, read from their files, for comparison.
#pragma once

#include "model/mesh.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace sinew {

// Weights in vertex order. Joints are columns: the bones of the skeleton's file in the order of its
// lines, or the entries of `names` if the file has names. A vertex may have no weights.
struct ReferenceWeights {
  Influences influences;
  std::size_t columns = 0;
  std::vector<std::string> names;
};

// Reads by extension: .txt, lines `vertex bone:weight ...`, both from 0, other vertices none; .dmat
// (libigl's), `bones vertices` followed by the weights bone by bone; .json, the output of
// weightsToJson(). Throws inputError with the file, and the line in a text file.
ReferenceWeights readReferenceWeights(const std::filesystem::path& path);

// Vertices of an .obj file in the order of its lines `v`.
std::vector<vec3> readObjVertices(const std::filesystem::path& path);

// The file's vertex at each of the positions, within a millionth of the bounding box's
// diagonal. Throws inputError with the path where there is none.
std::vector<std::uint32_t> verticesAt(const std::vector<vec3>& positions,
                                      const std::vector<vec3>& fileVertices,
                                      const std::filesystem::path& path);

} // namespace sinew
