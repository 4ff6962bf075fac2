// Models beside the document (Document::sideModels), for comparison: each in a view of its
// own, by the method of that view, under the document's camera and at the document's time.
#pragma once

#include "editor/document/document.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

inline constexpr std::size_t kMaxModels = 6; // beside one another, with the document

// Models whose sizes differ by more than this factor are drawn equally large. Otherwise the smaller
// model would be too small to see beside the other.
inline constexpr float kOneScale = 2.0f;

SideModel* findSideModel(Document& document, std::uint64_t id); // null: there is none
void removeSideModel(Document& document, std::uint64_t id);

// Decides at which scale each side-by-side model is drawn, and where. At the document's scale it is
// where it is in its own file, or, if that is out of the picture, where the document stands; a
// camera that shows the whole of the document shows the whole of both.
void arrangeSideModels(Document& document);

// The document's camera before a side-by-side model: the same angles and, at one scale, the same
// distance; else so far away that the side-by-side model fills its view as the document does.
Camera makeCamera(const Document& document, const SideModel& sideModel, float aspect);

// What surrounds a side-by-side model: at one scale the ground is where that of the document is.
Bounds computeSceneBounds(const Document& document, const SideModel& sideModel);

// How far a side-by-side model has moved from where it was framed, as carriedBy() of the document.
vec3 carriedBy(const SideModel& sideModel);

// The name of the clip on the document's time line; empty: there is none.
std::string clipToFollow(const Document& document);
// The word for the clip of that name, whatever a format puts before it; empty: there is none.
std::string clipNamed(const Model& model, std::string_view name);

// The settings of a side-by-side model: the document's, with its method and its clip.
Settings settingsFor(const Document& document, const SideModel& sideModel);

// Brings side-by-side models up to date with settings, clip and time. Each plays the clip named as
// the document's, else its first one, over its own length. What has not changed is not computed
// again.
void followDocument(Document& document);

// Whether a side-by-side model moves in time.
bool sideModelsPlay(const Document& document);

// The names of the files: the document's, then that of each side-by-side model. Each name has as
// many folders as tell it from the others.
std::vector<std::string> modelNames(const Document& document);
std::vector<std::string> distinctNames(std::span<const std::string> paths);

} // namespace sinew
