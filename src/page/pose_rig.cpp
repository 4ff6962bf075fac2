#include "page/pose_rig.h"

#include "skinning/methods.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <type_traits>

namespace sinew {
namespace {

static_assert(std::endian::native == std::endian::little);

Binding withoutVertices(const Binding& binding) {
  Binding out;
  out.entryCount = binding.entryCount;
  out.rowsPerEntry = binding.rowsPerEntry;
  out.parameters = binding.parameters;
  out.constants = binding.constants;
  out.variant = binding.variant;
  for (const BindingPart& part : binding.parts)
    out.parts.push_back({part.method, withoutVertices(part.binding), part.firstRow, {}});
  return out;
}

// What consists of words alone goes as it lies in memory.
template <class T>
concept OfWords = std::is_trivially_copyable_v<T> && sizeof(T) % 4 == 0 && alignof(T) <= 4;

class WordWriter {
 public:
  std::vector<std::byte> bytes;

  void raw(const void* data, std::size_t size) {
    const auto* first = static_cast<const std::byte*>(data);
    bytes.insert(bytes.end(), first, first + size);
  }
};

// Once something does not fit, everything that follows is empty.
class WordReader {
 public:
  explicit WordReader(std::span<const std::byte> bytes) : left_(bytes) {}

  void raw(void* data, std::size_t size) {
    if (!has(size) || size == 0) return; // an empty list has no memory
    std::memcpy(data, left_.data(), size);
    left_ = left_.subspan(size);
  }
  bool has(std::size_t size) { return good_ = good_ && size <= left_.size(); }
  void fail() { good_ = false; }
  bool complete() const { return good_ && left_.empty(); }

 private:
  std::span<const std::byte> left_;
  bool good_ = true;
};

// pass(archive, value) writes a value, or reads it in the place of what is there.
template <OfWords T>
void pass(WordWriter& to, const T& value) {
  to.raw(&value, sizeof(T));
}
template <OfWords T>
void pass(WordReader& from, T& value) {
  from.raw(&value, sizeof(T));
}

// The number of a list's items. Each takes at least so many bytes.
std::size_t passCount(WordWriter& to, std::size_t count, std::size_t /*least*/) {
  pass(to, static_cast<std::uint32_t>(count));
  return count;
}
std::size_t passCount(WordReader& from, std::size_t /*count*/, std::size_t least) {
  std::uint32_t count = 0;
  pass(from, count);
  return from.has(std::size_t{count} * least) ? count : 0;
}

template <class Archive, OfWords T>
void passList(Archive& archive, std::vector<T>& values) {
  values.resize(passCount(archive, values.size(), sizeof(T)));
  archive.raw(values.data(), values.size() * sizeof(T));
}

template <class Archive>
void passMethod(Archive& archive, const Method*& method) {
  std::vector<std::uint32_t> letters;
  if (method != nullptr) letters.assign(method->name.begin(), method->name.end());
  passList(archive, letters);
  if constexpr (std::is_same_v<Archive, WordReader>) {
    const auto found = std::ranges::find_if(methods(), [&](const Method& each) {
      return std::ranges::equal(each.name, letters, [](char a, std::uint32_t b) {
        return static_cast<std::uint32_t>(a) == b;
      });
    });
    method = found == methods().end() ? nullptr : &*found;
    if (method == nullptr) archive.fail();
  }
}

// Defines of its own are the GLSL's.
template <class Archive>
void passVariant(Archive& archive, Variant& variant) {
  const auto number = [&](auto& value) {
    auto word = static_cast<std::uint32_t>(value);
    pass(archive, word);
    value = static_cast<std::remove_reference_t<decltype(value)>>(word);
  };
  number(variant.influences);
  number(variant.attachments);
  number(variant.normals);
  number(variant.sharedSurface);
  number(variant.vectorized);
  number(variant.plainMixing);
  number(variant.freeSplines);
  number(variant.splineTransform);
  number(variant.splineTexture);
  number(variant.rotationRow);
  number(variant.jointRow);
  number(variant.twistRow);
}

template <class Archive>
void passBinding(Archive& archive, Binding& binding) {
  pass(archive, binding.entryCount);
  pass(archive, binding.rowsPerEntry);
  passList(archive, binding.parameters);
  passList(archive, binding.constants);
  passVariant(archive, binding.variant);
  binding.parts.resize(passCount(archive, binding.parts.size(), 4));
  for (BindingPart& part : binding.parts) {
    passMethod(archive, part.method);
    pass(archive, part.firstRow);
    passBinding(archive, part.binding);
  }
}

template <class Archive>
void passRig(Archive& archive, PoseRig& rig) {
  std::vector<Node>& nodes = rig.hierarchy.nodes;
  nodes.resize(passCount(archive, nodes.size(), 4));
  for (Node& node : nodes)
    pass(archive, node.parent);
  passList(archive, rig.rig.joints);
  passList(archive, rig.rig.splines);
  rig.methods.resize(passCount(archive, rig.methods.size(), 4));
  for (PoseMethod& bound : rig.methods) {
    passMethod(archive, bound.method);
    passBinding(archive, bound.binding);
  }
}

} // namespace

PoseRig poseRig(const Hierarchy& hierarchy, const Rig& rig, std::span<const PoseMethod> methods,
                std::span<const std::uint32_t> others, std::vector<std::uint32_t>& nodes) {
  std::vector<bool> needed(hierarchy.nodes.size(), false);
  for (const RigJoint& joint : rig.joints)
    needed[joint.node] = true;
  for (const std::uint32_t node : others)
    needed[node] = true;
  for (std::size_t i = needed.size(); i-- > 0;)
    if (needed[i] && hierarchy.nodes[i].parent != kNoNode) needed[hierarchy.nodes[i].parent] = true;

  PoseRig out;
  nodes.clear();
  std::vector<std::uint32_t> numbers(needed.size(), kNoNode);
  for (std::uint32_t i = 0; i < needed.size(); ++i) {
    if (!needed[i]) continue;
    numbers[i] = static_cast<std::uint32_t>(nodes.size());
    nodes.push_back(i);
    const std::uint32_t parent = hierarchy.nodes[i].parent;
    out.hierarchy.nodes.push_back({"", parent == kNoNode ? kNoNode : numbers[parent], {}});
  }
  out.rig.joints = rig.joints;
  for (RigJoint& joint : out.rig.joints)
    joint.node = numbers[joint.node];
  out.rig.splines = rig.splines;
  for (const PoseMethod& bound : methods)
    out.methods.push_back({bound.method, withoutVertices(bound.binding)});
  return out;
}

std::vector<std::byte> toBytes(const PoseRig& rig) {
  WordWriter writer;
  PoseRig written = rig;
  passRig(writer, written);
  return std::move(writer.bytes);
}

std::optional<PoseRig> readPoseRig(std::span<const std::byte> bytes) {
  WordReader reader(bytes);
  PoseRig out;
  passRig(reader, out);
  if (!reader.complete()) return std::nullopt;
  return out;
}

} // namespace sinew
