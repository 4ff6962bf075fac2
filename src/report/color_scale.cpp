#include "report/color_scale.h"

#include "report/drawing.h"

#include <algorithm>

namespace sinew {
namespace {

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
