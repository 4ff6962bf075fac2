#include "render/shader_glsl120.h"

#include "core/error.h"
#include "gl/glsl_text.h"
#include "render/entry_batches.h"
#include "render/vertex_layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

namespace sinew {
namespace {

// Unsigned integers count entries of the palette: up to 2^24 a float holds them exactly.
std::string floatsForIntegers(std::string_view line) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kTypes{
      {{"uint", "float"}, {"uvec4", "vec4"}}};
  std::string out;
  while (!line.empty()) {
    const std::string_view word = takeWord(line);
    if (word.empty()) {
      out += line.front();
      line.remove_prefix(1);
      continue;
    }
    std::string_view written = word;
    for (const auto& [integer, real] : kTypes)
      if (word == integer) written = real;
    out += written;
  }
  return out;
}

// Past "layout(...) ".
std::string_view withoutLayout(std::string_view line) {
  if (!line.starts_with("layout(")) return line;
  line.remove_prefix(line.find(')') + 1);
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  return line;
}

} // namespace

std::string glsl120From330(std::string_view text) {
  std::string out;
  bool block = false; // within a uniform block
  for (const std::string_view given : splitLines(text)) {
    std::string_view line = withoutLayout(given);
    if (line.starts_with("#version")) {
      out += "#version 120\n";
      continue;
    }
    if (line.starts_with("uniform ") && line.ends_with("{")) {
      block = true;
      continue;
    }
    if (block && line.starts_with("}")) {
      block = false;
      continue;
    }
    // At the start of a line they are inputs and outputs of the shader; parameters stand behind a
    // parenthesis or are indented.
    std::string_view before;
    if (takePrefix(line, "in "))
      before = "attribute ";
    else if (takePrefix(line, "out "))
      before = "varying ";
    else if (block && !line.empty())
      before = "uniform ";
    if (block && line.starts_with("  ")) line.remove_prefix(2);
    out.append(before).append(floatsForIntegers(line)).append(1, '\n');
  }
  return out;
}

std::string glsl120Text(const Method& method, const Binding& binding,
                        const ShaderTextOptions& options) {
  const std::uint32_t entries = options.entries == 0 ? binding.entryCount : options.entries;
  const std::uint32_t rows = binding.rowsPerEntry;
  if (rows > 0 && entries * rows > kUniformArrayRows)
    throw usageError(fmt::format("{}: {} palette entries of {} vec4 do not fit the {} constants of "
                                 "this class of hardware, which hold {}",
                                 method.name, entries, rows, kUniformArrayRows,
                                 kUniformArrayRows / rows),
                     "split the mesh by joints, or take a method with fewer rows (lbs has three)");
  if (locatedCount(binding) < binding.attributes.size()) {
    const bool fewer = std::ranges::any_of(
        method.parameters, [](const Parameter& each) { return each.name == "attachments"; });
    throw usageError(fmt::format("{}: {} vertex attributes, of which {} would be fetched from a "
                                 "texture, as this class of hardware cannot",
                                 method.name, binding.attributes.size(),
                                 binding.attributes.size() - locatedCount(binding)),
                     fewer ? "take attachments=1 or normals=none, or choose fewer methods"
                           : "take a method with fewer attributes (lbs has two)");
  }
  ShaderTextOptions asArray = options;
  asArray.storage = PaletteStorage::uniformArray;
  std::string text = glsl120From330(vertexShaderText(method, binding, asArray));
  // What the comment at the head says of the attributes.
  static constexpr std::string_view kIntegers = ", integers\n";
  for (std::size_t at = text.find(kIntegers); at != std::string::npos; at = text.find(kIntegers))
    text.replace(at, kIntegers.size(), ", read as floats, not normalised\n");
  return text;
}

BatchedShader batchedGlsl120(const Rig& rig, const Method& method, const Binding& binding,
                             const ShaderTextOptions& options) {
  BatchedShader out;
  if (binding.rowsPerEntry > 0)
    out.batches = entryBatches(rig, binding, kUniformArrayRows / binding.rowsPerEntry);
  ShaderTextOptions largest = options;
  for (const std::vector<std::uint32_t>& batch : out.batches)
    largest.entries = std::max(largest.entries, static_cast<std::uint32_t>(batch.size()));
  out.text = glsl120Text(method, binding, largest);
  if (out.batches.empty()) return out;
  std::string list = fmt::format(
      "//\n// The mesh has {} palette entries: draw it in {} batches, by the entries listed here, "
      "each\n// with a palette of its own. A triangle is of the first batch that has all of its "
      "entries;\n// in vertices, the place in the list stands for the entry.\n",
      binding.entryCount, out.batches.size());
  for (std::size_t i = 0; i < out.batches.size(); ++i)
    list += fmt::format("//   batch {}: {}\n", i, fmt::join(out.batches[i], " "));
  // Behind the comment at the head.
  return {out.text.insert(out.text.find("\n\n") + 1, list), std::move(out.batches)};
}

} // namespace sinew
