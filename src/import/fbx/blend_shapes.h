// The blend shapes of an FBX file as morph targets.
#pragma once

#include "import/fbx/document.h"
#include "model/model.h"

namespace sinew {

// One channel of a blend shape: shapes, each whole at one percentage; between two of them one fades
// into the other. Each shape is a morph target.
struct FbxMorph {
  std::uint32_t object = 0;          // the channel, which has the property "DeformPercent"
  double percent = 0.0;              // without animation
  std::vector<double> fullAt;        // percentages, ascending
  std::vector<std::uint32_t> shapes; // objects, one per percentage
  std::uint32_t firstTarget = 0;     // index of the first of as many morph targets of the model
};

// The weight of one of a channel's shapes at a percentage; beyond the last shape, and below zero,
// the line goes on.
double shapeWeight(const FbxMorph& morph, std::size_t shape, double percent);

// The offsets of one shape, by control points of its mesh.
struct FbxShape {
  std::vector<std::uint32_t> points;
  std::vector<glm::dvec3> offsets; // as many
};

class FbxMorphReader {
 public:
  FbxMorphReader(const FbxDocument& document, Model& model) : document_(document), model_(model) {}

  // The channels of a mesh, whose targets are appended to the model once.
  const std::vector<FbxMorph>& listMorphs(std::uint32_t geometry);
  // Throws FbxError where lists disagree or name points beyond the mesh's.
  FbxShape shape(std::uint32_t object, std::size_t points) const;
  // All channels that were asked for.
  std::vector<FbxMorph> all() const;

 private:
  std::vector<FbxMorph> read(std::uint32_t geometry);

  const FbxDocument& document_;
  Model& model_;
  std::map<std::uint32_t, std::vector<FbxMorph>> known_;
};

} // namespace sinew
