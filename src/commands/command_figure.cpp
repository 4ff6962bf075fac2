#include "commands/command.h"
#include "commands/commands.h"
#include "commands/output.h"
#include "gl/context.h"
#include "tools/figures/figures.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace sinew {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct FigureCommandOptions {
  std::string name;
  std::string folder;
  bool list = false;
  bool json = false;
  FigureOptions figure;
};

std::string listText() {
  std::string out;
  for (const Figure& figure : figures())
    out += fmt::format("{:<18} {}\n{:<18}   {}\n", figure.name, figure.title, "", figure.paper);
  return out;
}

Json listJson() {
  Json out = Json::array();
  for (const Figure& figure : figures())
    out.push_back({{"name", figure.name}, {"title", figure.title}, {"paper", figure.paper}});
  return out;
}

std::string reportText(const Figure& figure, const FigureResult& result) {
  std::string out = fmt::format("{}: {}\n", figure.name, figure.title);
  constexpr std::size_t kLong = 32; // rows to read; longer tables are for programs
  for (const auto& [name, table] : result.tables)
    if (table.rows.size() <= kLong) out += "\n" + tableText(table);
  return out + fmt::format("\npaper: {}\nhere:  {}\n", result.says, result.measured);
}

// A word that names no figure is an error before anything is drawn.
std::vector<const Figure*> chosenFigures(const std::string& name) {
  if (!name.empty() && name != "all") return {&findFigure(name)};
  std::vector<const Figure*> all;
  for (const Figure& figure : figures())
    all.push_back(&figure);
  return all;
}

void runFigures(const FigureCommandOptions& options) {
  if (options.folder.empty())
    throw usageError("figure needs a folder to write to", "-o DIR, or --list");
  const std::vector<const Figure*> chosen = chosenFigures(options.name);
  std::error_code error;
  fs::create_directories(options.folder, error);
  if (error) throw usageError(fmt::format("{}: cannot be created", options.folder));
  const HeadlessContext context;
  Json all = Json::array();
  for (const Figure* figure : chosen) {
    const FigureResult result = figure->run(options.figure);
    writeFigure(*figure, result, options.folder);
    if (options.json)
      all.push_back(figureJson(*figure, result));
    else
      print((figure == chosen.front() ? "" : "\n") + reportText(*figure, result));
  }
  if (options.json) print(toString(chosen.size() == 1 ? all[0] : all));
}

} // namespace

Command figureCommand() {
  auto options = std::make_shared<FigureCommandOptions>();
  Command command{"figure",
                  "Reproduce the figures and tables of the papers: pictures, CSV and JSON"};
  command.add("NAME", &options->name, "name of the figure [all of them]").as(ValueKind::figure);
  command.add("-o,--output", &options->folder, "the folder to write to, created if needed")
      .as(ValueKind::folder);
  command.add("--list", &options->list, "list their names");
  command.add("--json", &options->json, "one JSON document on stdout");
  command
      .add("--vertices", &options->figure.vertices,
           "vertices of the largest crowd of figures that measure time [the figure's own]")
      .range(1, 100000000);
  command
      .add("--frames", &options->figure.frames, "measured frames of each entry [the figure's own]")
      .range(1, 100000);
  command
      .add("--model", &options->figure.models,
           "a further mesh and its skeleton, for figures on weights (bg-steps)")
      .value("MESH SKELETON");
  command.notes = "Writes NAME.png, NAME.csv and NAME.json, and more pictures and tables as "
                  "NAME-x.png, NAME-x.csv.";
  command.examples = {"sinew figure --list", "sinew figure bb-elbow-twist -o figures",
                      "sinew figure as-performance --vertices 1000000 -o figures"};
  command.run = [options](const Command&) {
    if (options->list)
      print(options->json ? toString(listJson()) : listText());
    else
      runFigures(*options);
    return ExitCode::done;
  };
  return command;
}

} // namespace sinew
