#include "export/glb_buffer.h"

#include "core/error.h"
#include "core/transform.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace sinew {

static_assert(std::endian::native == std::endian::little, "glTF is written as memory holds it");

namespace {

using namespace component;

void setBounds(std::span<const vec3> values, GltfJson& accessor) {
  vec3 low = values[0];
  vec3 high = values[0];
  for (const vec3& v : values) {
    low = glm::min(low, v);
    high = glm::max(high, v);
  }
  accessor["min"] = numbersJson(low);
  accessor["max"] = numbersJson(high);
}

template <class T>
void checkFinite(std::span<const T> values) {
  if (!allFiniteIn(values))
    throw Error(ErrorCause::input,
                "the model has numbers that are not finite: no .glb is written of it");
}

void appendWord(std::string& out, std::size_t value) {
  const auto word = static_cast<std::uint32_t>(value);
  out.append(reinterpret_cast<const char*>(&word), sizeof word);
}

} // namespace

double shortNumber(float value) {
  return std::strtod(fmt::format("{}", value).c_str(), nullptr);
}

GltfJson numbersJson(std::span<const float> values) {
  GltfJson out = GltfJson::array();
  for (const float value : values)
    out.push_back(shortNumber(value));
  return out;
}

std::size_t appendTo(GltfJson& object, const char* key, GltfJson value) {
  GltfJson& all = object[key];
  all.push_back(std::move(value));
  return all.size() - 1;
}

void useExtension(GltfJson& file, const char* name) {
  GltfJson& used = file["extensionsUsed"];
  if (std::find(used.begin(), used.end(), GltfJson(name)) == used.end()) used.push_back(name);
}

GlbBuffer::GlbBuffer(GltfJson& file, std::string bytes) : file_(file), bytes_(std::move(bytes)) {}

std::size_t GlbBuffer::addView(const void* data, std::size_t bytes, GlbUse use) {
  bytes_.resize((bytes_.size() + 3) / 4 * 4, '\0');
  GltfJson view = {{"buffer", 0}, {"byteOffset", bytes_.size()}, {"byteLength", bytes}};
  if (use == GlbUse::vertices) view["target"] = 34962;
  if (use == GlbUse::indices) view["target"] = 34963;
  bytes_.append(static_cast<const char*>(data), bytes);
  return appendTo(file_, "bufferViews", std::move(view));
}

std::size_t GlbBuffer::accessor(GltfJson view, std::size_t count, const char* type, int component) {
  GltfJson out = GltfJson::object();
  if (!view.is_null()) out["bufferView"] = std::move(view);
  out["componentType"] = component;
  out["count"] = count;
  out["type"] = type;
  return appendTo(file_, "accessors", std::move(out));
}

std::size_t GlbBuffer::add(std::span<const float> values, GlbUse use, bool bounds) {
  checkFinite(values);
  const std::size_t out =
      accessor(addView(values.data(), values.size_bytes(), use), values.size(), "SCALAR", kFloat);
  if (bounds) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    file_["accessors"].back()["min"] = GltfJson::array({static_cast<double>(*low)});
    file_["accessors"].back()["max"] = GltfJson::array({static_cast<double>(*high)});
  }
  return out;
}

std::size_t GlbBuffer::add(std::span<const vec2> values, GlbUse use) {
  checkFinite(values);
  return accessor(addView(values.data(), values.size_bytes(), use), values.size(), "VEC2", kFloat);
}

std::size_t GlbBuffer::add(std::span<const vec3> values, GlbUse use, bool bounds) {
  checkFinite(values);
  const std::size_t out =
      accessor(addView(values.data(), values.size_bytes(), use), values.size(), "VEC3", kFloat);
  if (bounds && !values.empty()) setBounds(values, file_["accessors"].back());
  return out;
}

std::size_t GlbBuffer::add(std::span<const vec4> values, GlbUse use) {
  checkFinite(values);
  return accessor(addView(values.data(), values.size_bytes(), use), values.size(), "VEC4", kFloat);
}

std::size_t GlbBuffer::add(std::span<const mat4> values) {
  checkFinite(values);
  return accessor(addView(values.data(), values.size_bytes(), GlbUse::other), values.size(), "MAT4",
                  kFloat);
}

std::size_t GlbBuffer::add(std::span<const std::uint32_t> indices) {
  return accessor(addView(indices.data(), indices.size_bytes(), GlbUse::indices), indices.size(),
                  "SCALAR", kUnsignedInt);
}

std::size_t GlbBuffer::add(std::span<const JointSet8> joints) {
  return accessor(addView(joints.data(), joints.size_bytes(), GlbUse::vertices), joints.size(),
                  "VEC4", kUnsignedByte);
}

std::size_t GlbBuffer::add(std::span<const JointSet16> joints) {
  return accessor(addView(joints.data(), joints.size_bytes(), GlbUse::vertices), joints.size(),
                  "VEC4", kUnsignedShort);
}

std::size_t GlbBuffer::add(std::span<const std::byte> values, std::size_t stride,
                           const VertexLayout& layout) {
  if (layout.componentType == kFloat) {
    std::vector<float> floats(values.size() / sizeof(float));
    std::memcpy(floats.data(), values.data(), floats.size() * sizeof(float));
    checkFinite(std::span<const float>(floats));
  }
  const std::size_t view = addView(values.data(), values.size(), GlbUse::vertices);
  file_["bufferViews"][view]["byteStride"] = stride;
  const std::size_t out = accessor(view, values.size() / stride, layout.type, layout.componentType);
  if (layout.normalized) file_["accessors"][out]["normalized"] = true;
  return out;
}

std::size_t GlbBuffer::addOffsets(std::span<const std::uint32_t> vertices,
                                  std::span<const vec3> offsets, std::size_t count) {
  constexpr std::size_t kSparseBytes = sizeof(std::uint32_t) + sizeof(vec3);
  std::vector<vec3> all(count, vec3(0.0f));
  for (std::size_t i = 0; i < vertices.size(); ++i)
    all[vertices[i]] = offsets[i];
  if (vertices.empty() || vertices.size() * kSparseBytes >= count * sizeof(vec3))
    return add(std::span<const vec3>(all), GlbUse::vertices, true);
  checkFinite(offsets);
  const std::size_t indices = addView(vertices.data(), vertices.size_bytes(), GlbUse::other);
  const std::size_t values = addView(offsets.data(), offsets.size_bytes(), GlbUse::other);
  const std::size_t out = accessor({}, count, "VEC3", kFloat);
  GltfJson& made = file_["accessors"].back();
  made["sparse"] = {{"count", vertices.size()},
                    {"indices", {{"bufferView", indices}, {"componentType", kUnsignedInt}}},
                    {"values", {{"bufferView", values}}}};
  setBounds(all, made);
  return out;
}

std::size_t GlbBuffer::addTimes(const std::vector<float>& times) {
  const auto known = times_.find(times);
  if (known != times_.end()) return known->second;
  return times_[times] = add(std::span<const float>(times), GlbUse::other, true);
}

std::string GlbBuffer::finish() {
  if (!bytes_.empty()) {
    if (!file_.contains("buffers")) file_["buffers"] = GltfJson::array({GltfJson::object()});
    file_["buffers"][0]["byteLength"] = bytes_.size();
  }
  std::string json = file_.dump(-1, ' ', false, GltfJson::error_handler_t::replace);
  json.resize((json.size() + 3) / 4 * 4, ' ');
  bytes_.resize((bytes_.size() + 3) / 4 * 4, '\0');
  const std::size_t binary = bytes_.empty() ? 0 : 8 + bytes_.size();
  const std::size_t total = 20 + json.size() + binary;
  if (total > std::numeric_limits<std::uint32_t>::max())
    throw usageError("the glTF file could not be made", "it would be larger than 4 GB");
  std::string out = "glTF";
  out.reserve(total);
  for (const std::size_t word : {std::size_t{2}, total, json.size()})
    appendWord(out, word);
  out += "JSON" + json;
  if (binary == 0) return out;
  appendWord(out, bytes_.size());
  out += std::string("BIN\0", 4);
  out += bytes_;
  return out;
}

} // namespace sinew
