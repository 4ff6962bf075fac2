#include "render/shader_text.h"

#include "core/error.h"
#include "gl/shader_source.h"
#include "render/gpu_mesh.h"
#include "render/programs.h"
#include "render/vertex_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <regex>
#include <sstream>

namespace sinew {
namespace {

std::vector<std::string> linesOf(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    lines.emplace_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

// "1" of "NAME 1", "" of "NAME"; nothing where NAME is not defined.
const std::string* findDefine(std::span<const std::string> defines, const std::string& name) {
  for (const std::string& define : defines)
    if (define.substr(0, define.find(' ')) == name) return &define;
  return nullptr;
}

bool holds(const std::string& directive, const std::string& condition,
           std::span<const std::string> defines) {
  if (directive == "ifdef") return findDefine(defines, condition) != nullptr;
  if (directive == "ifndef") return findDefine(defines, condition) == nullptr;
  static const std::regex kDefined(R"(defined\((\w+)\))");
  static const std::regex kCompares(R"((\w+) (==|>) (\d+))");
  std::smatch match;
  if (std::regex_match(condition, match, kDefined)) return findDefine(defines, match[1]) != nullptr;
  if (!std::regex_match(condition, match, kCompares))
    throw graphicsError("a shader has a condition that is not understood: " + condition,
                        "write it as NAME == NUMBER, NAME > NUMBER or defined(NAME)");
  const std::string* define = findDefine(defines, match[1]);
  if (define == nullptr) return false;
  const int value = std::stoi(define->substr(define->find(' ')));
  const int limit = std::stoi(match[3]);
  return match[2] == "==" ? value == limit : value > limit;
}

struct Branch {
  bool outer = true; // the text around is kept
  bool taken = false;
  bool kept = false;
};

// Names of the functions a part defines: "type name(" at the start of a line that is no prototype.
std::vector<std::string> functionsOf(const std::string& text) {
  static const std::regex kFunction(R"(^\w+ (\w+)\()");
  std::vector<std::string> names;
  std::smatch match;
  for (const std::string& line : linesOf(text))
    if (std::regex_search(line, match, kFunction) &&
        !line.substr(0, line.find(" //")).ends_with(';'))
      names.push_back(match[1]);
  return names;
}

// Outside comments.
bool mentions(const std::string& text, const std::string& name) {
  const std::regex word("\\b" + name + "\\b");
  for (const std::string& line : linesOf(text))
    if (std::regex_search(line.substr(0, line.find("//")), word)) return true;
  return false;
}

// As comment lines of at most 100 letters.
std::string wrapped(const std::string& text) {
  std::string out;
  std::string line = "//";
  std::istringstream words(text);
  for (std::string word; words >> word; line += ' ' + word)
    if (line.size() + word.size() >= 100) {
      out += line + '\n';
      line = "//";
    }
  return out + line + '\n';
}

bool isOnlyComment(const std::string& text) {
  const auto lines = linesOf(text);
  return std::all_of(lines.begin(), lines.end(), [](const std::string& line) {
    const std::size_t first = line.find_first_not_of(' ');
    return first == std::string::npos || line.compare(first, 2, "//") == 0;
  });
}

struct Part {
  std::string path, text;
};

// Without the parts that are of no use to the others: from main() on, those whose functions a part
// in use mentions, whether they stand before it or behind.
std::vector<Part> usedParts(const Stage& stage) {
  std::vector<Part> parts;
  for (const ShaderSource& source : stage.parts) {
    std::string text = resolveConditionals(source.text, stage.defines);
    if (!isOnlyComment(text)) parts.push_back({std::string(source.path), std::move(text)});
  }
  std::vector<bool> used(parts.size(), false);
  std::string text; // of the parts in use
  const auto isNeeded = [&](const Part& part) {
    const auto functions = functionsOf(part.text);
    return functions.empty() ||
           std::any_of(functions.begin(), functions.end(), [&](const std::string& name) {
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

// attributes.glsl without the inputs that nothing behind it mentions.
std::string usedInputs(const std::string& attributes, const std::string& behind) {
  static const std::regex kInput(R"(^layout\(location = \d+\) in \w+ (\w+);)");
  std::string out;
  std::smatch match;
  for (const std::string& line : linesOf(attributes))
    if (std::regex_search(line, match, kInput) && mentions(behind, match[1])) out += line + '\n';
  return out;
}

std::string formatText(const VertexAttribute& attribute) {
  const std::string_view type = attribute.type == GL_UNSIGNED_BYTE    ? "unsigned byte"
                                : attribute.type == GL_UNSIGNED_SHORT ? "unsigned short"
                                                                      : "float";
  return fmt::format("{} x {}{}", attribute.components, type,
                     attribute.integer      ? ", integers"
                     : attribute.normalized ? ", normalised to 0..1"
                                            : "");
}

Stage stageOf(const Method& method, const Binding& binding, const ShaderTextOptions& options) {
  ProgramKey key{
      .pass = Pass::surface, .skinFile = skinFileOf(method.name), .defines = binding.defines};
  key.defines.emplace_back("TEXTURED");
  key.defines.push_back(fmt::format("NON_UNIFORM_SCALE {}", options.stretches));
  if (binding.rowsPerItem == 0) return vertexStage(key);
  const std::uint32_t items = options.items == 0 ? binding.itemCount : options.items;
  key.defines.push_back(fmt::format("PALETTE_ROWS {}", binding.rowsPerItem));
  if (options.storage == PaletteStorage::texture || options.storage == PaletteStorage::automatic) {
    key.defines.emplace_back("PALETTE_TEXTURE");
    return vertexStage(key);
  }
  key.defines.emplace_back(options.storage == PaletteStorage::block ? "PALETTE_BLOCK"
                                                                    : "PALETTE_UNIFORM_ARRAY");
  key.defines.push_back(fmt::format("PALETTE_CAPACITY {}", items * binding.rowsPerItem));
  return vertexStage(key);
}

// The defines that the kept text still mentions: values, not choices.
std::string valueDefines(const Stage& stage, const std::string& text) {
  std::string out;
  for (const std::string& define : stage.defines) {
    const std::string name = define.substr(0, define.find(' '));
    if (name.size() < define.size() && mentions(text, name)) out += "#define " + define + '\n';
  }
  return out;
}

std::string headText(const Method& method, const Binding& binding) {
  std::string head = wrapped(fmt::format("{}: {}", method.title, method.paper)) +
                     wrapped(std::string(method.summary)) + "//\n// Vertex attributes\n";
  for (const ShaderInput& input : shaderInputs(binding))
    head += fmt::format("//   {:2}  {:14} {}\n", input.location, input.name, input.format);
  if (binding.rowsPerItem > 0)
    head += fmt::format(
        "//\n// The palette, written once a frame: {} vec4 for each of {} items, which joints0 "
        "names\n",
        binding.rowsPerItem, binding.itemCount);
  for (std::size_t row = 0; row < binding.rowsPerItem; ++row)
    head += fmt::format("//   {}  {}\n", row, binding.rowTexts[row]);
  return head + '\n';
}

} // namespace

std::string resolveConditionals(std::string_view text, std::span<const std::string> defines) {
  static const std::regex kDirective(
      R"(^#(ifdef|ifndef|if|elif|else|endif)\b ?([^/]*?) *(//.*)?$)");
  std::vector<Branch> open;
  std::string out;
  for (const std::string& line : linesOf(text)) {
    std::smatch match;
    if (!std::regex_match(line, match, kDirective)) {
      const bool kept = open.empty() || open.back().kept;
      // Where a choice falls out, two empty lines would meet.
      if (kept && !(line.empty() && out.ends_with("\n\n"))) out += line + '\n';
      continue;
    }
    const std::string directive = match[1];
    if (directive.starts_with("if")) {
      const bool outer = open.empty() || open.back().kept;
      const bool kept = outer && holds(directive, match[2], defines);
      open.push_back({outer, kept, kept});
      continue;
    }
    if (open.empty()) throw graphicsError("a shader has #" + directive + " without #if", "");
    Branch& branch = open.back();
    if (directive == "endif")
      open.pop_back();
    else
      branch.kept =
          branch.outer && !branch.taken && (directive == "else" || holds("if", match[2], defines));
    if (directive == "elif") branch.taken = branch.taken || branch.kept;
  }
  return out;
}

std::vector<ShaderInput> shaderInputs(const Binding& binding) {
  std::vector<Attribute> attributes{{"bindPosition", AttributeFormat::float3, false, {}},
                                    {"texcoord", AttributeFormat::float2, false, {}}};
  if (binding.normals)
    attributes.insert(attributes.begin() + 1, {"bindNormal", AttributeFormat::float3, false, {}});
  for (const Attribute& attribute : binding.attributes)
    attributes.push_back({attribute.name, attribute.format, attribute.palette, {}});
  std::vector<ShaderInput> inputs;
  const InterleavedVertices layout = interleave(attributes, 0);
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    const VertexAttribute& attribute = layout.attributes[i];
    inputs.push_back({attributes[i].name,
                      fmt::format("{}vec{}", attribute.integer ? "u" : "", attribute.components),
                      attribute.location, formatText(attribute)});
  }
  return inputs;
}

std::string vertexShaderText(const Method& method, const Binding& binding,
                             const ShaderTextOptions& options) {
  const Stage stage = stageOf(method, binding, options);
  std::string body;
  std::vector<Part> parts = usedParts(stage);
  for (std::size_t i = parts.size(); i-- > 0;) {
    if (parts[i].path == "common/attributes.glsl") parts[i].text = usedInputs(parts[i].text, body);
    body = fmt::format("\n// shaders/{}\n{}{}", parts[i].path, parts[i].text, body);
  }
  return "#version 330 core\n" + headText(method, binding) + valueDefines(stage, body) + body;
}

std::string skinFunctionText(const Method& method, const Binding& binding,
                             const ShaderTextOptions& options) {
  static constexpr std::array kOurs = {"common/attributes.glsl", "common/palette.glsl",
                                       "common/frame.glsl", "mesh.vert"};
  std::string text;
  for (const Part& part : usedParts(stageOf(method, binding, options)))
    if (std::find(kOurs.begin(), kOurs.end(), part.path) == kOurs.end())
      text += (text.empty() ? "" : "\n") + part.text;
  return text;
}

} // namespace sinew
