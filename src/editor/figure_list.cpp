#include "editor/figure_list.h"

#include "core/error.h"

#include <nlohmann/json.hpp>

#include <utility>
#include <variant>

namespace sinew {

ShownFigure makeFigure(const std::string& program, const std::string& name,
                       const Progress& progress) {
  const auto folder = std::make_shared<const ScratchFolder>();
  const std::string text =
      runProgram({program, "figure", name, "-o", folder->path().string(), "--json"}, progress);
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("files"))
    throw inputError(name, "the figure has no result");
  ShownFigure seen{name, json.value("says", ""), json.value("measured", ""), folder, {}};
  for (const auto& file : json["files"])
    if (const auto path = folder->path() / file.get<std::string>(); path.extension() == ".png")
      seen.pictures.push_back(path);
  return seen;
}

void startFigure(FigureList& list, const std::string& name) {
  list.problem.clear();
  list.job->start(name, [name, program = list.program](const Progress& progress) {
    return makeFigure(program, name, progress);
  });
}

bool pollFigure(FigureList& list) {
  auto result = list.job->take();
  if (!result) return false;
  if (auto* seen = std::get_if<ShownFigure>(&*result))
    list.seen = std::move(*seen);
  else
    list.problem = std::get<TaskFailure>(*result).message;
  return true;
}

} // namespace sinew
