#include "skinning/binding.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace sinew {
namespace {

template <class T, int N>
void appendComponents(std::vector<std::byte>& data, const T (&values)[N]) {
  const auto* bytes = reinterpret_cast<const std::byte*>(values);
  data.insert(data.end(), bytes, bytes + sizeof values);
}

template <class T, int N>
void readComponents(const Attribute& a, std::size_t vertex, T (&out)[N]) {
  std::memcpy(out, a.data.data() + vertex * sizeof out, sizeof out);
}

} // namespace

std::size_t byteSize(AttributeFormat format) {
  switch (format) {
  case AttributeFormat::uint8x4:
  case AttributeFormat::snorm8x3:
  case AttributeFormat::float1:
    return 4;
  case AttributeFormat::uint16x4:
  case AttributeFormat::unorm16x4:
  case AttributeFormat::float2:
    return 8;
  case AttributeFormat::float3:
    return 12;
  case AttributeFormat::float4:
  case AttributeFormat::texel4:
    return 16;
  }
  assert(false);
  return 0;
}

bool isInteger(AttributeFormat format) {
  return format == AttributeFormat::uint8x4 || format == AttributeFormat::uint16x4;
}

bool isFetched(AttributeFormat format) {
  return format == AttributeFormat::snorm8x3 || format == AttributeFormat::texel4;
}

int componentCount(AttributeFormat format) {
  switch (format) {
  case AttributeFormat::float1:
    return 1;
  case AttributeFormat::float2:
    return 2;
  case AttributeFormat::float3:
  case AttributeFormat::snorm8x3:
    return 3;
  default:
    return 4;
  }
}

void append(Attribute& attribute, const glm::uvec4& value) {
  if (attribute.format == AttributeFormat::uint8x4) {
    assert(std::max({value.x, value.y, value.z, value.w}) < 256);
    std::uint8_t bytes[4];
    for (int i = 0; i < 4; ++i)
      bytes[i] = static_cast<std::uint8_t>(value[i]);
    appendComponents(attribute.data, bytes);
  } else {
    assert(attribute.format == AttributeFormat::uint16x4);
    assert(std::max({value.x, value.y, value.z, value.w}) < 65536);
    std::uint16_t words[4];
    for (int i = 0; i < 4; ++i)
      words[i] = static_cast<std::uint16_t>(value[i]);
    appendComponents(attribute.data, words);
  }
}

void append(Attribute& attribute, const glm::vec4& value) {
  if (attribute.format == AttributeFormat::unorm16x4) {
    std::uint16_t words[4];
    for (int i = 0; i < 4; ++i)
      words[i] = static_cast<std::uint16_t>(std::lround(std::clamp(value[i], 0.0f, 1.0f) * 65535));
    appendComponents(attribute.data, words);
    return;
  }
  attribute.data.resize(attribute.data.size() + byteSize(attribute.format));
  write(attribute, attribute.data.size() / byteSize(attribute.format) - 1, value);
}

void write(Attribute& attribute, std::size_t vertex, const glm::vec4& value) {
  assert(!isInteger(attribute.format) && attribute.format != AttributeFormat::unorm16x4);
  const std::size_t size = byteSize(attribute.format);
  std::byte* to = attribute.data.data() + vertex * size;
  if (attribute.format == AttributeFormat::snorm8x3) {
    const auto step = [](float v) {
      return static_cast<std::int8_t>(std::lround(std::clamp(v, -1.0f, 1.0f) * 127));
    };
    const std::int8_t bytes[4] = {step(value.x), step(value.y), step(value.z), 0};
    std::memcpy(to, bytes, sizeof bytes);
    return;
  }
  std::memcpy(to, &value, size);
}

glm::uvec4 readUint(const Attribute& attribute, std::size_t vertex) {
  if (attribute.format == AttributeFormat::uint8x4) {
    std::uint8_t v[4];
    readComponents(attribute, vertex, v);
    return {v[0], v[1], v[2], v[3]};
  }
  assert(attribute.format == AttributeFormat::uint16x4);
  std::uint16_t v[4];
  readComponents(attribute, vertex, v);
  return {v[0], v[1], v[2], v[3]};
}

glm::vec4 readFloat(const Attribute& attribute, std::size_t vertex) {
  if (attribute.format == AttributeFormat::unorm16x4) {
    std::uint16_t v[4];
    readComponents(attribute, vertex, v);
    return glm::vec4(v[0], v[1], v[2], v[3]) / 65535.0f;
  }
  if (attribute.format == AttributeFormat::snorm8x3) {
    std::int8_t v[4];
    readComponents(attribute, vertex, v);
    return glm::vec4(v[0], v[1], v[2], 127) / 127.0f;
  }
  assert(!isInteger(attribute.format));
  glm::vec4 value(0.0f, 0.0f, 0.0f, 1.0f);
  const std::size_t size = byteSize(attribute.format);
  std::memcpy(&value, attribute.data.data() + vertex * size, size);
  return value;
}

void putFetchedLast(Binding& binding) {
  const auto rank = [](const Attribute& a) {
    return isInteger(a.format) ? 0 : isFetched(a.format) ? 2 : 1;
  };
  std::ranges::stable_sort(binding.attributes, {}, rank);
}

std::vector<BindingForm> listForms(const Binding& binding) {
  if (!binding.forms.empty()) return binding.forms;
  return {{static_cast<std::uint32_t>(binding.attributes.size()), binding.variant.influences,
           binding.variant.attachments}};
}

const Attribute& findAttribute(const Binding& binding, const std::string& name) {
  const auto found = std::find_if(binding.attributes.begin(), binding.attributes.end(),
                                  [&](const Attribute& a) { return a.name == name; });
  assert(found != binding.attributes.end());
  return *found;
}

Attribute& findAttribute(Binding& binding, const std::string& name) {
  return const_cast<Attribute&>(findAttribute(std::as_const(binding), name));
}

void quantizeWeights(std::span<float> weights) {
  if (weights.size() == 1) {
    weights[0] = 1.0f;
    return;
  }
  // Largest remainder: round all down, then give the steps that are missing to the weights that
  // lost most.
  struct Rounded {
    std::size_t weight;
    int steps;
    float lost;
  };
  // Every vertex of a mesh comes here, so a vertex with few influences allocates nothing.
  std::array<Rounded, 16> few;
  std::vector<Rounded> many(weights.size() > few.size() ? weights.size() : 0);
  const std::span<Rounded> order =
      many.empty() ? std::span(few).first(weights.size()) : std::span(many);
  int missing = 65535;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const float scaled = weights[i] * 65535.0f;
    const int steps = static_cast<int>(std::floor(scaled));
    missing -= steps;
    const Rounded own{i, steps, scaled - static_cast<float>(steps)};
    std::size_t place = i; // after those that lost as much
    for (; place > 0 && order[place - 1].lost < own.lost; --place)
      order[place] = order[place - 1];
    order[place] = own;
  }
  for (std::size_t i = 0; missing > 0; i = (i + 1) % order.size(), --missing)
    ++order[i].steps;
  for (Rounded& each : order) {
    // Rounding errors of weights that sum to a little more than 1: the first is the largest.
    if (each.weight == 0) each.steps += missing;
    weights[each.weight] = static_cast<float>(each.steps) / 65535.0f;
  }
}

} // namespace sinew
