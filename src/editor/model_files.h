// Several model files: dropped together, named on the command line, or beside one another in a
// folder. One is shown; the others are a step away. And pictures as light.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sinew {

struct Session;

// The extensions of formats(), with the dot.
std::vector<std::string> modelExtensions();

// Every file as it is, of every folder the models in it, by name. A folder without any is left
// out, and named in `problem` with the reason.
struct ModelFiles {
  std::vector<std::string> files;
  std::string problem;
};
ModelFiles modelFiles(const std::vector<std::string>& paths);

// Opens files that are dropped or chosen. Without a model among them, poses and other edits go onto
// the current model. The first of several models is opened, the others follow. A picture is light.
void openFiles(Session& session, const std::vector<std::string>& paths);

// The models that stepFile() moves through; one of them is about to be opened.
void takeFiles(Session& session, const std::vector<std::string>& models);

// Opens the next or the previous file, in a circle: among those opened together, else in the folder
// of the current model. Asks before unsaved work is discarded.
void stepFile(Session& session, int step);

// "2 of 5": which of the models that were opened together is shown; empty where it is alone.
std::string placeAmongFiles(const Session& session);

// Whether a file is meant as light: a Radiance .hdr, or an image that is no model's. What it holds
// is seen when it is read.
bool isLightPicture(const std::string& file);

// A picture as light, read in the background and then a setting.
void openLight(Session& session, const std::string& file);
bool pollLight(Session& session); // true when one has been read, or could not be

} // namespace sinew
