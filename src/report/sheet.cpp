#include "report/sheet.h"

#include "report/drawing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace sinew {
namespace {

constexpr std::uint32_t kGap = 2;

std::vector<std::string_view> splitLines(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t end = 0; !text.empty(); text.remove_prefix(std::min(end + 1, text.size()))) {
    end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
  }
  return lines;
}

void fillWithColors(cairo_t* context, const dvec2& at, const dvec2& size,
                    std::span<const vec3> colors) {
  cairo_pattern_t* pattern = cairo_pattern_create_linear(at.x, 0, at.x + size.x, 0);
  for (std::size_t i = 0; i < colors.size(); ++i) {
    const double stop = static_cast<double>(i) / static_cast<double>(colors.size() - 1);
    cairo_pattern_add_color_stop_rgb(pattern, stop, static_cast<double>(colors[i].x),
                                     static_cast<double>(colors[i].y),
                                     static_cast<double>(colors[i].z));
  }
  cairo_rectangle(context, at.x, at.y, size.x, size.y);
  cairo_set_source(context, pattern);
  cairo_fill(context);
  cairo_pattern_destroy(pattern);
}

} // namespace

Image crop(const Image& picture, std::uint32_t left, std::uint32_t top, std::uint32_t width,
           std::uint32_t height) {
  Image part{width, height, {}};
  part.rgba.reserve(std::size_t{4} * width * height);
  for (std::uint32_t y = top; y < top + height; ++y) {
    const auto row =
        picture.rgba.begin() + 4 * (static_cast<std::ptrdiff_t>(y) * picture.width + left);
    part.rgba.insert(part.rgba.end(), row, row + 4 * static_cast<std::ptrdiff_t>(width));
  }
  return part;
}

void copyInto(Image& sheet, const Image& picture, std::uint32_t left, std::uint32_t top) {
  for (std::uint32_t y = 0; y < picture.height; ++y) {
    const auto from = picture.rgba.begin() + 4 * static_cast<std::ptrdiff_t>(y * picture.width);
    const auto to =
        sheet.rgba.begin() + 4 * (static_cast<std::ptrdiff_t>(top + y) * sheet.width + left);
    std::copy(from, from + 4 * static_cast<std::ptrdiff_t>(picture.width), to);
  }
}

Grid gridFor(std::size_t count, float aspect) {
  const int n = static_cast<int>(count);
  Grid best;
  float least = std::numeric_limits<float>::max();
  for (int columns = 1; columns <= n; ++columns) {
    const int rows = (n + columns - 1) / columns;
    const float cell = aspect * static_cast<float>(rows) / static_cast<float>(columns);
    const float off = std::abs(std::log(cell));
    // Equal except for rounding: the earlier one, with fewer columns, stays.
    if (off < least - 1e-5f) {
      least = off;
      best = {columns, rows};
    }
  }
  return best;
}

double drawCaption(Image& image, std::string_view text) {
  const std::vector<std::string_view> lines = splitLines(text);
  if (lines.empty() || image.width == 0 || image.height == 0) return 0.0;
  const Drawing drawing = imageDrawing(image);
  cairo_t* context = drawing.context.get();
  const double smaller = std::min(image.width, image.height);
  double size = std::clamp(smaller / 30.0, 11.0, 24.0);
  const auto widest = [&] {
    double width = 0.0;
    for (const auto line : lines)
      width = std::max(width, textWidth(context, line, size));
    return width;
  };
  const double room = static_cast<double>(image.width) - 1.2 * size;
  if (const double width = widest(); width > room) size *= std::max(room, 1.0) / width;
  const double pad = 0.6 * size;
  const double step = 1.35 * size;
  const double height = step * static_cast<double>(lines.size()) + pad;
  const double top = static_cast<double>(image.height) - height;
  cairo_set_source_rgba(context, 0.05, 0.06, 0.07, 0.72);
  cairo_rectangle(context, 0, top, widest() + 2 * pad, height);
  cairo_fill(context);
  cairo_set_source_rgb(context, 0.95, 0.96, 0.97);
  for (std::size_t i = 0; i < lines.size(); ++i)
    drawText(context, {pad, top + 0.5 * pad + (static_cast<double>(i) + 0.5) * step}, lines[i],
             size, Align::left);
  image = toImage(drawing);
  return height;
}

Image layOut(std::span<const Tile> tiles, int columns) {
  Image sheet;
  if (tiles.empty()) return sheet;
  Image cell;
  for (const Tile& tile : tiles) {
    cell.width = std::max(cell.width, tile.picture.width);
    cell.height = std::max(cell.height, tile.picture.height);
  }
  const float aspect =
      static_cast<float>(cell.height) / static_cast<float>(std::max(cell.width, 1u));
  const auto across =
      static_cast<std::uint32_t>(columns > 0 ? columns : gridFor(tiles.size(), aspect).columns);
  const std::uint32_t down = (static_cast<std::uint32_t>(tiles.size()) + across - 1) / across;
  sheet.width = across * cell.width + (across - 1) * kGap;
  sheet.height = down * cell.height + (down - 1) * kGap;
  sheet.rgba.assign(std::size_t{4} * sheet.width * sheet.height, 255);
  for (std::uint32_t i = 0; i < tiles.size(); ++i) {
    Image picture = tiles[i].picture;
    drawCaption(picture, tiles[i].caption);
    copyInto(sheet, picture, (i % across) * (cell.width + kGap),
             (i / across) * (cell.height + kGap));
  }
  return sheet;
}

void drawColorScale(Image& image, std::span<const vec3> colors, std::string_view title,
                    std::string_view low, std::string_view high, double raised) {
  if (image.width == 0 || image.height == 0 || colors.size() < 2) return;
  const Drawing drawing = imageDrawing(image);
  cairo_t* context = drawing.context.get();
  const double width = image.width;
  double size = std::clamp(std::min(width, static_cast<double>(image.height)) / 40.0, 10.0, 20.0);
  const double room = 0.5 * width - 1.2 * size;
  if (const double wide = textWidth(context, title, size); wide > room)
    size *= std::max(room, 1.0) / wide;
  const double pad = 0.6 * size;
  const double step = 1.35 * size;
  const double bar = std::max(textWidth(context, title, size), 12.0 * size);
  const dvec2 corner(width - bar - 2 * pad,
                     static_cast<double>(image.height) - raised - 3 * step - pad);
  cairo_set_source_rgba(context, 0.05, 0.06, 0.07, 0.72);
  cairo_rectangle(context, corner.x, corner.y, bar + 2 * pad, 3 * step + pad);
  cairo_fill(context);
  const dvec2 at = corner + dvec2(pad, 0.5 * pad);
  fillWithColors(context, at + dvec2(0, step), {bar, 0.8 * step}, colors);
  cairo_set_source_rgb(context, 0.95, 0.96, 0.97);
  drawText(context, at + dvec2(0, 0.5 * step), title, size, Align::left);
  drawText(context, at + dvec2(0, 2.5 * step), low, size, Align::left);
  drawText(context, at + dvec2(bar, 2.5 * step), high, size, Align::right);
  image = toImage(drawing);
}

} // namespace sinew
