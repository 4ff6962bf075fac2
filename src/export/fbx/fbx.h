// A Model as FBX 7.4 in one binary file, or with its images beside it: nodes, meshes, skins with
// all influences and their bind pose, blend shapes, materials, textures as PNG, and clips. Our own
// writer; there is no published specification (record.h names what describes the layout).
//
// Joints of skins are LimbNodes, skinned meshes stand at the top of the scene. Rotations are Euler
// angles about x, y and z, without pre-rotation or pivots; children inherit scale as matrices do.
#pragma once

#include "model/model.h"

#include <string>
#include <vector>

namespace sinew {

// y: Z towards the viewer, as Maya, Unity and Unreal expect it. z: Y away from the viewer, as 3ds
// Max and Blender have it.
enum class FbxUp : std::uint8_t { y, z };

struct FbxOptions {
  FbxUp up = FbxUp::y;
  std::string imageFolder; // beside the file; empty: images are embedded
};

// An image that is written beside the file. path: relative to it.
struct FbxImageFile {
  std::string path;
  std::string bytes;
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
