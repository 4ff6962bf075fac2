#include "import/gltf/accessor.h"

#include "import/load_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <type_traits>

namespace sinew {
namespace {

enum ComponentType : std::size_t {
  kByte = 5120,
  kUnsignedByte = 5121,
  kShort = 5122,
  kUnsignedShort = 5123,
  kUnsignedInt = 5125,
  kFloat = 5126,
};

std::size_t countComponentBytes(std::size_t componentType) {
  switch (componentType) {
  case kByte:
  case kUnsignedByte:
    return 1;
  case kShort:
  case kUnsignedShort:
    return 2;
  case kUnsignedInt:
  case kFloat:
    return 4;
  default:
    throw GltfError(fmt::format("component type {} is unknown", componentType));
  }
}

std::size_t countComponents(const std::string& type) {
  if (type == "SCALAR") return 1;
  if (type == "VEC2") return 2;
  if (type == "VEC3") return 3;
  if (type == "VEC4") return 4;
  if (type == "MAT4") return 16;
  throw GltfError(fmt::format("type '{}' of an accessor is not supported", type));
}

// c / 127 and so on (section 3.6.2.2); the most negative integer is -1 as well.
template <class Out, class In>
Out converted(const char* at, [[maybe_unused]] bool normalized) {
  const In value = loadValue<In>(at);
  if constexpr (std::is_same_v<Out, float> && !std::is_same_v<In, float>)
    if (normalized)
      return static_cast<float>(std::max(
          static_cast<double>(value) / static_cast<double>(std::numeric_limits<In>::max()), -1.0));
  return static_cast<Out>(value);
}

template <class Out>
Out component(const char* at, std::size_t type, bool normalized) {
  switch (type) {
  case kByte:
    return converted<Out, std::int8_t>(at, normalized);
  case kUnsignedByte:
    return converted<Out, std::uint8_t>(at, normalized);
  case kShort:
    return converted<Out, std::int16_t>(at, normalized);
  case kUnsignedShort:
    return converted<Out, std::uint16_t>(at, normalized);
  case kUnsignedInt:
    return converted<Out, std::uint32_t>(at, normalized);
  default:
    return converted<Out, float>(at, normalized);
  }
}

// What is made of an element that stands in no file: its value, its vertex, and their copies.
constexpr std::uint64_t kElementCopies = 4;

// A block of equal elements within a buffer view.
struct Block {
  std::string_view bytes; // from the first element on
  std::size_t stride = 0;
};

Block locateBlock(GltfDocument& document, std::size_t viewIndex, std::size_t offset,
                  std::size_t count, std::size_t elementBytes, bool mayStride) {
  const GltfJson& view = document.item("bufferViews", viewIndex);
  std::size_t stride = mayStride ? countIn(view, "byteStride", elementBytes) : elementBytes;
  if (stride == 0) stride = elementBytes;
  if (stride < elementBytes)
    throw GltfError(fmt::format("bufferViews[{}] has a stride of {} bytes for elements of {}",
                                viewIndex, stride, elementBytes));
  const std::string_view bytes = document.view(viewIndex);
  if (count > 0 && (offset > bytes.size() || bytes.size() - offset < elementBytes ||
                    (bytes.size() - offset - elementBytes) / stride < count - 1))
    throw GltfError(
        fmt::format("{} elements of {} bytes are used of bufferViews[{}], more than its "
                    "{} bytes hold",
                    count, stride, viewIndex, bytes.size()));
  return {bytes.substr(std::min(offset, bytes.size())), stride};
}

template <class Out>
class AccessorReader {
 public:
  AccessorReader(GltfDocument& document, std::size_t index)
      : document_(document), source_(document.item("accessors", index)),
        shape_(accessorAt(document, index)), type_(countIn(source_, "componentType", 0)),
        elementBytes_(shape_.components * countComponentBytes(type_)) {
    if constexpr (!std::is_same_v<Out, float>)
      if (type_ == kFloat || type_ == kByte || type_ == kShort)
        throw GltfError(fmt::format("accessors[{}] should hold unsigned integers", index));
  }

  std::vector<Out> read() {
    std::vector<Out> out;
    if (const auto view = indexIn(source_, "bufferView")) {
      const Block block = locateBlock(document_, *view, countIn(source_, "byteOffset", 0),
                                      shape_.count, elementBytes_, true);
      out.resize(shape_.count * shape_.components);
      for (std::size_t i = 0; i < shape_.count; ++i)
        element(block.bytes.data() + i * block.stride, &out[i * shape_.components]);
    } else { // zeros, to which sparse values may be added
      document_.budget().take(shape_.count, shape_.components * sizeof(Out) * kElementCopies,
                              "elements without bytes");
      out.resize(shape_.count * shape_.components);
    }
    if (memberIn(source_, "sparse") != nullptr) readSparse(objectIn(source_, "sparse"), out);
    return out;
  }

 private:
  void element(const char* at, Out* out) const {
    const std::size_t bytes = elementBytes_ / shape_.components;
    for (std::size_t c = 0; c < shape_.components; ++c)
      out[c] = component<Out>(at + c * bytes, type_, shape_.normalized);
  }

  void readSparse(const GltfJson& sparse, std::vector<Out>& out) {
    const std::size_t count = countIn(sparse, "count", 0);
    const GltfJson& indices = objectIn(sparse, "indices");
    const GltfJson& values = objectIn(sparse, "values");
    const auto indexView = indexIn(indices, "bufferView");
    const auto valueView = indexIn(values, "bufferView");
    if (!indexView || !valueView) throw GltfError("a sparse accessor names no buffer views");
    const std::size_t indexType = countIn(indices, "componentType", 0);
    if (indexType != kUnsignedByte && indexType != kUnsignedShort && indexType != kUnsignedInt)
      throw GltfError(fmt::format("sparse indices have component type {}", indexType));
    const Block where = locateBlock(document_, *indexView, countIn(indices, "byteOffset", 0), count,
                                    countComponentBytes(indexType), false);
    const Block what = locateBlock(document_, *valueView, countIn(values, "byteOffset", 0), count,
                                   elementBytes_, false);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t place =
          component<std::uint32_t>(where.bytes.data() + i * where.stride, indexType, false);
      if (place >= shape_.count)
        throw GltfError(
            fmt::format("a sparse accessor changes element {} of {}", place, shape_.count));
      element(what.bytes.data() + i * what.stride, &out[place * shape_.components]);
    }
  }

  GltfDocument& document_;
  const GltfJson& source_;
  GltfAccessor shape_;
  std::size_t type_;
  std::size_t elementBytes_;
};

template <class Out>
std::vector<Out> readAny(GltfDocument& document, std::size_t index, std::size_t components) {
  const GltfAccessor shape = accessorAt(document, index);
  if (components != 0 && shape.components != components)
    throw GltfError(fmt::format("accessors[{}] has {} components where {} belong", index,
                                shape.components, components));
  if (!document.isFirstUse(index))
    document.budget().take(shape.count, shape.components * sizeof(Out), "elements read again");
  return AccessorReader<Out>(document, index).read();
}

} // namespace

GltfAccessor accessorAt(const GltfDocument& document, std::size_t index) {
  const GltfJson& source = document.item("accessors", index);
  return {countIn(source, "count", 0), countComponents(textIn(source, "type")),
          flagIn(source, "normalized")};
}

std::vector<float> readFloats(GltfDocument& document, std::size_t index, std::size_t components) {
  return readAny<float>(document, index, components);
}

std::vector<std::uint32_t> readIntegers(GltfDocument& document, std::size_t index,
                                        std::size_t components) {
  return readAny<std::uint32_t>(document, index, components);
}

} // namespace sinew
