#include "commands/setting_options.h"

#include "core/error.h"
#include "core/text.h"
#include "crowd/crowd_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <system_error>

namespace sinew {
namespace {

constexpr float kLargestWord = 1e9f;

// Numbers separated by commas; throws usageError unless there are `count` of them.
std::vector<float> numbers(const std::string& option, const std::string& text, std::size_t count) {
  std::vector<float> values;
  for (const std::string& part : split(text, ',')) {
    char* end = nullptr;
    values.push_back(std::strtof(part.c_str(), &end));
    if (part.empty() || *end != '\0' || !std::isfinite(values.back()))
      throw usageError(fmt::format("{}: '{}' is not a number", option, part));
    if (std::abs(values.back()) > kLargestWord)
      throw usageError(fmt::format("{}: {} is too large", option, part));
  }
  if (values.size() != count)
    throw usageError(fmt::format("{} takes {} numbers separated by commas", option, count));
  return values;
}

std::string optionName(const OptionInfo& info) {
  return "--" + std::string(info.name);
}

Option& addSetting(Command& command, const OptionInfo& info, std::string& field) {
  return command.add(optionName(info), &field, std::string(info.help))
      .suggest(info.choices)
      .showDefault(!field.empty());
}

// Parsed as it is read, so that an error names the word.
template <TextSetting T>
Option& addSetting(Command& command, const OptionInfo& info, T& field) {
  const auto read = [&field](const std::string& text) { readSetting(text, field); };
  Option& option =
      command.add(optionName(info), read, std::string(info.help)).suggest(info.choices);
  option.heldText = settingText(field);
  option.showDefault(!option.heldText.empty());
  return option;
}

Option& addSetting(Command& command, const OptionInfo& info, ParameterSettings& field) {
  const auto read = [&field](const std::string& text) {
    field = parseParameters(text, kSetOption);
  };
  Option& option = command.add(optionName(info), read, std::string(info.help));
  option.heldText = settingText(field);
  return option.showDefault(!option.heldText.empty());
}

Option& addSetting(Command& command, const OptionInfo& info, LightPicture& field) {
  const auto read = [&field](const std::string& text) { readSetting(text, field); };
  return command.add(optionName(info), read, std::string(info.help))
      .value("FILE|none")
      .as(ValueKind::file);
}

template <class T>
Option& addNumber(Command& command, const OptionInfo& info, T& field) {
  Option& option = command.add(optionName(info), &field, std::string(info.help)).showDefault();
  if (info.minimum < info.maximum) option.value(fmt::format("{}..{}", info.minimum, info.maximum));
  return option;
}

Option& addSetting(Command& command, const OptionInfo& info, int& field) {
  if (info.maximumWord.empty()) return addNumber(command, info, field);
  const auto read = [&field, info](const std::string& text) {
    const char* end = text.data() + text.size();
    if (text == info.maximumWord)
      field = static_cast<int>(info.maximum);
    else if (const auto [rest, error] = std::from_chars(text.data(), end, field);
             error != std::errc() || rest != end)
      throw usageError(fmt::format("--{} {}: a whole number or '{}' is expected", info.name, text,
                                   info.maximumWord),
                       fmt::format("choose from {} to {}", info.minimum, info.maximum));
  };
  Option& option =
      command.add(optionName(info), read, std::string(info.help))
          .value(fmt::format("{}..{}|{}", info.minimum, info.maximum, info.maximumWord));
  option.heldText = std::to_string(field);
  return option.showDefault();
}

Option& addSetting(Command& command, const OptionInfo& info, float& field) {
  return addNumber(command, info, field);
}

Option& addSetting(Command& command, const OptionInfo& info, bool& field) {
  const std::string name(info.name);
  return command.add("--" + name + ",!--no-" + name, &field, std::string(info.help));
}

Option& addSetting(Command& command, const OptionInfo& info, Backdrop& field) {
  const auto read = [&field](const std::string& text) { readSetting(text, field); };
  Option& option = command.add(optionName(info), read, std::string(info.help))
                       .value("dark|light|studio|R,G,B")
                       .suggest(info.choices);
  option.heldText = settingText(field);
  return option.showDefault();
}

void showWord(Settings& settings, const std::string& word) {
  const bool on = word.rfind("no-", 0) != 0;
  const std::string name = on ? word : word.substr(3);
  if (name.rfind("weights:", 0) == 0) {
    settings.weightsJoint = name.substr(8);
    return;
  }
  bool found = false;
  std::vector<std::string> known{"weights:JOINT"};
  visitSettings(settings, [&](const OptionInfo& info, auto& field) {
    if constexpr (std::is_same_v<std::decay_t<decltype(field)>, bool>) {
      if (info.group != "Show") return;
      known.emplace_back(info.name);
      if (info.name != name) return;
      field = on;
      found = true;
    }
  });
  if (!found) throw unknownName("thing to show", word, known);
}

} // namespace

void addSettings(Command& command, Settings& settings, std::vector<std::string> groups) {
  visitSettings(settings, [&](const OptionInfo& info, auto& field) {
    if (!groups.empty() && std::find(groups.begin(), groups.end(), info.group) == groups.end())
      return;
    // The joint whose weights are shown is --show weights:JOINT; --weights is a file of weights.
    if (info.name == "weights") return;
    addSetting(command, info, field).in(std::string(info.group));
  });
}

void addShow(Command& command, Settings& settings) {
  const auto read = [&settings](const std::string& words) {
    for (const std::string& word : split(words, ','))
      showWord(settings, word);
  };
  command
      .add("--show", read,
           "what to show besides the mesh: skeleton, wireframe, normals, bone-colors, "
           "weights:JOINT, "
           "no-grid, no-textures, separated by commas")
      .value("LIST")
      .in("Show");
}

void addCamera(Command& command, Settings& settings) {
  const auto read = [&settings](const std::string& text) {
    const auto v = numbers("--camera", text, 3);
    settings.yaw = v[0];
    settings.pitch = v[1];
    settings.distance = v[2];
  };
  command.add("--camera", read, "the three below at once; angles in degrees")
      .value("YAW,PITCH,DISTANCE")
      .in("Camera");
}

void addSize(Command& command, Size& size, const SizeRange& range, const std::string& help) {
  const auto read = [&size, range](const std::string& text) {
    const char* end = text.data() + text.size();
    const auto width = std::from_chars(text.data(), end, size.width);
    const bool separated = width.ec == std::errc() && width.ptr != end && *width.ptr == 'x';
    const auto height = std::from_chars(separated ? width.ptr + 1 : end, end, size.height);
    if (!separated || height.ec != std::errc() || height.ptr != end ||
        size.width < range.min.width || size.height < range.min.height ||
        size.width > range.max.width || size.height > range.max.height)
      throw usageError(fmt::format("--size '{}': expected WIDTHxHEIGHT from {}x{} to {}x{}", text,
                                   range.min.width, range.min.height, range.max.width,
                                   range.max.height));
  };
  command.add("--size", read, help).value("WxH");
}

void addSize(Command& command, Size& size) {
  addSize(command, size, {}, fmt::format("picture size [{}x{}]", size.width, size.height));
}

void addCrowdDrawing(Command& command, CrowdDrawing& drawing) {
  const auto names = paletteFormatNames();
  const std::string group = "Crowd";
  command
      .add(
          "--palette-format",
          [&drawing](const std::string& word) { drawing.format = findPaletteFormat(word); },
          "how a crowd's palettes are stored: f32; f16 for rigid and lbs; dq32 and dq16 for dqs, "
          "without its stretch")
      .suggest({names.begin(), names.end()})
      .in(group);
  command
      .add(
          "--bake-palette", [&drawing]() { drawing.baking = CrowdBaking::palette; },
          "the palettes of the clips in a texture, uploaded once; each character's time is chosen "
          "in the vertex shader")
      .in(group);
  command
      .add(
          "--bake-vertices", [&drawing]() { drawing.baking = CrowdBaking::vertices; },
          "the posed vertices of the clips in a texture (vertex animation texture)")
      .in(group)
      .without({"--bake-palette"});
  command
      .add("--lod", &drawing.lodPixels,
           "coarser meshes for characters far away, whose surface is off by at most this many "
           "pixels")
      .range(0, 100)
      .value("PIXELS")
      .in(group);
  command.add("--cull", &drawing.culls, "draw no characters whose posed box is out of the picture")
      .in(group);
  command
      .add("--passes", &drawing.passes,
           "draw the crowd so many times a frame: depth alone, and last the colours")
      .range(1, 16)
      .in(group);
}

} // namespace sinew
