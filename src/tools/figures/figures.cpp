#include "tools/figures/figures.h"

#include "core/error.h"
#include "core/file.h"
#include "render/image.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace sinew {
namespace {

std::string fileName(const Figure& figure, const std::string& name, std::string_view extension) {
  return fmt::format("{}{}{}.{}", figure.name, name.empty() ? "" : "-", name, extension);
}

} // namespace

std::span<const Figure> figures() {
  static const std::array kFigures = {
      schemesFigure(),       elbowTwistFigure(),   zonesFigure(),          subdivisionFigure(),
      curvatureFigure(),     fencingFigure(),      shoulderFigure(),       timeTables(),
      optimisationsFigure(), bendMethodsFigure(),  circleFigure(),         framesFigure(),
      bindingFigure(),       weightsFigure(),      posesFigure(),          vectorizedFigure(),
      mixingFigure(),        normalsFigure(),      storageFigure(),        performanceFigure(),
      armWeightsFigure(),    humanWeightsFigure(), penguinWeightsFigure(), stepsFigure(),
      pruningFigure(),       weightsSpeedFigure(),
  };
  return kFigures;
}

const Figure& findFigure(std::string_view name) {
  std::string wanted(name);
  std::replace(wanted.begin(), wanted.end(), '_', '-');
  std::vector<std::string_view> names;
  for (const Figure& figure : figures()) {
    if (figure.name == wanted) return figure;
    names.push_back(figure.name);
  }
  throw unknownName("figure", name, names);
}

nlohmann::ordered_json figureJson(const Figure& figure, const FigureResult& result) {
  nlohmann::ordered_json tables = nlohmann::ordered_json::object();
  nlohmann::ordered_json files = nlohmann::ordered_json::array();
  for (const auto& [name, image] : result.images)
    files.push_back(fileName(figure, name, "png"));
  for (const auto& [name, table] : result.tables) {
    tables[table.title] = tableJson(table);
    files.push_back(fileName(figure, name, "csv"));
  }
  return {{"figure", figure.name},
          {"title", figure.title},
          {"paper", figure.paper},
          {"says", result.says},
          {"measured", result.measured},
          {"numbers", result.numbers},
          {"tables", tables},
          {"files", files}};
}

void writeFigure(const Figure& figure, const FigureResult& result,
                 const std::filesystem::path& folder) {
  for (const auto& [name, image] : result.images)
    writePng(folder / fileName(figure, name, "png"), image);
  for (const auto& [name, table] : result.tables)
    writeFile(folder / fileName(figure, name, "csv"), tableCsv(table));
  writeFile(folder / fileName(figure, "", "json"), figureJson(figure, result).dump(1) + "\n");
}

} // namespace sinew
