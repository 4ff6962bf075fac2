#include "gl/mipmaps.h"

#include "core/color.h"
#include "core/parallel.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>

namespace sinew {
namespace {

// What is between two levels: means are rounded once, where they are stored.
struct Plane {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::vector<vec4> texels;
};

// Bytes to numbers from 0 to 1 and back.
class Coding {
 public:
  explicit Coding(Texels texels) : light_(texels == Texels::light) {
    for (std::size_t i = 0; i < 256; ++i) {
      stored_[i] = static_cast<float>(i) / 255.0f;
      decoded_[i] = light_ ? linearFromSrgb(stored_[i]) : stored_[i];
    }
    if (!light_) return;
    // The code of a number is that of the nearest entry: 5 entries have the darkest code.
    std::size_t code = 0;
    for (std::size_t i = 0; i < kCodes; ++i) {
      const float linear = static_cast<float>(i) / static_cast<float>(kCodes - 1);
      while (code < 255 && linear > linearFromSrgb((static_cast<float>(code) + 0.5f) / 255.0f))
        ++code;
      codes_[i] = static_cast<std::uint8_t>(code);
    }
  }

  vec4 decode(const std::uint8_t* rgba) const {
    return {decoded_[rgba[0]], decoded_[rgba[1]], decoded_[rgba[2]], stored_[rgba[3]]};
  }

  void encode(const vec4& texel, std::uint8_t* rgba) const {
    for (int c = 0; c < 3; ++c)
      rgba[c] = light_ ? codes_[rounded(texel[c], kCodes - 1)]
                       : static_cast<std::uint8_t>(rounded(texel[c], 255));
    rgba[3] = static_cast<std::uint8_t>(rounded(texel[3], 255));
  }

 private:
  // Expects a value that is not negative. lround() would take as long as all the rest.
  static std::size_t rounded(float value, std::size_t largest) {
    constexpr float kHalf = 0.5f;
    return std::min(static_cast<std::size_t>(value * static_cast<float>(largest) + kHalf), largest);
  }

  static constexpr std::size_t kCodes = 1 << 14;
  bool light_;
  std::array<float, 256> stored_, decoded_;
  std::array<std::uint8_t, kCodes> codes_;
};

// The texels of a row or column that one of half as many covers: two, of an odd number three.
struct Cover {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  std::array<float, 3> share{}; // sum 1
};

std::vector<Cover> computeCoverage(std::uint32_t from) {
  const std::uint32_t to = std::max(from / 2, 1u);
  std::vector<Cover> covers(to);
  for (std::uint32_t i = 0; i < to; ++i) {
    // The ends are in parts of a texel, so that they are whole numbers.
    const std::uint64_t begin = std::uint64_t{i} * from;
    const std::uint64_t end = begin + from;
    Cover& cover = covers[i];
    cover.first = static_cast<std::uint32_t>(begin / to);
    for (std::uint64_t texel = cover.first; texel * to < end; ++texel) {
      const std::uint64_t inside = std::min(end, (texel + 1) * to) - std::max(begin, texel * to);
      cover.share[cover.count++] = static_cast<float>(inside) / static_cast<float>(from);
    }
  }
  return covers;
}

// texelAt(x, y): a texel of the previous level, which has that size.
template <class TexelAt>
Plane halved(std::uint32_t width, std::uint32_t height, const TexelAt& texelAt) {
  const std::vector<Cover> columns = computeCoverage(width);
  const std::vector<Cover> rows = computeCoverage(height);
  Plane out{
      static_cast<std::uint32_t>(columns.size()), static_cast<std::uint32_t>(rows.size()), {}};
  out.texels.resize(columns.size() * rows.size());
  const auto fillRow = [&](std::size_t y) {
    const Cover& row = rows[y];
    for (std::size_t x = 0; x < columns.size(); ++x) {
      const Cover& column = columns[x];
      vec4 mean(0.0f);
      for (std::uint32_t v = 0; v < row.count; ++v)
        for (std::uint32_t u = 0; u < column.count; ++u)
          mean += row.share[v] * column.share[u] * texelAt(column.first + u, row.first + v);
      out.texels[y * columns.size() + x] = mean;
    }
  };
  // About as many texels a piece as are worth a thread.
  const std::size_t piece = std::max<std::size_t>(1, 65536 / columns.size());
  forEachPieceInParallel(rows.size(), piece, [&](std::size_t first, std::size_t last) {
    for (std::size_t y = first; y < last; ++y)
      fillRow(y);
  });
  return out;
}

Image encodePlane(const Plane& plane, const Coding& coding) {
  Image image{plane.width, plane.height, {}};
  image.rgba.resize(4 * plane.texels.size());
  for (std::size_t i = 0; i < plane.texels.size(); ++i)
    coding.encode(plane.texels[i], image.rgba.data() + 4 * i);
  return image;
}

} // namespace

std::vector<Image> makeMipmaps(const Image& image, Texels texels) {
  assert(!image.rgba.empty());
  std::vector<Image> out;
  if (image.width == 1 && image.height == 1) return out;
  const Coding coding(texels);
  Plane plane = halved(image.width, image.height, [&](std::size_t x, std::size_t y) {
    return coding.decode(image.rgba.data() + 4 * (y * image.width + x));
  });
  out.push_back(encodePlane(plane, coding));
  while (plane.texels.size() > 1) {
    plane = halved(plane.width, plane.height,
                   [&](std::size_t x, std::size_t y) { return plane.texels[y * plane.width + x]; });
    out.push_back(encodePlane(plane, coding));
  }
  return out;
}

} // namespace sinew
