// Morph controllers of Collada files, which Assimp 5.2 loses with their meshes: the file is
// rewritten before Assimp reads it, so that a controller's mesh and its targets are meshes of their
// own, and put together again in Assimp's scene (COLLADA 1.4.1, <morph>).
#pragma once

#include "model/clip.h"

#include <assimp/scene.h>

#include <optional>
#include <string>
#include <vector>

namespace sinew {

struct ColladaMorphTarget {
  std::string name;
  std::string mesh; // id of the geometry that has its positions
  float weight = 0.0f;
  Track<float> keys = {};
};

struct ColladaMorph {
  std::string mesh;      // id of the geometry that the controller moves, of no other one
  std::string name;      // id of the file's geometry
  bool relative = false; // targets are offsets
  std::vector<ColladaMorphTarget> targets;
  std::string animation; // that has the keys; empty: none
};

struct ColladaMorphs {
  std::string text; // of the file, rewritten
  std::vector<ColladaMorph> morphs;
  std::vector<std::string> warnings;
};

// Nothing where the text has no morph controller, or is no XML: then Assimp says what is wrong.
std::optional<ColladaMorphs> separateColladaMorphs(const std::string& text);

// After Assimp has read the text: gives meshes their targets (aiAnimMesh), nodes the keys of their
// weights (aiMeshMorphAnim), and takes the nodes away that showed the targets.
void joinColladaMorphs(ColladaMorphs& morphs, aiScene& scene);

} // namespace sinew
