#include "export/glb_buffer.h"

#include "core/error.h"
#include "core/finite.h"

#include <algorithm>
#include <bit>

namespace sinew {

static_assert(std::endian::native == std::endian::little, "glTF is written as memory holds it");

namespace {

void setBounds(std::span<const vec3> values, tinygltf::Accessor& accessor) {
  vec3 low = values[0];
  vec3 high = values[0];
  for (const vec3& v : values) {
    low = glm::min(low, v);
    high = glm::max(high, v);
  }
  accessor.minValues = {low.x, low.y, low.z};
  accessor.maxValues = {high.x, high.y, high.z};
}

template <class T>
void checkFinite(std::span<const T> values) {
  if (!allFiniteIn(values))
    throw Error(ErrorCause::input,
                "the model has numbers that are not finite: no .glb is written of it");
}

} // namespace

GlbBuffer::GlbBuffer(tinygltf::Model& file) : file_(file) {
  file_.buffers.resize(1);
}

int GlbBuffer::addView(const void* data, std::size_t bytes, GlbUse use) {
  std::vector<unsigned char>& all = file_.buffers[0].data;
  tinygltf::BufferView view;
  view.buffer = 0;
  view.byteOffset = all.size();
  view.byteLength = bytes;
  if (use == GlbUse::vertices) view.target = TINYGLTF_TARGET_ARRAY_BUFFER;
  if (use == GlbUse::indices) view.target = TINYGLTF_TARGET_ELEMENT_ARRAY_BUFFER;
  const auto* first = static_cast<const unsigned char*>(data);
  all.insert(all.end(), first, first + bytes);
  all.resize((all.size() + 3) / 4 * 4, 0);
  file_.bufferViews.push_back(std::move(view));
  return static_cast<int>(file_.bufferViews.size()) - 1;
}

int GlbBuffer::accessor(int view, std::size_t count, int type, int component) {
  tinygltf::Accessor accessor;
  accessor.bufferView = view;
  accessor.count = count;
  accessor.type = type;
  accessor.componentType = component;
  file_.accessors.push_back(std::move(accessor));
  return static_cast<int>(file_.accessors.size()) - 1;
}

int GlbBuffer::add(std::span<const float> values, GlbUse use, bool bounds) {
  checkFinite(values);
  const int out = accessor(addView(values.data(), values.size_bytes(), use), values.size(),
                           TINYGLTF_TYPE_SCALAR, TINYGLTF_COMPONENT_TYPE_FLOAT);
  if (bounds) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    file_.accessors.back().minValues = {static_cast<double>(*low)};
    file_.accessors.back().maxValues = {static_cast<double>(*high)};
  }
  return out;
}

int GlbBuffer::add(std::span<const vec2> values, GlbUse use) {
  checkFinite(values);
  return accessor(addView(values.data(), values.size_bytes(), use), values.size(),
                  TINYGLTF_TYPE_VEC2, TINYGLTF_COMPONENT_TYPE_FLOAT);
}

int GlbBuffer::add(std::span<const vec3> values, GlbUse use, bool bounds) {
  checkFinite(values);
  const int out = accessor(addView(values.data(), values.size_bytes(), use), values.size(),
                           TINYGLTF_TYPE_VEC3, TINYGLTF_COMPONENT_TYPE_FLOAT);
  if (bounds) setBounds(values, file_.accessors.back());
  return out;
}

int GlbBuffer::add(std::span<const vec4> values, GlbUse use) {
  checkFinite(values);
  return accessor(addView(values.data(), values.size_bytes(), use), values.size(),
                  TINYGLTF_TYPE_VEC4, TINYGLTF_COMPONENT_TYPE_FLOAT);
}

int GlbBuffer::add(std::span<const mat4> values) {
  checkFinite(values);
  return accessor(addView(values.data(), values.size_bytes(), GlbUse::other), values.size(),
                  TINYGLTF_TYPE_MAT4, TINYGLTF_COMPONENT_TYPE_FLOAT);
}

int GlbBuffer::add(std::span<const std::uint32_t> indices) {
  return accessor(addView(indices.data(), indices.size_bytes(), GlbUse::indices), indices.size(),
                  TINYGLTF_TYPE_SCALAR, TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT);
}

int GlbBuffer::add(std::span<const JointSet8> joints) {
  return accessor(addView(joints.data(), joints.size_bytes(), GlbUse::vertices), joints.size(),
                  TINYGLTF_TYPE_VEC4, TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE);
}

int GlbBuffer::add(std::span<const JointSet16> joints) {
  return accessor(addView(joints.data(), joints.size_bytes(), GlbUse::vertices), joints.size(),
                  TINYGLTF_TYPE_VEC4, TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT);
}

int GlbBuffer::addOffsets(std::span<const std::uint32_t> vertices, std::span<const vec3> offsets,
                          std::size_t count) {
  constexpr std::size_t kSparseBytes = sizeof(std::uint32_t) + sizeof(vec3);
  std::vector<vec3> all(count, vec3(0.0f));
  for (std::size_t i = 0; i < vertices.size(); ++i)
    all[vertices[i]] = offsets[i];
  if (vertices.empty() || vertices.size() * kSparseBytes >= count * sizeof(vec3))
    return add(std::span<const vec3>(all), GlbUse::vertices, true);
  const int indices = addView(vertices.data(), vertices.size_bytes(), GlbUse::other);
  const int values = addView(offsets.data(), offsets.size_bytes(), GlbUse::other);
  const int out = accessor(-1, count, TINYGLTF_TYPE_VEC3, TINYGLTF_COMPONENT_TYPE_FLOAT);
  tinygltf::Accessor& made = file_.accessors.back();
  made.sparse.isSparse = true;
  made.sparse.count = static_cast<int>(vertices.size());
  made.sparse.indices.bufferView = indices;
  made.sparse.indices.byteOffset = 0;
  made.sparse.indices.componentType = TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT;
  made.sparse.values.bufferView = values;
  made.sparse.values.byteOffset = 0;
  setBounds(all, made);
  return out;
}

int GlbBuffer::addTimes(const std::vector<float>& times) {
  const auto known = times_.find(times);
  if (known != times_.end()) return known->second;
  return times_[times] = add(std::span<const float>(times), GlbUse::other, true);
}

} // namespace sinew
