#include "render/part_shaders.h"

#include "gl/glsl_text.h"
#include "gl/shader_source.h"
#include "skinning/method.h"

#include <fmt/format.h>

#include <functional>
#include <map>

namespace sinew {
namespace {

using NewWords = std::map<std::string, std::string, std::less<>>;

// Functions, structs and constants that the text defines.
std::vector<std::string_view> definedNames(std::string_view text) {
  std::vector<std::string_view> names = listFunctions(text);
  for (std::string_view line : splitLines(text)) {
    const bool isStruct = takePrefix(line, "struct ");
    if (!isStruct) {
      if (!takePrefix(line, "const ")) continue;
      takeWord(line); // its type
      takePrefix(line, " ");
    }
    names.push_back(takeWord(line));
  }
  return names;
}

// Replaces words outside of comments.
std::string withNewWords(std::string_view text, const NewWords& words) {
  std::string out;
  for (const std::string_view line : splitLines(text)) {
    std::string_view rest = line.substr(0, line.find("//"));
    const std::string_view comment = line.substr(rest.size());
    while (!rest.empty()) {
      const std::string_view word = takeWord(rest);
      if (word.empty()) {
        out += rest.front();
        rest.remove_prefix(1);
      } else if (const auto found = words.find(word); found != words.end()) {
        out += found->second;
      } else {
        out += word;
      }
    }
    out.append(comment).append(1, '\n');
  }
  return out;
}

// Adds the part's own choices, each "NAME VALUE".
void addValues(std::span<const std::string> defines, NewWords& words) {
  for (const std::string& define : defines)
    if (const std::size_t blank = define.find(' '); blank != std::string::npos)
      words[define.substr(0, blank)] = define.substr(blank + 1);
}

std::vector<ShaderText> makeShaders(const BindingPart& part, std::size_t number, bool tangents) {
  const std::string suffix = fmt::format("_{}", number);
  const std::vector<std::string> defines = makeDefines(part.binding.variant);
  NewWords words;
  addValues(defines, words);
  for (std::size_t a = 0; a < part.names.size(); ++a)
    words[part.binding.attributes[a].name] = part.names[a];
  words["paletteRow"] = "paletteRow" + suffix;

  std::vector<ShaderText> out = partShaders(part.binding, tangents); // a mixture in a mixture
  for (const std::string_view path : part.method->shaders)
    out.push_back({std::string(path), resolveConditionals(findShaderSource(path).text, defines)});
  if (tangents)
    for (const std::string_view path : part.method->tangentShaders)
      out.push_back({std::string(path), resolveConditionals(findShaderSource(path).text, defines)});
  for (const ShaderText& shader : out)
    for (const std::string_view name : definedNames(shader.text))
      words[std::string(name)] = std::string(name) + suffix;
  for (ShaderText& shader : out)
    shader.text = withNewWords(shader.text, words);
  if (part.binding.rowsPerEntry > 0)
    out.insert(out.begin(),
               {"the rows of " + std::string(part.method->name),
                fmt::format("// {}: {} rows of an entry, from {} on.\n"
                            "vec4 paletteRow{}(uint entry, int row) {{ return paletteRow(entry, {} "
                            "+ row); }}\n",
                            part.method->title, part.binding.rowsPerEntry, part.firstRow, suffix,
                            part.firstRow)});
  return out;
}

} // namespace

std::vector<ShaderText> partShaders(const Binding& binding, bool tangents) {
  std::vector<ShaderText> out;
  for (std::size_t k = 0; k < binding.parts.size(); ++k)
    for (ShaderText& shader : makeShaders(binding.parts[k], k, tangents))
      out.push_back(std::move(shader));
  return out;
}

} // namespace sinew
