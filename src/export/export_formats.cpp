#include "export/export_formats.h"

#include "core/error.h"
#include "core/file.h"
#include "export/glb.h"
#include "export/glb_compress.h"
#include "export/gltf_patch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <system_error>

namespace sinew {
namespace {

ExportedFile writeGltf(const Model& model, std::span<const NodeConstraint> constraints,
                       const std::filesystem::path& /*path*/, const ExportChoices& choices) {
  GlbFile file = writeGlb(inMetres(model), constraints, choices.skinning);
  if (choices.compress) file.bytes = compressGlb(file.bytes, choices.keyPercent);
  return {std::move(file.bytes), {}, std::move(file.notes), {}};
}

// A VRM file is one by its extension, which a model keeps that was read from such a file.
ExportedFile writeVrm(const Model& model, std::span<const NodeConstraint> constraints,
                      const std::filesystem::path& path, const ExportChoices& choices) {
  ExportedFile file = writeGltf(model, constraints, path, choices);
  if (file.bytes.find("\"VRMC_vrm\"") == std::string::npos &&
      file.bytes.find("\"VRM\"") == std::string::npos)
    throw usageError(
        fmt::format("{}: only what was read from a VRM file can be written as one", path.string()),
        "write a .glb");
  return file;
}

// Images beside it lie in the folder in which the FBX SDK puts those that it unpacks.
ExportedFile writeFbx(const Model& model, std::span<const NodeConstraint> /*constraints*/,
                      const std::filesystem::path& path, const ExportChoices& choices) {
  FbxOptions options;
  options.up = choices.fbxUp;
  if (choices.texturesBeside) options.imageFolder = path.stem().string() + ".fbm";
  FbxFile file = toFbx(model, options);
  std::vector<std::string> notes = leftOutOfFbx(model);
  if (choices.skinning != nullptr)
    notes.emplace_back("the method's data (--method): only a .glb has a place for them");
  return {std::move(file.bytes), std::move(file.images), std::move(notes), {}};
}

constexpr std::array<ExportFormat, 3> kFormats = {{
    {".glb", "glTF 2.0", 1.0f, writeGltf},
    {".vrm", "VRM", 1.0f, writeVrm},
    {".fbx", "FBX 7.4", 0.01f, writeFbx},
}};

// Most engines skin by four joints: they read the first of glTF's sets of four.
std::vector<std::string> listWarnings(const Model& model) {
  constexpr std::size_t kUsual = 4;
  std::size_t vertices = 0;
  for (const Mesh& mesh : model.meshes)
    for (std::size_t v = 0; v < mesh.influences.vertexCount(); ++v)
      if (mesh.influences.of(v).size() > kUsual) ++vertices;
  if (vertices == 0) return {};
  return {fmt::format("{} {} more than {} joints, and three.js and other engines use {} of them: "
                      "'sinew reduce MODEL --influences {} -o ...' solves for {} weights",
                      vertices, vertices == 1 ? "vertex follows" : "vertices follow", kUsual,
                      kUsual, kUsual, kUsual)};
}

} // namespace

std::span<const ExportFormat> exportFormats() {
  return kFormats;
}

const ExportFormat* findExportFormat(std::string_view extension) {
  const auto* const found = std::ranges::find_if(
      kFormats, [&](const ExportFormat& format) { return format.extension == extension; });
  return found == kFormats.end() ? nullptr : found;
}

float lengthFactor(const ExportFormat& format, const Model& model) {
  return model.metersPerUnit ? *model.metersPerUnit / format.metersPerUnit : 1.0f;
}

ExportedFile writeModel(const ExportFormat& format, const Model& model,
                        std::span<const NodeConstraint> constraints,
                        const std::filesystem::path& path, const ExportChoices& choices) {
  ExportedFile file = format.write(model, constraints, path, choices);
  for (const FbxImageFile& image : file.images) {
    const std::filesystem::path place = path.parent_path() / image.path;
    std::error_code error; // writeFile() reports a folder that could not be made
    std::filesystem::create_directories(place.parent_path(), error);
    writeFile(place, image.bytes);
  }
  writeFile(path, file.bytes);
  file.warnings = listWarnings(model);
  return file;
}

} // namespace sinew
