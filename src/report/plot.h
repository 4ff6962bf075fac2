// A plot of curves with axes and a legend, as pixels or as SVG.
#pragma once

#include "core/transform.h"
#include "model/model.h"

#include <glm/ext/vector_double2.hpp>

#include <string>
#include <vector>

namespace sinew {

using glm::dvec2;

// Points in drawing order; the line is broken where a coordinate is not finite (or not positive on
// a logarithmic axis).
struct Series {
  std::string name; // in the legend; empty: not there
  std::vector<dvec2> points;
  bool marks = false; // a dot at every point
};

// Axes cover the range of the series, extended to whole ticks.
struct Plot {
  std::string title;
  std::string xLabel;
  std::string yLabel;
  std::vector<Series> series;
  bool logX = false;
  bool logY = false;
  bool equalAxes = false; // one unit is as long on both axes, for curves in a plane
};

Image drawPlot(const Plot& plot, int width, int height);

// A whole <svg> element, without the XML line, for embedding in an HTML page.
std::string plotSvg(const Plot& plot, int width, int height);

// The colour of the series at that index in CSS, for one legend beside several plots.
std::string seriesColor(std::size_t index);

// The ticks of an axis: multiples of 1, 2 or 5 times a power of ten that cover [low, high], at most
// maxTicks, or powers of ten on a logarithmic axis (low > 0). At least two.
std::vector<double> ticksFor(double low, double high, bool logarithmic, int maxTicks);

} // namespace sinew
