#include "cpu_skin/cpu_skin_bytes.h"

#include "core/error.h"
#include "cpu_skin/skin_blocks.h"
#include "skinning/methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>

namespace sinew {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::string_view kWhat = "the bytes of a skin";
constexpr std::uint32_t kVersion = 3;
constexpr int kDeepestPart = 2; // parts of a mixture have none themselves

Error damaged(std::string_view problem) {
  return inputError(kWhat, problem, "prepare it again with this version of sinew");
}

class ByteWriter {
 public:
  static constexpr bool kReads = false;
  std::vector<std::byte> bytes;

  void raw(const void* data, std::size_t size) {
    const auto* first = static_cast<const std::byte*>(data);
    bytes.insert(bytes.end(), first, first + size);
  }
};

class ByteReader {
 public:
  static constexpr bool kReads = true;
  explicit ByteReader(std::span<const std::byte> bytes) : left_(bytes) {}

  void raw(void* data, std::size_t size) {
    if (size > left_.size()) throw damaged("they end too early");
    if (size > 0) std::memcpy(data, left_.data(), size);
    left_ = left_.subspan(size);
  }
  std::size_t left() const { return left_.size(); }

 private:
  std::span<const std::byte> left_;
};

// Goes as it lies in memory: no padding, and no byte that may not have any value.
template <class T>
concept Plain = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> &&
                !std::is_same_v<T, bool> && (std::is_same_v<T, std::byte> || !std::is_enum_v<T>);

template <class Archive, Plain T>
void pass(Archive& archive, T& value) {
  archive.raw(&value, sizeof value);
}

template <class Archive>
void pass(Archive& archive, bool& value) {
  auto byte = static_cast<std::uint8_t>(value);
  pass(archive, byte);
  if (byte > 1) throw damaged("a flag is neither 0 nor 1");
  value = byte != 0;
}

// last: the largest value of the enumeration.
template <class Archive, class Enum>
void passEnum(Archive& archive, Enum& value, Enum last) {
  auto word = static_cast<std::uint32_t>(value);
  pass(archive, word);
  if (word > static_cast<std::uint32_t>(last)) throw damaged("a kind is unknown");
  value = static_cast<Enum>(word);
}

// least: bytes that each item takes.
template <class Archive>
std::size_t passCount(Archive& archive, std::size_t count, std::size_t least) {
  auto stated = static_cast<std::uint64_t>(count);
  pass(archive, stated);
  if constexpr (Archive::kReads)
    if (stated > archive.left() / least) throw damaged("a list is longer than they are");
  return static_cast<std::size_t>(stated);
}

template <class Archive, Plain T>
void pass(Archive& archive, std::vector<T>& values) {
  values.resize(passCount(archive, values.size(), sizeof(T)));
  archive.raw(values.data(), values.size() * sizeof(T));
}

template <class Archive>
void pass(Archive& archive, std::string& text) {
  text.resize(passCount(archive, text.size(), 1));
  archive.raw(text.data(), text.size());
}

template <class Archive>
void passSize(Archive& archive, std::size_t& size) {
  auto word = static_cast<std::uint64_t>(size);
  pass(archive, word);
  size = static_cast<std::size_t>(word);
}

template <class Archive>
void passMethod(Archive& archive, const Method*& method) {
  std::string name = method != nullptr ? std::string(method->name) : std::string();
  pass(archive, name);
  if constexpr (Archive::kReads) {
    const auto found = std::ranges::find(methods(), name, &Method::name);
    if (found == methods().end()) throw damaged("they name a method that there is not");
    method = &*found;
  }
}

// Defines of its own are the GLSL's.
template <class Archive>
void passVariant(Archive& archive, Variant& variant) {
  pass(archive, variant.influences);
  pass(archive, variant.attachments);
  passEnum(archive, variant.normals, NormalMode::none);
  for (bool* choice : {&variant.sharedSurface, &variant.vectorized, &variant.plainMixing,
                       &variant.freeSplines, &variant.splineTransform, &variant.splineTexture})
    pass(archive, *choice);
  pass(archive, variant.rotationRow);
  pass(archive, variant.jointRow);
  pass(archive, variant.twistRow);
  if (variant.influences > kInfluenceLimit || variant.attachments > 3)
    throw damaged("a vertex follows too many joints");
}

template <class Archive>
void pass(Archive& archive, Attribute& attribute, std::uint32_t vertices) {
  pass(archive, attribute.name);
  passEnum(archive, attribute.format, AttributeFormat::texel4);
  pass(archive, attribute.palette);
  pass(archive, attribute.data);
  if (attribute.data.size() != byteSize(attribute.format) * vertices)
    throw damaged("an attribute has not a value for each vertex");
}

// What references read: not what documents a shader, and not forms, which are for drawing.
template <class Archive>
void pass(Archive& archive, Binding& binding, int depth = 0) {
  if (depth == kDeepestPart) throw damaged("a part has parts");
  pass(archive, binding.vertexCount);
  pass(archive, binding.entryCount);
  pass(archive, binding.rowsPerEntry);
  pass(archive, binding.parameters);
  pass(archive, binding.constants);
  pass(archive, binding.tangents);
  passVariant(archive, binding.variant);
  binding.attributes.resize(passCount(archive, binding.attributes.size(), 8));
  for (Attribute& attribute : binding.attributes)
    pass(archive, attribute, binding.vertexCount);
  binding.parts.resize(passCount(archive, binding.parts.size(), 8));
  for (BindingPart& part : binding.parts) {
    passMethod(archive, part.method);
    pass(archive, part.binding, depth + 1);
    pass(archive, part.firstRow);
    if (part.binding.vertexCount != binding.vertexCount) throw damaged("a part has other vertices");
  }
}

template <class Archive>
void pass(Archive& archive, ReferenceSlice& slice) {
  passSize(archive, slice.first);
  pass(archive, slice.bind.positions);
  pass(archive, slice.bind.normals);
  pass(archive, slice.bind.tangents);
  pass(archive, slice.bind.binding);
  const std::size_t count = slice.bind.binding.vertexCount;
  if (slice.bind.positions.size() != count || slice.bind.normals.size() != count ||
      (slice.bind.tangents.size() != count && !slice.bind.tangents.empty()))
    throw damaged("a slice has not as many vertices as it states");
}

template <class Archive>
void pass(Archive& archive, SkinBlock& block) {
  pass(archive, block.list);
  pass(archive, block.firstWeight);
  passSize(archive, block.firstValue);
  pass(archive, block.slots);
  pass(archive, block.firstSlot);
}

template <class Archive>
void pass(Archive& archive, SkinBlocks& blocks) {
  passEnum(archive, blocks.kernel, SkinKernel::smoothed);
  for (bool* choice : {&blocks.normals, &blocks.freeSplines, &blocks.oneAttachment})
    pass(archive, *choice);
  for (std::size_t* size : {&blocks.rowsPerEntry, &blocks.entryCount, &blocks.pairs})
    passSize(archive, *size);
  pass(archive, blocks.source);
  blocks.partEnds.resize(passCount(archive, blocks.partEnds.size(), 8));
  for (std::size_t& end : blocks.partEnds)
    passSize(archive, end);
  blocks.blocks.resize(passCount(archive, blocks.blocks.size(), 24));
  for (SkinBlock& block : blocks.blocks)
    pass(archive, block);
  pass(archive, blocks.entries);
  pass(archive, blocks.lists);
  pass(archive, blocks.laneEntries);
  pass(archive, blocks.used);
  pass(archive, blocks.values);
  pass(archive, blocks.weights);
  pass(archive, blocks.pivots);
  pass(archive, blocks.twistRow);
  pass(archive, blocks.twists);
}

template <class Archive>
void pass(Archive& archive, CpuSkinData& data) {
  pass(archive, data.vertexCount);
  passSize(archive, data.paletteRows);
  pass(archive, data.blocks);
  bool tangents = data.tangentBlocks.has_value();
  pass(archive, tangents);
  if (tangents) {
    // They differ by their values alone.
    if constexpr (Archive::kReads) data.tangentBlocks = data.blocks;
    pass(archive, data.tangentBlocks->values);
    pass(archive, data.tangentSides);
  }
  data.slices.resize(passCount(archive, data.slices.size(), 16));
  for (ReferenceSlice& slice : data.slices)
    pass(archive, slice);
}

void requireSlices(const CpuSkinData& data, const Binding& binding) {
  std::size_t next = 0;
  for (const ReferenceSlice& slice : data.slices) {
    const Binding& own = slice.bind.binding;
    if (slice.first != next || own.entryCount != binding.entryCount ||
        own.rowsPerEntry != binding.rowsPerEntry)
      throw damaged("a slice is of another binding");
    next += own.vertexCount;
  }
  if (!data.slices.empty() && next != data.blocks.source.size())
    throw damaged("its slices do not hold every vertex");
}

void requireUsable(const CpuSkinData& data, const Method& method, const Binding& binding) {
  const SkinBlocks& blocks = data.blocks;
  if (blocks.kernel != chooseKernel(method, binding)) throw damaged("they are of another method");
  if (data.paletteRows != std::size_t{binding.entryCount} * binding.rowsPerEntry)
    throw damaged("they take another palette");
  requireSlices(data, binding);
  if (std::ranges::any_of(blocks.source, [&](std::uint32_t v) { return v >= data.vertexCount; }))
    throw damaged("a place is of no vertex");
  if (blocks.kernel == SkinKernel::reference) {
    if (data.slices.empty() && !blocks.source.empty()) throw damaged("they hold no vertex");
    return;
  }
  if (blocks.entryCount != binding.entryCount || blocks.rowsPerEntry != binding.rowsPerEntry ||
      blocks.twistRow != binding.variant.twistRow)
    throw damaged("they take another palette");
  if (const std::string problem = skinBlocksProblem(blocks, data.vertexCount); !problem.empty())
    throw damaged(problem);
  if (data.tangentBlocks && (data.tangentBlocks->values.size() != blocks.values.size() ||
                             data.tangentSides.size() != data.vertexCount || data.slices.empty()))
    throw damaged("they have not a tangent for each vertex");
}

} // namespace

std::vector<std::byte> toBytes(const CpuSkin& skin) {
  ByteWriter writer;
  std::uint32_t version = kVersion;
  pass(writer, version);
  CpuSkinData data = skin.data();
  pass(writer, data);
  return std::move(writer.bytes);
}

CpuSkin readCpuSkin(std::span<const std::byte> bytes, const Method& method,
                    const Binding& binding) {
  ByteReader reader(bytes);
  std::uint32_t version = 0;
  pass(reader, version);
  if (version != kVersion) throw damaged(fmt::format("they have version {}", version));
  CpuSkinData data;
  pass(reader, data);
  if (reader.left() > 0) throw damaged("they go on where they should end");
  requireUsable(data, method, binding);
  return {method, std::move(data)};
}

} // namespace sinew
