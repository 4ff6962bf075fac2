// A Cairo surface and its context, for plots and captions. Used inside report/ only.
#pragma once

#include "core/transform.h"
#include "model/model.h"

#include <glm/ext/vector_double2.hpp>

#include <cairo.h>
#include <memory>
#include <string>
#include <string_view>

namespace sinew {

using glm::dvec2;

struct CairoDeleter {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_t* context) const { cairo_destroy(context); }
};

// Pixels, or shapes written to `svg` when finished.
struct Drawing {
  std::unique_ptr<cairo_surface_t, CairoDeleter> surface;
  std::unique_ptr<cairo_t, CairoDeleter> context;
};

// Sizes from 1 to 16384. Throws Error where Cairo has no memory.
Drawing imageDrawing(int width, int height);
// Draws over an opaque picture; finish with toImage.
Drawing imageDrawing(const Image& image);
Image toImage(const Drawing& drawing);

// `svg` must outlive the drawing; it is complete after finishSvg.
Drawing svgDrawing(int width, int height, std::string& svg);
void finishSvg(Drawing& drawing);

enum class Align { left, center, right };

// Text with its middle height at `at`; sRGB colour.
void drawText(cairo_t* context, const dvec2& at, std::string_view text, double size, Align align);
double textWidth(cairo_t* context, std::string_view text, double size);

} // namespace sinew
