// The visual scene of a Collada file as a hierarchy.
#pragma once

#include "import/append_node.h"
#include "import/collada/document.h"
#include "import/repairs.h"

#include <span>

namespace sinew {

// A transform of a node, with its numbers as the file has them: angles in degrees, matrices row
// after row.
enum class ColladaTransformKind : std::uint8_t { matrix, translate, rotate, scale, lookat, skew };
struct ColladaTransform {
  ColladaTransformKind kind = ColladaTransformKind::matrix;
  pugi::xml_node element;
  std::vector<double> numbers;
};

// In their order: the first one is the outermost.
std::vector<ColladaTransform> colladaTransforms(const pugi::xml_node& node);
glm::dmat4 toMatrix(std::span<const ColladaTransform> transforms);
glm::dmat4 toMatrix(const ColladaTransform& transform);

// A <node> where it stands. One that others are instances of stands in several places.
struct ColladaPlace {
  pugi::xml_node element;
  std::uint32_t node = 0;
};

struct ColladaNodes : NamedNodes {
  std::vector<ColladaPlace> places;                                           // parents first
  std::unordered_map<const void*, std::vector<std::uint32_t>> nodesByElement; // by element
  // A sheared node's inner half and its outer one, which an animation of the node must undo.
  std::unordered_map<std::uint32_t, std::uint32_t> stretchByNode;
};

// The name by which `byName` finds a node of the hierarchy, whatever its own name.
std::string makeHandle(std::uint32_t node);

// The scene's own node stands above all and turns the file's axes. Throws ColladaError without a
// scene, and Error with ErrorCause::limit where instances of nodes repeat too much.
ColladaNodes readColladaNodes(ColladaDocument& document, RepairLog& repairs);

} // namespace sinew
