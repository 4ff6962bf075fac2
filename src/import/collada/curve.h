// A <sampler> of a Collada file: numbers over time.
#pragma once

#include "import/collada/document.h"
#include "import/repairs.h"

#include <array>

namespace sinew {

// Splines through or near the keys become Bezier curves when they are read.
enum class ColladaStretch : std::uint8_t { linear, step, bezier, bspline, cardinal };

struct ColladaCurve {
  std::uint32_t width = 0;           // numbers per key
  std::vector<double> times;         // seconds, strictly increasing
  std::vector<double> values;        // `width` per key
  std::vector<ColladaStretch> kinds; // kind of the curve that follows each key
  // Per key and number, for Bezier stretches: the control points before and behind it, as time and
  // value. Empty where there are none.
  std::vector<std::array<double, 2>> in, out;
  bool unknownKind = false; // it asks for curves of another kind, which are read as lines

  std::size_t keys() const { return times.size(); }
  double value(std::size_t key, std::uint32_t number) const { return values[key * width + number]; }
  // The value at a time; before the first key and behind the last one, that key's value.
  double at(double time, std::uint32_t number) const;
  // The key before a time, and how far the time is to the next one, in [0, 1].
  std::size_t keyBefore(double time) const;
  bool isStepped() const;
};

// Empty where the sampler has no keys. Keys that are not finite are dropped, and sorted by time.
ColladaCurve readColladaCurve(const ColladaDocument& document, const pugi::xml_node& sampler,
                              RepairLog& repairs);

} // namespace sinew
