#include "import/x/geometry.h"

#include <fmt/format.h>
#include <glm/gtc/packing.hpp>

#include <algorithm>
#include <array>
#include <bit>

namespace sinew {
namespace {

// Types, usages and their numbers: D3DDECLTYPE, D3DDECLUSAGE of d3d9types.h.
enum XType : std::uint32_t {
  kFloat1,
  kFloat2,
  kFloat3,
  kFloat4,
  kColor, // blue, green, red, alpha
  kUbyte4,
  kShort2,
  kShort4,
  kUbyte4n,
  kShort2n,
  kShort4n,
  kUshort2n,
  kUshort4n,
  kUdec3, // three of ten bits
  kDec3n, // the same with a sign, in [-1, 1]
  kHalf2,
  kHalf4,
  kTypeCount
};
// 32-bit words of each.
constexpr std::array<std::uint32_t, kTypeCount> kWords = {1, 2, 3, 4, 1, 1, 1, 2, 1,
                                                          1, 2, 1, 2, 1, 1, 1, 2};

enum class XUsage : std::uint8_t {
  normal = 3,
  pointSize = 4,
  texcoord = 5,
  tangent = 6,
  binormal = 7,
  color = 10
};

struct XElement {
  std::uint32_t type = 0;
  std::uint32_t usage = 0;
  std::uint32_t set = 0;
};

using XWords = std::array<std::uint32_t, 4>;

float part(std::uint32_t word, int shift, int bits) {
  return static_cast<float>((word >> shift) & ((1u << bits) - 1u));
}

float signedPart(std::uint32_t word, int shift, int bits) {
  const auto raw = static_cast<std::int32_t>(word << (32 - bits - shift)) >> (32 - bits);
  return static_cast<float>(raw);
}

// Two 16-bit numbers of each of the first two words.
template <class Read>
vec4 halves(const XWords& w, const Read& read) {
  return {read(w[0], 0), read(w[0], 16), read(w[1], 0), read(w[1], 16)};
}

vec4 readValue(std::uint32_t type, const XWords& w) {
  const auto real = [&](std::size_t i) { return std::bit_cast<float>(w[i]); };
  const auto bytes = [&](float scale) {
    return scale * vec4(part(w[0], 0, 8), part(w[0], 8, 8), part(w[0], 16, 8), part(w[0], 24, 8));
  };
  const auto shorts = [&](float scale) {
    return scale * halves(w, [](std::uint32_t word, int at) { return signedPart(word, at, 16); });
  };
  const auto half = [](std::uint32_t word, int at) {
    return glm::unpackHalf1x16(static_cast<glm::uint16>(word >> at));
  };
  switch (type) {
  case kFloat1:
    return {real(0), 0, 0, 1};
  case kFloat2:
    return {real(0), real(1), 0, 1};
  case kFloat3:
    return {real(0), real(1), real(2), 1};
  case kFloat4:
    return {real(0), real(1), real(2), real(3)};
  case kColor: {
    const vec4 bgra = bytes(1.0f / 255.0f);
    return {bgra.z, bgra.y, bgra.x, bgra.w};
  }
  case kUbyte4:
    return bytes(1.0f);
  case kUbyte4n:
    return bytes(1.0f / 255.0f);
  case kShort2:
  case kShort4:
    return shorts(1.0f);
  case kShort2n:
  case kShort4n:
    return shorts(1.0f / 32767.0f);
  case kUshort2n:
  case kUshort4n:
    return halves(w, [](std::uint32_t word, int at) { return part(word, at, 16) / 65535.0f; });
  case kUdec3:
    return {part(w[0], 0, 10), part(w[0], 10, 10), part(w[0], 20, 10), 1};
  case kDec3n:
    return {signedPart(w[0], 0, 10) / 511.0f, signedPart(w[0], 10, 10) / 511.0f,
            signedPart(w[0], 20, 10) / 511.0f, 1};
  default:
    return halves(w, half);
  }
}

const char* toString(const XElement& element) {
  switch (static_cast<XUsage>(element.usage)) {
  case XUsage::tangent:
    return "set of tangents";
  case XUsage::binormal:
    return "set of binormals";
  case XUsage::texcoord:
    return "further set of texture coordinates";
  case XUsage::color:
    return "further set of vertex colours";
  case XUsage::normal:
    return "further set of normals";
  case XUsage::pointSize:
    return "set of point sizes";
  default:
    return "element of a vertex declaration";
  }
}

// values: stands before the data, whose words lie vertex after vertex as the elements say.
XDeclaredVertices readVertices(XValues& values, const std::vector<XElement>& elements,
                               std::size_t vertices) {
  XDeclaredVertices out;
  const std::uint32_t words = values.count(1, "words");
  std::size_t stride = 0;
  for (const XElement& element : elements)
    stride += kWords[element.type];
  if (words != stride * vertices) {
    out.fits = false;
    return out;
  }
  const auto is = [](const XElement& element, XUsage usage) {
    return element.usage == static_cast<std::uint32_t>(usage) && element.set == 0;
  };
  for (std::size_t v = 0; v < vertices; ++v)
    for (const XElement& element : elements) {
      XWords raw{};
      for (std::uint32_t i = 0; i < kWords[element.type]; ++i)
        raw[i] = values.word();
      const vec4 value = readValue(element.type, raw);
      if (is(element, XUsage::normal))
        out.normals.emplace_back(value);
      else if (is(element, XUsage::texcoord))
        out.texcoords.emplace_back(value);
      else if (is(element, XUsage::color))
        out.colors.push_back(value);
      else if (v == 0)
        out.unused.emplace_back(toString(element));
    }
  return out;
}

} // namespace

XDeclaredVertices readDeclData(const XObject& object, std::size_t vertices) {
  XValues values(object);
  std::vector<XElement> elements(values.count(4, "elements"));
  for (XElement& element : elements) {
    element.type = values.index();
    values.index(); // how a tesselator makes it
    element.usage = values.index();
    element.set = values.index();
    if (element.type >= kTypeCount)
      throw XError(fmt::format("{} has an element of type {}, which does not exist",
                               makeLabel(object), element.type));
    // Two elements of one use would give a vertex two values.
    if (std::any_of(elements.data(), &element, [&](const XElement& other) {
          return other.usage == element.usage && other.set == element.set;
        }))
      element.set = kTypeCount;
  }
  return readVertices(values, elements, vertices);
}

// The parts of a vertex in their order, as D3DFVF_ of d3d9types.h has them.
XDeclaredVertices readFvfData(const XObject& object, std::size_t vertices) {
  XValues values(object);
  const std::uint32_t format = values.index();
  constexpr std::uint32_t kOther = 1; // a usage that nothing here has
  std::vector<XElement> elements;
  const auto add = [&](std::uint32_t type, XUsage usage, std::uint32_t set = 0) {
    elements.push_back({type, static_cast<std::uint32_t>(usage), set});
  };
  // XYZ, XYZRHW, XYZ with one to five weights.
  const std::uint32_t position = format & 0x400e;
  const std::uint32_t floats = position == 0x002                         ? 3
                               : position == 0x004 || position == 0x4002 ? 4
                                                                         : position / 2 + 1;
  for (std::uint32_t i = 0; position != 0 && i < floats; ++i)
    elements.push_back({kFloat1, kOther, i});
  if ((format & 0x010) != 0) add(kFloat3, XUsage::normal);
  if ((format & 0x020) != 0) add(kFloat1, XUsage::pointSize);
  if ((format & 0x040) != 0) add(kColor, XUsage::color, 0);
  if ((format & 0x080) != 0) add(kColor, XUsage::color, 1);
  constexpr std::array kTexcoordTypes = {kFloat2, kFloat3, kFloat4, kFloat1};
  for (std::uint32_t set = 0; set < std::min((format >> 8) & 0xf, 8u); ++set)
    add(kTexcoordTypes[(format >> (16 + 2 * set)) & 3], XUsage::texcoord, set);
  return readVertices(values, elements, vertices);
}

} // namespace sinew
