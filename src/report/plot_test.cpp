#include "core/random.h"
#include "report/plot.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace sinew {
namespace {

TEST_CASE("ticks cover the range in round steps and are not too many") {
  Random random(5);
  for (int i = 0; i < 2000; ++i) {
    const double scale = std::pow(10.0, random.uniform(-6.0f, 6.0f));
    const double low = scale * random.uniform(-1.0f, 1.0f);
    const double high = low + scale * random.uniform(0.01f, 3.0f);
    const int maxTicks = 3 + static_cast<int>(random.uniform(0.0f, 9.0f));
    const auto ticks = ticksFor(low, high, false, maxTicks);
    CAPTURE(low);
    CAPTURE(high);
    REQUIRE(ticks.size() >= 2);
    CHECK(ticks.size() <= static_cast<std::size_t>(maxTicks));
    const double step = ticks[1] - ticks[0];
    CHECK(ticks.front() <= low + 1e-6 * step);
    CHECK(ticks.back() >= high - 1e-6 * step);
    const double lead = step / std::pow(10.0, std::floor(std::log10(step * (1 + 1e-9))));
    CHECK(std::min({std::abs(lead - 1), std::abs(lead - 2), std::abs(lead - 5)}) < 1e-5);
  }
}

TEST_CASE("logarithmic ticks are powers of ten around the range") {
  CHECK(ticksFor(12864, 1e6, true, 8) == std::vector<double>{1e4, 1e5, 1e6});
  CHECK(ticksFor(3, 4, true, 8) == std::vector<double>{1, 10});
}

TEST_CASE("a constant or empty series still has an axis") {
  CHECK(ticksFor(2.0, 2.0, false, 6).size() >= 2);
  CHECK(ticksFor(0.0, 0.0, false, 6).size() >= 2);
  CHECK(drawPlot({}, 200, 100).width == 200);
}

bool isColored(const Image& image, std::size_t pixel) {
  const std::uint8_t* p = &image.rgba[4 * pixel];
  return std::max({p[0], p[1], p[2]}) - std::min({p[0], p[1], p[2]}) > 60;
}

TEST_CASE("a rising line is drawn from lower left to upper right and broken where not finite") {
  Plot plot{.title = "t", .xLabel = "x", .yLabel = "y", .series = {}};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  plot.series.push_back({"", {{0, 0}, {4, 4}, {5, nan}, {6, 6}, {10, 10}}});
  const Image image = drawPlot(plot, 400, 300);
  // Coloured rows in the line's columns: falling with x.
  std::vector<double> meanRow;
  std::set<std::uint32_t> columns;
  double before = 1e9;
  for (std::uint32_t x = 0; x < image.width; ++x) {
    double sum = 0;
    int count = 0;
    for (std::uint32_t y = 0; y < image.height; ++y)
      if (isColored(image, y * image.width + x)) {
        sum += y;
        ++count;
      }
    if (count == 0) continue;
    columns.insert(x);
    CHECK(sum / count <= before + 1.5);
    before = sum / count;
  }
  const double span = *columns.rbegin() - *columns.begin() + 1.0;
  CHECK(static_cast<double>(columns.size()) / span < 0.9); // a fifth of it is missing
  CHECK(static_cast<double>(columns.size()) / span > 0.7);
}

TEST_CASE("an SVG stands alone and its names are its own") {
  Plot plot{.title = "A title", .xLabel = "x", .yLabel = "y", .series = {}};
  plot.series.push_back({"one", {{0, 0}, {1, 2}}, true});
  const std::string first = plotSvg(plot, 300, 200);
  plot.title = "Another";
  const std::string second = plotSvg(plot, 300, 200);
  CHECK(first.starts_with("<svg"));
  const auto namesAfter = [](const std::string& svg, const std::string& before) {
    std::set<std::string> names;
    for (std::size_t at = svg.find(before); at != std::string::npos;
         at = svg.find(before, at + 1)) {
      const std::size_t start = at + before.size();
      names.insert(svg.substr(start, svg.find('"', start) - start));
    }
    return names;
  };
  const auto names = namesAfter(first, "id=\"");
  const auto used = namesAfter(first, "href=\"#");
  REQUIRE(!used.empty());
  CHECK(std::includes(names.begin(), names.end(), used.begin(), used.end()));
  for (const std::string& other : namesAfter(second, "id=\""))
    CHECK(!names.contains(other));
}

} // namespace
} // namespace sinew
