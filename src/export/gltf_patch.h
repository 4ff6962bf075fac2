// A model that was read from glTF, written back into its file: what has not changed stays as it is.
//
// The file is read again: as bytes and JSON, which are kept, and (in isolation) as a Model, which
// tells what has changed since. Nodes are known by name and parent, clips by name, meshes by their
// order. Every other part of the file stays: materials, textures, cameras, lights, extras,
// extensions, other scenes, attributes byte for byte. What is added is appended.
#pragma once

#include "export/node_constraint.h"
#include "model/model.h"

#include <span>
#include <string>
#include <vector>

namespace sinew {

struct SkinningData; // export/skinning_data.h

struct GlbFile {
  std::string bytes;
  std::vector<std::string> notes; // what was left out or dropped: a line each
};

// As toGlb(), but into the file of Model::path where that is glTF. A model whose scene graph has
// changed in ways that the file cannot follow, or whose file is gone, becomes a new file, with a
// note.
GlbFile writeGlb(const Model& model, std::span<const NodeConstraint> constraints = {},
                 const SkinningData* skinning = nullptr);

} // namespace sinew
