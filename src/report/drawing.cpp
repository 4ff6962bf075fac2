#include "report/drawing.h"

#include "core/error.h"

#include <algorithm>
#include <cairo-svg.h>
#include <cstring>

namespace sinew {
namespace {

Drawing drawingOn(cairo_surface_t* surface) {
  Drawing drawing;
  drawing.surface.reset(surface);
  drawing.context.reset(cairo_create(surface));
  const cairo_status_t status = cairo_status(drawing.context.get());
  if (status != CAIRO_STATUS_SUCCESS)
    throw usageError(std::string("cannot draw: ") + cairo_status_to_string(status),
                     "ask for a smaller picture");
  cairo_select_font_face(drawing.context.get(), "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                         CAIRO_FONT_WEIGHT_NORMAL);
  return drawing;
}

cairo_status_t appendSvg(void* text, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

// Cairo accepts only UTF-8: other text would put the whole drawing into an error state.
std::string asUtf8(std::string_view text) {
  // Whether `count` continuation bytes follow `at`.
  const auto continues = [&](std::size_t at, std::size_t count) {
    if (text.size() - at <= count) return false;
    const auto bytes = text.substr(at + 1, count);
    return std::all_of(bytes.begin(), bytes.end(),
                       [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; });
  };
  std::string valid;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::size_t more = byte < 0x80 ? 0 : byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : 1;
    const bool leads = byte < 0x80 || (byte >= 0xC2 && byte <= 0xF4);
    if (leads && continues(i, more)) {
      valid.append(text.substr(i, more + 1));
      i += more + 1;
    } else {
      valid += '?';
      ++i;
    }
  }
  return valid;
}

cairo_text_extents_t measureText(cairo_t* context, const std::string& text, double size) {
  cairo_set_font_size(context, size);
  cairo_text_extents_t extents;
  cairo_text_extents(context, text.c_str(), &extents);
  return extents;
}

} // namespace

Drawing imageDrawing(int width, int height) {
  return drawingOn(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height));
}

Drawing imageDrawing(const Image& image) {
  Drawing drawing = imageDrawing(static_cast<int>(image.width), static_cast<int>(image.height));
  cairo_surface_t* surface = drawing.surface.get();
  cairo_surface_flush(surface);
  unsigned char* data = cairo_image_surface_get_data(surface);
  const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface));
  for (std::size_t y = 0; y < image.height; ++y)
    for (std::size_t x = 0; x < image.width; ++x) {
      const std::uint8_t* from = &image.rgba[4 * (y * image.width + x)];
      const std::uint32_t pixel =
          0xFF000000u | std::uint32_t(from[0]) << 16 | std::uint32_t(from[1]) << 8 | from[2];
      std::memcpy(data + y * stride + 4 * x, &pixel, 4);
    }
  cairo_surface_mark_dirty(surface);
  return drawing;
}

Image toImage(const Drawing& drawing) {
  cairo_surface_t* surface = drawing.surface.get();
  cairo_surface_flush(surface);
  Image image;
  image.width = static_cast<std::uint32_t>(cairo_image_surface_get_width(surface));
  image.height = static_cast<std::uint32_t>(cairo_image_surface_get_height(surface));
  image.rgba.resize(std::size_t{4} * image.width * image.height);
  const unsigned char* data = cairo_image_surface_get_data(surface);
  const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface));
  for (std::size_t y = 0; y < image.height; ++y)
    for (std::size_t x = 0; x < image.width; ++x) {
      std::uint32_t pixel = 0;
      std::memcpy(&pixel, data + y * stride + 4 * x, 4);
      std::uint8_t* to = &image.rgba[4 * (y * image.width + x)];
      to[0] = static_cast<std::uint8_t>(pixel >> 16);
      to[1] = static_cast<std::uint8_t>(pixel >> 8);
      to[2] = static_cast<std::uint8_t>(pixel);
      to[3] = 255;
    }
  return image;
}

Drawing svgDrawing(int width, int height, std::string& svg) {
  return drawingOn(cairo_svg_surface_create_for_stream(appendSvg, &svg, width, height));
}

void finishSvg(Drawing& drawing) {
  cairo_surface_finish(drawing.surface.get());
}

double textWidth(cairo_t* context, std::string_view text, double size) {
  return measureText(context, asUtf8(text), size).x_advance;
}

void drawText(cairo_t* context, const dvec2& at, std::string_view text, double size, Align align) {
  const std::string valid = asUtf8(text);
  const double width = measureText(context, valid, size).x_advance;
  const double share = align == Align::left ? 0.0 : align == Align::center ? 0.5 : 1.0;
  // Capitals of this face are 0.73 of its size high.
  cairo_move_to(context, at.x - share * width, at.y + 0.365 * size);
  cairo_show_text(context, valid.c_str());
}

} // namespace sinew
