#include "import/gltf/meshopt.h"

#include <fmt/format.h>
#include <meshoptimizer.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

namespace sinew {
namespace {

constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 31;

void applyFilter(const std::string& filter, std::string& out, std::size_t count,
                 std::size_t stride) {
  if (filter.empty() || filter == "NONE") return;
  if (filter == "OCTAHEDRAL" && (stride == 4 || stride == 8))
    meshopt_decodeFilterOct(out.data(), count, stride);
  else if (filter == "QUATERNION" && stride == 8)
    decodeMeshoptQuaternions(out, count);
  else if (filter == "EXPONENTIAL" && stride % 4 == 0)
    meshopt_decodeFilterExp(out.data(), count, stride);
  else if (filter == "COLOR" && (stride == 4 || stride == 8))
    decodeMeshoptColors(out, count, stride);
  else
    throw GltfError(
        fmt::format("meshopt compression: filter {} of {} bytes is unknown", filter, stride));
}

// Whether the stream could be read.
bool decodeAttributes(std::string_view bytes, std::size_t count, std::size_t stride,
                      std::string& out) {
  if (!isMeshoptVersion1(bytes))
    return meshopt_decodeVertexBuffer(out.data(), count, stride,
                                      reinterpret_cast<const unsigned char*>(bytes.data()),
                                      bytes.size()) == 0;
  std::optional<std::string> decoded = decodeMeshoptVersion1(bytes, count, stride);
  if (decoded) out = std::move(*decoded);
  return decoded.has_value();
}

constexpr char kHeader = '\xa1';
constexpr std::size_t kGroup = 16;     // elements that are coded together
constexpr std::size_t kLeastTail = 24; // bytes
constexpr std::size_t kMaxBlockBytes = 8192;
constexpr std::size_t kMaxBlockElements = 256;

// What there is left to read; never beyond its end.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  // Fewer where there are no more, and then `ok` is false.
  std::string_view take(std::size_t count) {
    ok_ = ok_ && count <= bytes_.size();
    const std::string_view out = bytes_.substr(0, ok_ ? count : 0);
    bytes_.remove_prefix(out.size());
    return out;
  }
  bool ok() const { return ok_; }
  std::size_t left() const { return bytes_.size(); }

 private:
  std::string_view bytes_;
  bool ok_ = true;
};

std::uint8_t byteAt(std::string_view bytes, std::size_t index) {
  return static_cast<std::uint8_t>(bytes[index]);
}

using Group = std::array<std::uint8_t, kGroup>;

// 16 values of 1, 2 or 4 bits; one with all bits set stands for a byte behind them.
bool readSentinels(Reader& reader, unsigned bits, Group& out) {
  const std::string_view packed = reader.take(kGroup * bits / 8);
  if (!reader.ok()) return false;
  const unsigned perByte = 8 / bits;
  const unsigned all = (1u << bits) - 1;
  for (unsigned i = 0; i < kGroup; ++i) {
    const unsigned within = i % perByte;
    // From the most significant bits on, except for single bits.
    const unsigned shift = bits == 1 ? within : 8 - bits * (within + 1);
    const unsigned value = (byteAt(packed, i / perByte) >> shift) & all;
    out[i] = static_cast<std::uint8_t>(value);
  }
  for (std::uint8_t& value : out) {
    if (value != all) continue;
    const std::string_view byte = reader.take(1);
    if (!reader.ok()) return false;
    value = byteAt(byte, 0);
  }
  return true;
}

bool readGroup(Reader& reader, unsigned bits, Group& out) {
  if (bits == 0) {
    out.fill(0);
    return true;
  }
  if (bits < 8) return readSentinels(reader, bits, out);
  const std::string_view bytes = reader.take(kGroup);
  if (!reader.ok()) return false;
  std::memcpy(out.data(), bytes.data(), kGroup);
  return true;
}

// The deltas of one byte of all elements of a block, `count` rounded up to whole groups.
bool readDeltas(Reader& reader, unsigned control, std::size_t count,
                std::vector<std::uint8_t>& out) {
  const std::size_t groups = (count + kGroup - 1) / kGroup;
  out.assign(groups * kGroup, 0);
  if (control == 2) return true;
  if (control == 3) {
    const std::string_view bytes = reader.take(count);
    if (!reader.ok()) return false;
    std::memcpy(out.data(), bytes.data(), bytes.size());
    return true;
  }
  static constexpr unsigned kBits[2][4] = {{0, 1, 2, 4}, {1, 2, 4, 8}};
  const std::string_view header = reader.take((groups + 3) / 4);
  if (!reader.ok()) return false;
  Group group{};
  for (std::size_t g = 0; g < groups; ++g) {
    const unsigned mode = (byteAt(header, g / 4) >> (2 * (g % 4))) & 3u;
    if (!readGroup(reader, kBits[control][mode], group)) return false;
    std::copy(group.begin(), group.end(), out.begin() + static_cast<std::ptrdiff_t>(g * kGroup));
  }
  return true;
}

template <class T>
T unzigzag(T v) {
  return static_cast<T>((v & 1) != 0 ? ~(v >> 1) : v >> 1);
}

// The values of 4 / sizeof(T) components of an element from those of the one before.
template <class T, class Join>
void addDeltas(const std::uint8_t* deltas, std::uint8_t* element, const Join& join) {
  for (std::size_t at = 0; at < 4; at += sizeof(T)) {
    T delta = 0;
    T value = 0;
    std::memcpy(&delta, deltas + at, sizeof(T));
    std::memcpy(&value, element + at, sizeof(T));
    value = join(value, delta);
    std::memcpy(element + at, &value, sizeof(T));
  }
}

void addChannel(unsigned channel, const std::uint8_t* deltas, std::uint8_t* element) {
  const auto sum = [](auto value, auto delta) {
    return static_cast<decltype(value)>(value + unzigzag(delta));
  };
  if (channel == 0)
    addDeltas<std::uint8_t>(deltas, element, sum);
  else if (channel == 1)
    addDeltas<std::uint16_t>(deltas, element, sum);
  else
    addDeltas<std::uint32_t>(deltas, element, [channel](std::uint32_t value, std::uint32_t delta) {
      return value ^ std::rotr(delta, static_cast<int>(channel >> 4));
    });
}

bool isChannel(unsigned channel) {
  return channel <= 1 || (channel & 15u) == 2;
}

template <class T>
void decodeColor(char* element) {
  constexpr int kRange = static_cast<T>(-1) + 1;
  const auto asSigned = [](int value) { return value < kRange / 2 ? value : value - kRange; };
  std::array<T, 4> in{};
  std::memcpy(in.data(), element, sizeof in);
  const int all = (1 << std::bit_width(in[3])) - 1; // maximum on the scale of `in`
  const int y = in[0];
  const int co = asSigned(in[1]);
  const int cg = asSigned(in[2]);
  int alpha = in[3] & (all >> 1);
  alpha = 2 * alpha | (alpha & 1);
  constexpr float kMax = static_cast<float>(static_cast<T>(-1));
  const float scale = all > 0 ? kMax / static_cast<float>(all) : 0.0f;
  const std::array<int, 4> rgba{y + co - cg, y + cg, y - co - cg, alpha};
  for (std::size_t i = 0; i < 4; ++i)
    in[i] =
        static_cast<T>(std::lround(std::clamp(static_cast<float>(rgba[i]) * scale, 0.0f, kMax)));
  std::memcpy(element, in.data(), sizeof in);
}

} // namespace

std::string meshoptBytes(const GltfJson& extension, std::string_view bytes, ImportBudget& budget) {
  const std::size_t count = countIn(extension, "count", 0);
  const std::size_t stride = countIn(extension, "byteStride", 0);
  const std::string mode = textIn(extension, "mode");
  if (stride == 0 || stride > 256 || count > kMaxBytes / stride)
    throw GltfError(fmt::format("meshopt compression: {} elements of {} bytes", count, stride));
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  budget.take(count, stride, "decompressed elements");
  std::string out(count * stride, '\0');
  if (count == 0) return out;
  int failed = 1;
  if (mode == "ATTRIBUTES" && stride % 4 == 0)
    failed = decodeAttributes(bytes, count, stride, out) ? 0 : 1;
  else if (mode == "TRIANGLES" && count % 3 == 0 && (stride == 2 || stride == 4))
    failed = meshopt_decodeIndexBuffer(out.data(), count, stride, data, bytes.size());
  else if (mode == "INDICES" && (stride == 2 || stride == 4))
    failed = meshopt_decodeIndexSequence(out.data(), count, stride, data, bytes.size());
  else
    throw GltfError(
        fmt::format("meshopt compression: mode {} of {} bytes is unknown", mode, stride));
  if (failed != 0) throw GltfError("meshopt compression: the compressed bytes are damaged");
  applyFilter(textIn(extension, "filter"), out, count, stride);
  return out;
}

bool isMeshoptVersion1(std::string_view stream) {
  return !stream.empty() && stream[0] == kHeader;
}

// Values are little-endian, as is every machine that sinew is built for.
std::optional<std::string> decodeMeshoptVersion1(std::string_view stream, std::size_t count,
                                                 std::size_t stride) {
  static_assert(std::endian::native == std::endian::little);
  const std::size_t channels = stride / 4;
  const std::size_t tail = std::max(stride + channels, kLeastTail);
  if (!isMeshoptVersion1(stream) || stream.size() < 1 + tail) return std::nullopt;
  const std::string_view last = stream.substr(stream.size() - stride - channels);
  for (std::size_t c = 0; c < channels; ++c)
    if (!isChannel(byteAt(last, stride + c))) return std::nullopt;
  std::vector<std::uint8_t> element(stride);
  std::memcpy(element.data(), last.data(), stride);

  Reader reader(stream.substr(1, stream.size() - 1 - tail));
  const std::size_t maxBlock =
      std::min((kMaxBlockBytes / stride) & ~(kGroup - 1), kMaxBlockElements);
  std::string out;
  std::vector<std::vector<std::uint8_t>> deltas(stride);
  for (std::size_t done = 0; done < count;) {
    const std::size_t block = std::min(count - done, maxBlock);
    const std::string_view controls = reader.take(channels);
    for (std::size_t k = 0; k < stride; ++k)
      if (!reader.ok() ||
          !readDeltas(reader, (byteAt(controls, k / 4) >> (2 * (k % 4))) & 3u, block, deltas[k]))
        return std::nullopt;
    for (std::size_t i = 0; i < block; ++i) {
      for (std::size_t c = 0; c < channels; ++c) {
        const std::uint8_t four[4] = {deltas[4 * c][i], deltas[4 * c + 1][i], deltas[4 * c + 2][i],
                                      deltas[4 * c + 3][i]};
        addChannel(byteAt(last, stride + c), four, element.data() + 4 * c);
      }
      out.append(reinterpret_cast<const char*>(element.data()), stride);
    }
    done += block;
  }
  if (reader.left() > 0) return std::nullopt;
  return out;
}

void decodeMeshoptColors(std::string& elements, std::size_t count, std::size_t stride) {
  for (std::size_t i = 0; i < count; ++i) {
    if (stride == 4)
      decodeColor<std::uint8_t>(elements.data() + i * stride);
    else
      decodeColor<std::uint16_t>(elements.data() + i * stride);
  }
}

void decodeMeshoptQuaternions(std::string& elements, std::size_t count) {
  using Shorts = std::array<std::int16_t, 4>;
  for (std::size_t i = 0; i < count; ++i) {
    char* element = elements.data() + i * sizeof(Shorts);
    Shorts coded{};
    std::memcpy(coded.data(), element, sizeof(Shorts));
    // The last number is that of 1, and its last two bits say which component is left out: the
    // largest, which follows from the others.
    const double scale = std::sqrt(0.5) / (coded[3] | 3);
    const auto left = static_cast<std::size_t>(coded[3] & 3);
    double squares = 0.0;
    Shorts decoded{};
    const auto store = [&](std::size_t component, double value) {
      decoded[component % 4] =
          static_cast<std::int16_t>(std::lround(32767.0 * std::clamp(value, -1.0, 1.0)));
    };
    for (std::size_t c = 0; c < 3; ++c) {
      const double value = coded[c] * scale;
      squares += value * value;
      store(left + 1 + c, value);
    }
    store(left, std::sqrt(std::max(0.0, 1.0 - squares)));
    std::memcpy(element, decoded.data(), sizeof(Shorts));
  }
}

} // namespace sinew
