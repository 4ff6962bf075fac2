#include "render/shader_text.h"

#include "core/error.h"
#include "core/text.h"
#include "gl/glsl_text.h"
#include "gl/shader_source.h"
#include "render/further_attributes.h"
#include "render/programs.h"
#include "render/vertex_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace sinew {
namespace {

// The text as comment lines of at most 100 letters.
std::string wrapped(const std::string& text) {
  std::string out;
  std::string line = "//";
  for (const std::string& word : split(text, ' ')) {
    if (word.empty()) continue;
    if (line.size() + word.size() >= 100) {
      out += line + '\n';
      line = "//";
    }
    line += ' ' + word;
  }
  return out + line + '\n';
}

bool isOnlyComment(const std::string& text) {
  const auto lines = splitLines(text);
  return std::all_of(lines.begin(), lines.end(), [](std::string_view line) {
    const std::size_t first = line.find_first_not_of(' ');
    return first == std::string_view::npos || line.compare(first, 2, "//") == 0;
  });
}

struct Part {
  std::string path, text;
};

// The parts that are used: starting from main(), those whose functions a used part mentions,
// whether they stand before it or after it.
std::vector<Part> usedParts(const Stage& stage) {
  std::vector<Part> parts;
  for (const ShaderSource& source : stage.parts) {
    std::string text = resolveConditionals(source.text, stage.defines);
    if (!isOnlyComment(text)) parts.push_back({std::string(source.path), std::move(text)});
  }
  std::vector<bool> used(parts.size(), false);
  std::string text; // text of the parts in use
  const auto isNeeded = [&](const Part& part) {
    const auto functions = listFunctions(part.text);
    return functions.empty() ||
           std::any_of(functions.begin(), functions.end(), [&](std::string_view name) {
             return name == "main" || mentions(text, name);
           });
  };
  for (bool more = true; more;) {
    more = false;
    for (std::size_t i = parts.size(); i-- > 0;)
      if (!used[i] && isNeeded(parts[i])) {
        used[i] = more = true;
        text += parts[i].text;
      }
  }
  std::vector<Part> out;
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (used[i]) out.push_back(std::move(parts[i]));
  return out;
}

// The declarations of the inputs that the text behind them mentions.
std::string usedInputs(const std::string& declarations, const std::string& behind) {
  std::string out;
  for (const std::string_view line : splitLines(declarations)) {
    const std::string_view declaration = line.substr(0, line.find(';'));
    if (mentions(behind, declaration.substr(declaration.rfind(' ') + 1)))
      out.append(line).append(1, '\n');
  }
  return out;
}

std::string_view formatText(AttributeFormat format) {
  switch (format) {
  case AttributeFormat::uint8x4:
    return "4 x unsigned byte, integers";
  case AttributeFormat::uint16x4:
    return "4 x unsigned short, integers";
  case AttributeFormat::unorm16x4:
    return "4 x unsigned short, normalised to 0..1";
  case AttributeFormat::snorm8x3:
    return "3 x signed byte and an unused one, -127..127 for -1..1";
  case AttributeFormat::float1:
    return "1 x float";
  case AttributeFormat::float2:
    return "2 x float";
  case AttributeFormat::float3:
    return "3 x float";
  case AttributeFormat::float4:
  case AttributeFormat::texel4:
    return "4 x float";
  }
  return "";
}

// The key owns what the stage refers to.
struct OwnedStage {
  ProgramKey key;
  Stage stage = vertexStage(key);
};

OwnedStage makeStage(const Method& method, const Binding& binding,
                     const ShaderTextOptions& options) {
  const std::uint32_t entries = options.entries == 0 ? binding.entryCount : options.entries;
  SkinShader skin =
      makeSkinShader(method, binding, listForms(binding).back(),
                     {.storage = options.storage, .capacityRows = entries * binding.rowsPerEntry});
  if (options.crowd) {
    skin.inputs += fmt::format("layout(location = {}) in vec4 instanceRotation;\n", kFieldLocation);
    for (const char* choice : {"STRETCH_UNIFORM", "PALETTE_FIRST_ROW", "INSTANCE_ROTATION"})
      skin.defines.emplace_back(choice);
  }
  ProgramKey key{.pass = Pass::surface,
                 .skin = std::make_shared<const SkinShader>(std::move(skin)),
                 .nonUniformScale = options.stretches};
  key.surface.textured = true;
  return {key};
}

// The defines that the remaining text still mentions: values, not choices.
std::string valueDefines(const Stage& stage, const std::string& text) {
  std::string out;
  for (const std::string& define : stage.defines) {
    const std::string name = define.substr(0, define.find(' '));
    if (name.size() < define.size() && mentions(text, name)) out += "#define " + define + '\n';
  }
  return out;
}

std::string locationText(const ShaderInput& input) {
  return input.location ? std::to_string(*input.location) : "--";
}

std::string headText(const Method& method, const Binding& binding, bool crowd) {
  std::string head = wrapped(fmt::format("{}: {}", method.title, method.paper)) +
                     wrapped(std::string(method.summary)) + "//\n// Vertex attributes\n";
  for (const ShaderInput& input : shaderInputs(binding))
    head += fmt::format("//   {:>2}  {:14} {}\n", locationText(input), input.name, input.format);
  for (const FurtherTexture& texture : furtherTextures(binding))
    head += fmt::format("//   --  {:14} buffer texture, {}: {} texels a vertex\n", texture.name,
                        texture.bytes ? "RGBA8I" : "RGBA32F", texture.attributes.size());
  head += fmt::format("//   {:>2}  {:14} 3 x float, of each instance\n",
                      fixedLocation("instanceOffset"), "instanceOffset");
  if (crowd)
    head += fmt::format("//   {:>2}  {:14} 4 x float, of each instance: a unit quaternion, vector "
                        "part first\n",
                        kFieldLocation, "instanceRotation");
  if (binding.rowsPerEntry > 0)
    head += fmt::format(
        "//\n// The palette, written once a frame: {} vec4 for each of {} entries, which "
        "joints0 names\n",
        binding.rowsPerEntry, binding.entryCount);
  for (std::size_t row = 0; row < binding.rowsPerEntry; ++row)
    head += fmt::format("//   {}  {}\n", row, binding.rowTexts[row]);
  return head + '\n';
}

} // namespace

std::vector<ShaderInput> shaderInputs(const Binding& binding) {
  std::vector<ShaderInput> inputs;
  const auto add = [&](const std::string& name, AttributeFormat format, unsigned location) {
    inputs.push_back(
        {name, std::string(glslType(format)), location, std::string(formatText(format))});
  };
  add("bindPosition", AttributeFormat::float3, fixedLocation("bindPosition"));
  if (binding.variant.hasNormals())
    add("bindNormal", AttributeFormat::float3, fixedLocation("bindNormal"));
  add("texcoord", AttributeFormat::float2, fixedLocation("texcoord"));
  const std::size_t located = locatedCount(binding);
  for (std::size_t i = 0; i < located; ++i)
    add(binding.attributes[i].name, binding.attributes[i].format, bindingLocation(i));
  for (const FurtherTexture& texture : furtherTextures(binding))
    for (std::size_t i = 0; i < texture.attributes.size(); ++i) {
      const Attribute& attribute = binding.attributes[texture.attributes[i]];
      inputs.push_back({attribute.name, std::string(glslType(attribute.format)), std::nullopt,
                        fmt::format("{}: texel {} of each vertex in {}",
                                    formatText(attribute.format), i, texture.name)});
    }
  return inputs;
}

std::string vertexShaderText(const Method& method, const Binding& binding,
                             const ShaderTextOptions& options) {
  const OwnedStage owned = makeStage(method, binding, options);
  const Stage& stage = owned.stage;
  std::string body;
  for (const Part& part : usedParts(stage))
    body += fmt::format("\n// shaders/{}\n{}", part.path, part.text);
  const std::string defines = valueDefines(stage, body);
  return fmt::format("#version {} core\n", stage.version) +
         headText(method, binding, options.crowd) + defines + '\n' +
         usedInputs(stage.inputs, defines + body) + body;
}

std::string skinFunctionText(const Method& method, const Binding& binding,
                             const ShaderTextOptions& options) {
  static constexpr std::array kOurs = {"common/palette.glsl", "common/frame.glsl", "mesh.vert"};
  std::string text;
  const OwnedStage owned = makeStage(method, binding, options);
  for (const Part& part : usedParts(owned.stage))
    if (std::find(kOurs.begin(), kOurs.end(), part.path) == kOurs.end())
      text += (text.empty() ? "" : "\n") + part.text;
  return text;
}

} // namespace sinew
