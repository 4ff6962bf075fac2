#include "import/fbx/blend_shapes.h"

#include "import/repairs.h"

#include <fmt/format.h>
#include <glm/vec3.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sinew {
namespace {

// A channel's percentage: a property, which curves may move, or an element of its own. In versions
// 6 and 7.1 the model or geometry has it as a property with the shape's name.
double readPercent(const FbxDocument& document, std::uint32_t channel, std::uint32_t geometry) {
  const FbxProperties properties = document.properties(channel);
  if (properties.has("DeformPercent")) return properties.real("DeformPercent", 0.0);
  const FbxObject& object = document.object(channel);
  if (const FbxElement* percent = findChild(*object.element, "DeformPercent"))
    return realAt(*percent, 0, 0.0);
  return document.properties(geometry).real(object.name, 0.0);
}

// "Body.Smile" as "Smile": exporters put the deformer's name in front.
std::string shortName(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string::npos || dot + 1 == name.size() ? name : name.substr(dot + 1);
}

} // namespace

double shapeWeight(const FbxMorph& morph, std::size_t shape, double percent) {
  const std::vector<double>& full = morph.fullAt;
  // The piece of the line that the percentage lies on: from the shape before `next` to `next`.
  std::size_t next = 0;
  while (next + 1 < full.size() && percent > full[next])
    ++next;
  const double from = next == 0 ? 0.0 : full[next - 1];
  const double t = (percent - from) / (full[next] - from);
  if (shape == next) return t;
  return next > 0 && shape == next - 1 ? 1.0 - t : 0.0;
}

const std::vector<FbxMorph>& FbxMorphReader::listMorphs(std::uint32_t geometry) {
  const auto known = known_.find(geometry);
  return known != known_.end() ? known->second
                               : known_.emplace(geometry, read(geometry)).first->second;
}

std::vector<FbxMorph> FbxMorphReader::read(std::uint32_t geometry) {
  std::vector<FbxMorph> out;
  for (const std::uint32_t blend : document_.getChildren(geometry, "Deformer", "BlendShape"))
    for (const std::uint32_t channel :
         document_.getChildren(blend, "Deformer", "BlendShapeChannel")) {
      FbxMorph morph;
      morph.object = channel;
      morph.percent = readPercent(document_, channel, geometry);
      if (!isUsable(static_cast<float>(morph.percent))) morph.percent = 0.0;
      const std::vector<std::uint32_t> shapes = document_.getChildren(channel, "Geometry", "Shape");
      std::vector<double> full =
          toReals(findChild(*document_.object(channel).element, "FullWeights"));
      full.resize(shapes.size(), 100.0);
      std::vector<std::size_t> order(shapes.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::stable_sort(order.begin(), order.end(),
                       [&](std::size_t a, std::size_t b) { return full[a] < full[b]; });
      for (const std::size_t i : order) {
        const double before = morph.fullAt.empty() ? 0.0 : morph.fullAt.back();
        if (!(full[i] > before) || full[i] > 1e9)
          throw FbxError(fmt::format("the blend shape '{}' is whole at {} % and {} %",
                                     document_.object(channel).name, before, full[i]));
        morph.fullAt.push_back(full[i]);
        morph.shapes.push_back(shapes[i]);
      }
      if (morph.shapes.empty()) continue;
      morph.firstTarget = static_cast<std::uint32_t>(model_.morphTargets.size());
      const std::string name = shortName(document_.object(channel).name);
      for (std::size_t i = 0; i < morph.shapes.size(); ++i)
        model_.morphTargets.push_back(
            {morph.shapes.size() == 1 ? name : fmt::format("{} {:g} %", name, morph.fullAt[i]),
             static_cast<float>(shapeWeight(morph, i, morph.percent))});
      out.push_back(std::move(morph));
    }
  return out;
}

FbxShape FbxMorphReader::shape(std::uint32_t object, std::size_t points) const {
  const FbxObject& source = document_.object(object);
  const std::vector<std::int64_t> indices = toIntegers(findChild(*source.element, "Indexes"));
  const std::vector<double> offsets = toReals(findChild(*source.element, "Vertices"));
  if (offsets.size() != 3 * indices.size())
    throw FbxError(fmt::format("the shape '{}' has {} indices and {} numbers", source.name,
                               indices.size(), offsets.size()));
  FbxShape out;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const glm::dvec3 offset(offsets[3 * i], offsets[3 * i + 1], offsets[3 * i + 2]);
    if (indices[i] < 0 || static_cast<std::size_t>(indices[i]) >= points)
      throw FbxError(
          fmt::format("the shape '{}' moves the point {} of {}", source.name, indices[i], points));
    if (offset == glm::dvec3(0.0) || !isUsable(vec3(offset))) continue;
    out.points.push_back(static_cast<std::uint32_t>(indices[i]));
    out.offsets.push_back(offset);
  }
  return out;
}

std::vector<FbxMorph> FbxMorphReader::all() const {
  std::vector<FbxMorph> out;
  for (const auto& [geometry, morphs] : known_)
    out.insert(out.end(), morphs.begin(), morphs.end());
  return out;
}

} // namespace sinew
