// The formats in which a rigged model is written: by the ending of the file's name.
#pragma once

#include "export/fbx/fbx.h"
#include "export/glb_compress.h"
#include "export/node_constraint.h"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

struct SkinningData; // export/skinning_data.h

struct ExportChoices {
  FbxUp fbxUp = FbxUp::y;
  bool texturesBeside = false;     // where the format lets one choose
  bool compress = false;           // likewise
  double keyPercent = kKeyPercent; // error allowed in a compressed file (glb_compress.h)
  // The binding of a method, for formats that can hold it; null: none.
  const SkinningData* skinning = nullptr;
};

struct ExportedFile {
  std::string bytes;
  std::vector<FbxImageFile> images;  // beside it
  std::vector<std::string> notes;    // what was left out or dropped: a line each
  std::vector<std::string> warnings; // what readers of the format are known to ignore: a line each
};

struct ExportFormat {
  const char* extension;
  const char* name;
  float metersPerUnit; // in its files
  // path: where the file will be. constraints: at most one of a node.
  ExportedFile (*write)(const Model& model, std::span<const NodeConstraint> constraints,
                        const std::filesystem::path& path, const ExportChoices& choices);
};

std::span<const ExportFormat> exportFormats();

// By an extension in small letters (".glb"); nullptr: none.
const ExportFormat* findExportFormat(std::string_view extension);

// What a length of the model is multiplied by in a file of the format: 1 where the model does not
// state its unit.
float lengthFactor(const ExportFormat& format, const Model& model);

// Writes the model, and images beside it where the choices say so; returns what was written. Throws
// as the format's writer and writeFile() do.
ExportedFile writeModel(const ExportFormat& format, const Model& model,
                        std::span<const NodeConstraint> constraints,
                        const std::filesystem::path& path, const ExportChoices& choices);

} // namespace sinew
