// A figure of a paper, made in the background by a process of this program, and what it shows.
#pragma once

#include "editor/tasks/background.h"
#include "editor/tasks/run_program.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace sinew {

struct FigureSeen {
  std::string name;     // name for `sinew figure`; empty: none has been made
  std::string says;     // the paper's statement
  std::string measured; // here
  std::shared_ptr<const ScratchFolder> folder;
  std::vector<std::filesystem::path> pictures; // PNG, in the folder
};

struct FigureShelf {
  std::string program; // that makes them
  std::unique_ptr<Background<FigureSeen>> job;
  FigureSeen seen;
  std::string problem; // why the last one could not be made
};

// program: whose `figure NAME -o FOLDER --json` makes it. Throws inputError.
FigureSeen makeFigure(const std::string& program, const std::string& name,
                      const Progress& progress);

// Starts it; another one under way is given up.
void wantFigure(FigureShelf& shelf, const std::string& name);
bool pollFigure(FigureShelf& shelf); // true when one has ended

} // namespace sinew
