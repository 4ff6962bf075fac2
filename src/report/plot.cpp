#include "report/plot.h"

#include "report/drawing.h"

#include <fmt/format.h>
#include <glm/ext/vector_double3.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

namespace sinew {
namespace {

using glm::dvec3;

// Okabe and Ito's colours, distinguishable for colour-blind readers too.
constexpr std::array kColors = {dvec3(0.00, 0.45, 0.70), dvec3(0.84, 0.37, 0.00),
                                dvec3(0.00, 0.62, 0.45), dvec3(0.80, 0.47, 0.65),
                                dvec3(0.90, 0.62, 0.00), dvec3(0.34, 0.71, 0.91),
                                dvec3(0.20, 0.20, 0.20)};

struct Axis {
  std::vector<double> ticks;
  bool logarithmic = false;
  double from = 0.0; // pixels of the first and the last tick
  double to = 0.0;

  double scaled(double value) const { return logarithmic ? std::log10(value) : value; }
  double at(double value) const {
    const double low = scaled(ticks.front());
    return from + (scaled(value) - low) / (scaled(ticks.back()) - low) * (to - from);
  }
};

bool usable(double value, bool logarithmic) {
  return std::isfinite(value) && (!logarithmic || value > 0.0);
}

bool usable(const Plot& plot, const dvec2& point) {
  return usable(point.x, plot.logX) && usable(point.y, plot.logY);
}

Axis makeAxis(const Plot& plot, int dimension, bool logarithmic, int maxTicks) {
  double low = std::numeric_limits<double>::max();
  double high = std::numeric_limits<double>::lowest();
  for (const Series& series : plot.series)
    for (const dvec2& point : series.points)
      if (usable(plot, point)) {
        low = std::min(low, point[dimension]);
        high = std::max(high, point[dimension]);
      }
  if (low > high) { // nothing to show
    low = logarithmic ? 1.0 : 0.0;
    high = logarithmic ? 10.0 : 1.0;
  }
  return {ticksFor(low, high, logarithmic, maxTicks), logarithmic};
}

std::string tickLabel(double value, const Axis& axis) {
  if (axis.logarithmic) return fmt::format("{:g}", value);
  const double step = axis.ticks[1] - axis.ticks[0];
  const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 12);
  // A million reads better as 1e+06 than with seven digits.
  if (std::abs(axis.ticks.back()) >= 1e6 || decimals > 6) return fmt::format("{:.3g}", value);
  return fmt::format("{:.{}f}", value, decimals);
}

struct Layout {
  Axis x, y;
  double letters = 12.0;
};

// Equal units on both axes: the longer axis keeps its length, the other is shortened and centered.
void makeEqual(Axis& x, Axis& y) {
  const double across = (x.to - x.from) / (x.ticks.back() - x.ticks.front());
  const double up = (y.from - y.to) / (y.ticks.back() - y.ticks.front());
  Axis& shrinks = across > up ? x : y;
  const double middle = 0.5 * (shrinks.from + shrinks.to);
  const double share = across > up ? up / across : across / up;
  shrinks.from = middle + (shrinks.from - middle) * share;
  shrinks.to = middle + (shrinks.to - middle) * share;
}

Layout computeLayout(cairo_t* context, const Plot& plot, double width, double height) {
  Layout layout;
  layout.letters = std::clamp(std::min(width, height) / 32.0, 9.0, 18.0);
  const double letters = layout.letters;
  layout.x = makeAxis(plot, 0, plot.logX, static_cast<int>(width / (6.5 * letters)));
  layout.y = makeAxis(plot, 1, plot.logY, static_cast<int>(height / (3.5 * letters)));
  double widest = 0.0;
  for (const double tick : layout.y.ticks)
    widest = std::max(widest, textWidth(context, tickLabel(tick, layout.y), letters));
  layout.x.from = widest + 3.2 * letters;
  layout.x.to = width - 2.0 * letters;
  layout.y.from = height - 4.0 * letters;
  layout.y.to = 3.0 * letters;
  if (plot.equalAxes) makeEqual(layout.x, layout.y);
  return layout;
}

void setColor(cairo_t* context, const dvec3& color) {
  cairo_set_source_rgb(context, color.x, color.y, color.z);
}

void strokeLine(cairo_t* context, const dvec2& from, const dvec2& to) {
  cairo_move_to(context, from.x, from.y);
  cairo_line_to(context, to.x, to.y);
  cairo_stroke(context);
}

void drawAxes(cairo_t* context, const Plot& plot, const Layout& layout, double width) {
  const double letters = layout.letters;
  const auto& [x, y, unused] = layout;
  cairo_set_line_width(context, 1.0);
  for (const double tick : x.ticks) {
    setColor(context, dvec3(0.88));
    strokeLine(context, {x.at(tick), y.from}, {x.at(tick), y.to});
    setColor(context, dvec3(0.25));
    drawText(context, {x.at(tick), y.from + letters}, tickLabel(tick, x), letters, Align::center);
  }
  for (const double tick : y.ticks) {
    setColor(context, dvec3(0.88));
    strokeLine(context, {x.from, y.at(tick)}, {x.to, y.at(tick)});
    setColor(context, dvec3(0.25));
    drawText(context, {x.from - 0.5 * letters, y.at(tick)}, tickLabel(tick, y), letters,
             Align::right);
  }
  setColor(context, dvec3(0.1));
  strokeLine(context, {x.from, y.from}, {x.to, y.from});
  strokeLine(context, {x.from, y.from}, {x.from, y.to});
  drawText(context, {0.5 * (x.from + x.to), y.from + 2.6 * letters}, plot.xLabel, letters,
           Align::center);
  drawText(context, {0.5 * width, 1.3 * letters}, plot.title, 1.2 * letters, Align::center);
  cairo_save(context);
  cairo_translate(context, letters, 0.5 * (y.from + y.to));
  cairo_rotate(context, -1.5707963267948966);
  drawText(context, {0, 0}, plot.yLabel, letters, Align::center);
  cairo_restore(context);
}

void drawSeries(cairo_t* context, const Plot& plot, const Layout& layout, const Series& series) {
  cairo_set_line_width(context, layout.letters / 6.0);
  cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND);
  bool open = false;
  for (const dvec2& point : series.points) {
    const bool drawn = usable(plot, point);
    if (drawn && open)
      cairo_line_to(context, layout.x.at(point.x), layout.y.at(point.y));
    else if (drawn)
      cairo_move_to(context, layout.x.at(point.x), layout.y.at(point.y));
    open = drawn;
  }
  cairo_stroke(context);
  if (!series.marks) return;
  for (const dvec2& point : series.points) {
    if (!usable(plot, point)) continue;
    cairo_arc(context, layout.x.at(point.x), layout.y.at(point.y), layout.letters / 4.0, 0.0,
              6.2832);
    cairo_fill(context);
  }
}

// The number of points under a box of that size at a corner: the legend goes where it hides fewest.
std::size_t hidden(const Plot& plot, const Layout& layout, const dvec2& corner, const dvec2& size) {
  std::size_t count = 0;
  for (const Series& series : plot.series)
    for (const dvec2& point : series.points) {
      if (!usable(plot, point)) continue;
      const dvec2 off = dvec2(layout.x.at(point.x), layout.y.at(point.y)) - corner;
      count += off.x >= 0 && off.y >= 0 && off.x <= size.x && off.y <= size.y ? 1 : 0;
    }
  return count;
}

void drawLegend(cairo_t* context, const Plot& plot, const Layout& layout) {
  const double letters = layout.letters;
  dvec2 size(0.0);
  for (const Series& series : plot.series)
    if (!series.name.empty())
      size = {std::max(size.x, textWidth(context, series.name, letters) + 3.5 * letters),
              size.y + 1.5 * letters};
  if (size.y == 0.0) return;
  size.y += 0.5 * letters;
  const double gap = 0.6 * letters;
  const std::array corners = {dvec2(layout.x.to - size.x - gap, layout.y.to + gap),
                              dvec2(layout.x.from + gap, layout.y.to + gap),
                              dvec2(layout.x.to - size.x - gap, layout.y.from - size.y - gap),
                              dvec2(layout.x.from + gap, layout.y.from - size.y - gap)};
  const dvec2 corner = *std::min_element(corners.begin(), corners.end(), [&](dvec2 a, dvec2 b) {
    return hidden(plot, layout, a, size) < hidden(plot, layout, b, size);
  });
  cairo_set_source_rgba(context, 1, 1, 1, 0.85);
  cairo_rectangle(context, corner.x, corner.y, size.x, size.y);
  cairo_fill(context);
  double y = corner.y + letters;
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    if (plot.series[i].name.empty()) continue;
    setColor(context, kColors[i % kColors.size()]);
    cairo_set_line_width(context, letters / 4.0);
    strokeLine(context, {corner.x + 0.5 * letters, y}, {corner.x + 2.2 * letters, y});
    setColor(context, dvec3(0.1));
    drawText(context, {corner.x + 2.8 * letters, y}, plot.series[i].name, letters, Align::left);
    y += 1.5 * letters;
  }
}

void drawOn(cairo_t* context, const Plot& plot, int width, int height) {
  setColor(context, dvec3(1.0));
  cairo_paint(context);
  const Layout layout = computeLayout(context, plot, width, height);
  drawAxes(context, plot, layout, width);
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    setColor(context, kColors[i % kColors.size()]);
    drawSeries(context, plot, layout, plot.series[i]);
  }
  drawLegend(context, plot, layout);
}

} // namespace

std::string seriesColor(std::size_t index) {
  const dvec3 color = kColors[index % kColors.size()] * 255.0;
  return fmt::format("#{:02x}{:02x}{:02x}", std::lround(color.x), std::lround(color.y),
                     std::lround(color.z));
}

std::vector<double> ticksFor(double low, double high, bool logarithmic, int maxTicks) {
  const int count = std::max(maxTicks, 2);
  if (logarithmic) {
    const double first = std::floor(std::log10(low) + 1e-9);
    const double last = std::max(std::ceil(std::log10(high) - 1e-9), first + 1.0);
    const double step = std::ceil((last - first) / (count - 1));
    std::vector<double> ticks;
    for (double power = first; power < last + step - 0.5; power += step)
      ticks.push_back(std::pow(10.0, power));
    return ticks;
  }
  // A flat line still has an axis around it.
  const double least = std::max(std::abs(low), std::abs(high)) * 1e-9;
  if (high - low <= least) {
    const double around = low == 0.0 ? 1.0 : 0.1 * std::abs(low);
    low -= around;
    high += around;
  }
  double step = std::pow(10.0, std::floor(std::log10((high - low) / count)));
  const auto countTicks = [&](double s) {
    return std::ceil(high / s - 1e-9) - std::floor(low / s + 1e-9) + 1.0;
  };
  for (const double factor : {2.0, 2.5, 2.0, 2.0, 2.5, 2.0}) { // 1 2 5 10 20 50 100
    if (countTicks(step) <= count) break;
    step *= factor;
  }
  std::vector<double> ticks;
  const double first = std::floor(low / step + 1e-9);
  for (double i = 0; i < countTicks(step) - 0.5; ++i)
    ticks.push_back((first + i) * step);
  return ticks;
}

Image drawPlot(const Plot& plot, int width, int height) {
  const Drawing drawing = imageDrawing(width, height);
  drawOn(drawing.context.get(), plot, width, height);
  return toImage(drawing);
}

std::string plotSvg(const Plot& plot, int width, int height) {
  std::string svg;
  Drawing drawing = svgDrawing(width, height, svg);
  drawOn(drawing.context.get(), plot, width, height);
  finishSvg(drawing);
  // Ids are shared by all plots on a page: each plot's ids get a prefix.
  const std::string own = fmt::format("p{:x}-", std::hash<std::string>{}(svg));
  for (const std::string_view before : {"id=\"", "href=\"#", "url(#"})
    for (std::size_t at = svg.find(before); at != std::string::npos; at = svg.find(before, at)) {
      at += before.size();
      svg.insert(at, own);
    }
  const std::size_t start = svg.find("<svg");
  return start == std::string::npos ? svg : svg.substr(start);
}

} // namespace sinew
