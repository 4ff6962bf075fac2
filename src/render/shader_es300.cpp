#include "render/shader_es300.h"

#include "core/error.h"
#include "gl/glsl_text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sinew {
namespace {

constexpr std::string_view kVersion = "#version 330 core\n";

constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kWords{
    {{"samplerBuffer", "sampler2D"},
     {"isamplerBuffer", "isampler2D"},
     {"texelFetch", "fetchTexel"}}};

constexpr std::string_view kPrecisions = R"(#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp isampler2D;
)";

constexpr std::string_view kFetches = R"(
// A texture as a buffer: texel i, row by row.
ivec2 texelAt(int i, int width) { return ivec2(i % width, i / width); }
vec4 fetchTexel(sampler2D buffer_, int i) {
  return texelFetch(buffer_, texelAt(i, textureSize(buffer_, 0).x), 0);
}
ivec4 fetchTexel(isampler2D buffer_, int i) {
  return texelFetch(buffer_, texelAt(i, textureSize(buffer_, 0).x), 0);
}
)";

std::string renamed(std::string_view line) {
  std::string out;
  while (!line.empty()) {
    std::string_view word = takeWord(line);
    if (word.empty()) {
      out += line.front();
      line.remove_prefix(1);
      continue;
    }
    for (const auto& [from, to] : kWords)
      if (word == from) word = to;
    out += word;
  }
  return out;
}

// A loop that ends behind its body as one that ends before it. In Chromium's software renderer
// (SwiftShader) vertices that have left a `do` loop earlier than their neighbours run on in it.
std::string withoutDo(std::string line) {
  constexpr std::string_view kBegin = "do {", kEnd = "} while (";
  const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
  if (line.compare(first, std::string::npos, kBegin) == 0)
    return line.substr(0, first) + "for (bool more = true; more;) {";
  const std::size_t end = line.rfind(");");
  if (line.compare(first, kEnd.size(), kEnd) != 0 || end == std::string::npos) return line;
  const std::size_t condition = first + kEnd.size();
  return line.substr(0, first) + "  more = " + line.substr(condition, end - condition) + ";" +
         line.substr(end + 2) + '\n' + line.substr(0, first) + "}";
}

} // namespace

std::string es300Head(bool fetches) {
  return std::string(kPrecisions) + std::string(fetches ? kFetches : std::string_view());
}

std::string es300Part(std::string_view text) {
  std::string out;
  for (const std::string_view line : splitLines(text))
    out += withoutDo(renamed(line)) + '\n';
  if (!text.ends_with('\n') && !out.empty()) out.pop_back();
  return out;
}

bool fetchesTexels(std::string_view part) {
  return mentions(part, "texelFetch") || mentions(part, "fetchTexel");
}

std::string es300Text(const Method& method, const Binding& binding,
                      const ShaderTextOptions& options) {
  if (options.storage == PaletteStorage::storageBuffer)
    throw usageError("GLSL ES 3.00 has no storage buffers", "use --palette block or texture");
  const std::string whole = vertexShaderText(method, binding, options);
  std::string_view text = whole;
  if (!takePrefix(text, kVersion))
    throw graphicsError("a vertex shader does not begin with " + std::string(kVersion));
  const std::string body = es300Part(text);
  return es300Head(fetchesTexels(body)) + '\n' + body;
}

} // namespace sinew
