// A Model as FBX 7.4 in one binary file, or with its images beside it: nodes, meshes, skins with
// all influences and their bind pose, blend shapes, materials, textures as PNG, and clips. Our own
// writer; there is no published specification (record.h names what describes the layout).
//
// Joints of skins are LimbNodes, skinned meshes stand at the top of the scene. Rotations are Euler
// angles about x, y and z, without pre-rotation or pivots; children inherit scale as matrices do.
#pragma once

#include "export/fbx/materials.h"
#include "export/fbx/space.h"

#include <string>
#include <vector>

namespace sinew {

struct FbxOptions {
  FbxUp up = FbxUp::y;
  std::string imageFolder; // beside the file; empty: images are embedded
};

struct FbxFile {
  std::string bytes;
  std::vector<FbxImageFile> images;
};

// Lengths are centimetres where the model states its unit. Throws usageError for a model without
// nodes, an image that cannot be encoded, and a file of more than 4 GB.
FbxFile toFbx(const Model& model, const FbxOptions& options = {});

// What the model has and the format, or this file, has no place for: a line each.
std::vector<std::string> leftOutOfFbx(const Model& model);

} // namespace sinew
