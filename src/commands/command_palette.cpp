// The palettes of clips at even times, for an engine that plays them from a texture: floats in a
// file, and an index beside it that lists the places of the parts.
#include "commands/command.h"
#include "commands/commands.h"
#include "commands/model_options.h"
#include "commands/output.h"
#include "commands/setting_options.h"
#include "core/error.h"
#include "core/file.h"
#include "core/npy.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kLargestFile = 1024.0 * 1024.0 * 1024.0; // bytes

struct PaletteOptions {
  ModelOptions model;
  Settings settings;
  std::vector<std::string> clips;
  double fps = 30.0;
  std::string output;
};

// Frames one after another, each `rows` rows.
struct PaletteRows {
  std::vector<vec4> values;
  std::size_t frames = 0;
  std::size_t rows = 0;
  Json clips = Json::array();
};

std::vector<std::string> paletteClips(const PaletteOptions& options, const Model& model) {
  if (options.clips.size() != 1 || options.clips.front() != "all")
    return options.clips.empty() ? std::vector<std::string>{options.settings.clip} : options.clips;
  if (model.clips.empty())
    throw usageError("--clip all: the model has no clip", "give it some: --motion FILE");
  std::vector<std::string> out;
  for (std::uint32_t clip = 0; clip < model.clips.size(); ++clip)
    out.push_back(clipWord(model, clip));
  return out;
}

// A whole number of frames over the clip's length: the frame after the last is the first.
void appendClip(const std::string& word, double fps, Settings settings, Workbench& workbench,
                PaletteRows& out) {
  settings.clip = word;
  chooseClip(workbench, settings);
  const double seconds = workbench.clip ? playSeconds(workbench, Wrap::clamp) : 0.0;
  const auto frames = static_cast<std::size_t>(std::max(std::round(seconds * fps), 1.0));
  const BoundMethod& bound = workbench.bound.front();
  const double bytes =
      static_cast<double>(out.frames + frames) * static_cast<double>(out.rows) * sizeof(vec4);
  if (bytes > kLargestFile)
    throw usageError(fmt::format("the palettes would take {:.0f} MB, more than 1024", bytes * 1e-6),
                     "a lower --fps, or fewer clips");
  bool stretches = false;
  for (std::size_t k = 0; k < frames; ++k) {
    evaluate(workbench, seconds * static_cast<double>(k) / static_cast<double>(frames),
             Wrap::clamp);
    out.values.insert(out.values.end(), bound.palette.rows.begin(), bound.palette.rows.end());
    stretches |= bound.palette.nonUniformScale;
  }
  out.clips.push_back(
      {{"name", workbench.clip ? workbench.model.clips[*workbench.clip].name : word},
       {"first_frame", out.frames},
       {"frames", frames},
       {"seconds", seconds},
       {"stretches", stretches}});
  out.frames += frames;
}

Json paletteIndex(const BoundMethod& bound, const PaletteRows& palettes,
                  const std::string& output) {
  Json rows = Json::array();
  for (const std::string_view text : bound.binding.rowTexts)
    rows.push_back(text);
  return {{"sinew", "palette"},
          {"file", std::filesystem::path(output).filename().string()},
          {"method", bound.method->name},
          {"entries", bound.binding.entryCount},
          {"rows_per_entry", bound.binding.rowsPerEntry},
          {"rows", std::move(rows)},
          {"rows_per_frame", palettes.rows},
          {"frames", palettes.frames},
          {"clips", palettes.clips}};
}

ExitCode runPalette(const PaletteOptions& options) {
  const std::string extension = getExtension(options.output);
  if (extension != ".npy" && extension != ".bin")
    throw usageError(fmt::format("{}: palettes are .npy or .bin", options.output),
                     "end the name in one of these");
  Settings settings = options.settings;
  settings.clip = "none";
  Workbench workbench = openWorkbench(options.model, settings);
  if (workbench.rig.positions.empty())
    throw inputError(options.model.model, "has no mesh, so a method has no palette");
  PaletteRows palettes;
  palettes.rows = workbench.bound.front().palette.rows.size();
  for (const std::string& word : paletteClips(options, workbench.model))
    appendClip(word, options.fps, options.settings, workbench, palettes);

  std::string bytes = extension == ".npy" ? npyHeader({palettes.frames, palettes.rows, 4}) : "";
  const std::size_t header = bytes.size(), size = palettes.values.size() * sizeof(vec4);
  bytes.resize(header + size);
  std::memcpy(bytes.data() + header, palettes.values.data(), size);
  writeFile(options.output, bytes);
  const Json index = paletteIndex(workbench.bound.front(), palettes, options.output);
  writeFile(std::filesystem::path(options.output).replace_extension(".json"), toString(index));
  if (options.model.json) print(toString(index));
  return ExitCode::done;
}

} // namespace

Command paletteCommand() {
  auto options = std::make_shared<PaletteOptions>();
  Command command{"palette", "The palettes of clips as floats, for a texture or buffer"};
  addModelOptions(command, options->model);
  command
      .add("-o,--output", &options->output, "the file to write, .npy or .bin; its index is .json")
      .as(ValueKind::file)
      .required();
  command.add("--clip", &options->clips,
              "this clip, by name or number; 'none', 'bind', 'all'; again for more [the first]");
  command.add("--fps", &options->fps, "frames a second of a clip").range(1.0, 1000.0).showDefault();
  addSettings(command, options->settings, {"Skinning"});
  command.remove("--skin-on");
  command.remove("--palette");
  command.notes =
      "Frames have the same number of rows, each four floats. A clip has a whole number "
      "of frames, evenly spaced;\n"
      "after its last comes its first. docs/engines.md says how a shader reads them.";
  command.examples = {
      "sinew palette model.glb --method dqs --clip walk -o walk.npy",
      "sinew palette model.glb --method arc-spline --clip all --fps 60 -o crowd.bin"};
  command.run = [options](const Command&) { return runPalette(*options); };
  return command;
}

} // namespace sinew
