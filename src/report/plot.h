// A plot of curves with axes and a legend, as pixels or as SVG.
#pragma once

#include "core/transform.h"
#include "model/model.h"

#include <glm/ext/vector_double2.hpp>

#include <string>
#include <vector>

namespace sinew {

using glm::dvec2;

// Points in drawing order; where a coordinate is not finite (or not positive on a logarithmic axis)
// the line is broken.
struct Series {
  std::string name; // in the legend; empty: not there
  std::vector<dvec2> points;
  bool marks = false; // a dot at every point
};

// Axes span what the series hold, rounded out to whole ticks.
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

// A whole <svg> element, without the XML line, to stand in an HTML page.
std::string plotSvg(const Plot& plot, int width, int height);

// Of the series at that index, as CSS names it: for one legend beside several plots.
std::string seriesColor(std::size_t index);

// Where an axis has ticks: multiples of 1, 2 or 5 times a power of ten that cover [low, high], at
// most `most` of them, or powers of ten on a logarithmic axis (where low > 0). At least two.
std::vector<double> ticksFor(double low, double high, bool logarithmic, int most);

} // namespace sinew
