#include "editor/figure_shelf.h"

#include "core/error.h"

#include <nlohmann/json.hpp>

#include <utility>
#include <variant>

namespace sinew {

FigureSeen makeFigure(const std::string& program, const std::string& name,
                      const Progress& progress) {
  const auto folder = std::make_shared<const ScratchFolder>();
  const std::string text =
      runProgram({program, "figure", name, "-o", folder->path().string(), "--json"}, progress);
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("files"))
    throw inputError(name, "the figure has no result");
  FigureSeen seen{name, json.value("says", ""), json.value("measured", ""), folder, {}};
  for (const auto& file : json["files"])
    if (const auto path = folder->path() / file.get<std::string>(); path.extension() == ".png")
      seen.pictures.push_back(path);
  return seen;
}

void wantFigure(FigureShelf& shelf, const std::string& name) {
  shelf.problem.clear();
  shelf.job->start(name, [name, program = shelf.program](const Progress& progress) {
    return makeFigure(program, name, progress);
  });
}

bool pollFigure(FigureShelf& shelf) {
  auto result = shelf.job->take();
  if (!result) return false;
  if (auto* seen = std::get_if<FigureSeen>(&*result))
    shelf.seen = std::move(*seen);
  else
    shelf.problem = std::get<BackgroundFailure>(*result).message;
  return true;
}

} // namespace sinew
