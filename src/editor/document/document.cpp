#include "editor/document/document.h"

#include "animation/layers/layer_stack.h"
#include "editor/document/keying.h"

#include <fmt/format.h>

#include <cctype>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace sinew {

bool hasModel(const Document& document) {
  return !document.workbench.bound.empty();
}

void notify(Document& document, std::string text) {
  document.notices.messages.push_back(std::move(text));
}

void notifySaved(Document& document, const std::filesystem::path& path, const std::string& after) {
  document.notices.savedFile = path;
  notify(document, fmt::format("saved {}{}", path.string(), after));
}

void hideJoint(Document& document, std::uint32_t node, bool hidden, bool below) {
  const std::vector<Node>& nodes = document.workbench.model.hierarchy.nodes;
  document.hidden.resize(nodes.size(), 0);
  std::vector<bool> with(nodes.size(), false);
  with[node] = true;
  for (std::uint32_t i = node + 1; below && i < nodes.size(); ++i) // parents come first
    with[i] = nodes[i].parent != kNoNode && with[nodes[i].parent];
  for (std::uint32_t i = node; i < nodes.size(); ++i)
    if (with[i]) document.hidden[i] = hidden ? 1 : 0;
}

bool isHidden(const Document& document, std::uint32_t node) {
  return document.hidden.size() == document.workbench.model.hierarchy.nodes.size() &&
         document.hidden[node] != 0;
}

void selectJoint(Document& document, std::optional<std::uint32_t> node) {
  document.selected = node;
}

const std::string& nodeName(const Document& document, std::uint32_t node) {
  return document.workbench.model.hierarchy.nodes[node].name;
}

bool holdsPose(const Document& document) {
  return document.history.now().pose.has_value();
}

const std::shared_ptr<const Draft>& getDraft(const Document& document) {
  return document.history.now().draft;
}

bool drafting(const Document& document) {
  return getDraft(document) != nullptr;
}

bool bindable(const Document& document) {
  return hasModel(document) && !document.crowd && !document.workbench.rig.triangles.empty();
}

void commitEdit(Document& document, std::string what) {
  if (document.autoKey) keyEditedPose(document);
  document.history.commit(std::move(what));
}

bool discardOpenEdit(Document& document) {
  if (!document.history.open()) return false;
  document.history.drop();
  ++document.discards;
  notify(document, "change discarded");
  return true;
}

void undoEdit(Document& document) {
  if (discardOpenEdit(document) || !document.history.canUndo()) return;
  notify(document, fmt::format("undone: {}", document.history.undoWord()));
  document.history.undo();
  if (holdsPose(document)) document.settings.playing = false;
}

void redoEdit(Document& document) {
  if (discardOpenEdit(document) || !document.history.canRedo()) return;
  notify(document, fmt::format("redone: {}", document.history.redoWord()));
  document.history.redo();
  if (holdsPose(document)) document.settings.playing = false;
}

void releasePose(Document& document) {
  if (!holdsPose(document)) return;
  document.history.live().pose.reset();
  commitEdit(document, "Back to the clip");
}

void replaceWorkbench(Document& document, Workbench fresh) {
  document.workbench = std::move(fresh);
  followAgain(document.orbit, document.workbench.model.hierarchy);
  document.applied.settings = document.settings;
  document.applied.settings.weightsJoint
      .clear(); // the heat map follows with the next applySettings()
  document.changes.model = true;
  document.opened.clips.reset();
  document.hidden.clear();
  ++document.revisions.clips;
  ++document.revisions.model;
  ++document.revisions.weights;
}

LayerStack layersFor(Document& document, const Model& model, const LayerStack& layerStack) {
  LayerStack fit = layerStack;
  std::vector<std::string> left;
  std::erase_if(fit.layers, [&](const Layer& layer) {
    const std::string problem = findProblem(model, layer);
    if (!problem.empty()) left.push_back(fmt::format("'{}' ({})", layer.name, problem));
    return !problem.empty();
  });
  if (!left.empty())
    notify(document, fmt::format("{} layer{} left out: {}", left.size(),
                                 left.size() == 1 ? " is" : "s are", fmt::join(left, ", ")));
  return fit;
}

std::filesystem::path outputFolder(const std::string& model) {
  std::error_code ignored;
  if (!model.empty() && !model.starts_with("demo:")) {
    auto beside = std::filesystem::absolute(model, ignored).parent_path();
    if (::access(beside.c_str(), W_OK) == 0) return beside;
  }
  return std::filesystem::current_path(ignored);
}

std::filesystem::path freeName(const std::filesystem::path& folder, const std::string& stem,
                               const char* extension) {
  std::error_code error;
  for (int number = 1;; ++number) {
    std::filesystem::path path = folder / fmt::format("{}-{:03}{}", stem, number, extension);
    if (!std::filesystem::exists(path, error)) return path;
  }
}

std::string makeStem(const Model& model) {
  std::string stem = "sinew-" + (model.name.empty() ? "view" : model.name);
  for (char& c : stem)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '_') c = '_';
  return stem;
}

} // namespace sinew
