#include "commands/export_options.h"

#include "core/error.h"
#include "core/file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace sinew {

void addExportChoices(Command& command, ExportChoices& choices) {
  command
      .add(
          "--fbx-axes",
          [&choices](const std::string& word) {
            choices.fbxUp = word == "z-up" ? FbxUp::z : FbxUp::y;
          },
          "axes of an .fbx: y-up for Unity, Unreal and Maya, z-up for 3ds Max and Blender [y-up]")
      .allow({"y-up", "z-up"});
  command
      .add(
          "--textures",
          [&choices](const std::string& word) { choices.texturesBeside = word == "beside"; },
          "images of an .fbx: embedded, or beside it in the folder NAME.fbm [embedded]")
      .allow({"embedded", "beside"});
  command.add("--compress", &choices.compress,
              "make a .glb small: quantised, and compressed by meshoptimizer "
              "(EXT_meshopt_compression), which readers have to support; clips have fewer keys");
  command
      .add("--compress-error", &choices.keyPercent,
           "by which fewer keys may move a vertex, of the model's size")
      .value("PERCENT")
      .range(0.0, 100.0)
      .showDefault();
}

void checkExportName(const std::string& path) {
  const std::string extension = getExtension(path);
  if (findExportFormat(extension) == nullptr)
    throw usageError(fmt::format("{}: unknown kind of file '{}'", path, extension),
                     fmt::format("end the name in {}", exportExtensions()));
}

void writeChanged(std::string_view command, const std::string& path, const Model& model,
                  bool quiet) {
  const ExportedFile file = writeModel(*findExportFormat(".glb"), model, {}, path, {});
  if (quiet) return;
  for (const std::string& line : file.notes)
    fmt::print(stderr, "{}: left out: {}\n", command, line);
  for (const std::string& line : file.warnings)
    fmt::print(stderr, "{}: {}\n", command, line);
}

void writeBaked(const BakeRun& run, const std::string& path, const ExportChoices& choices) {
  const std::string extension = getExtension(path);
  if (extension != ".glb")
    writeModel(*findExportFormat(extension), run.outcome->model, {}, path, choices);
  else
    writeFile(path, choices.compress ? compressGlb(run.glb, choices.keyPercent) : run.glb);
}

void writeBakedDrivers(const BakeRun& run, const std::string& path,
                       const std::string& driversPath) {
  const ExportFormat& format = *findExportFormat(getExtension(path));
  writeFile(driversPath, driversJson(run, lengthFactor(format, run.outcome->model)));
}

nlohmann::ordered_json toJson(const Model& model, const BakeError& error) {
  return {{"mean", error.mean},
          {"p999", error.p999},
          {"largest", error.largest},
          {"vertex", error.vertex},
          {"joint", model.hierarchy.nodes[error.node].name},
          {"pose", error.pose}};
}

std::string exportExtensions() {
  std::vector<std::string> out;
  for (const ExportFormat& format : exportFormats())
    out.emplace_back(format.extension);
  return fmt::format("{}", fmt::join(out, " or "));
}

} // namespace sinew
