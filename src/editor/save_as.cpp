#include "editor/save_as.h"

#include "animation/layers/layer_stack_json.h"
#include "app/sidecar.h"
#include "app/zones_file.h"
#include "core/error.h"
#include "core/file.h"
#include "editor/document/output_name.h"
#include "editor/document/views.h"
#include "editor/edit_files.h"
#include "editor/session.h"
#include "editor/tasks/run_program.h"
#include "export/glb.h"
#include "weights/spline_set_file.h"
#include "weights/weights_file.h"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <utility>

namespace sinew {
namespace {

namespace fs = std::filesystem;

constexpr std::array<SaveKindInfo, 10> kSaveKinds{{
    {SaveKind::model, "Model", ".glb", "mesh, skeleton, weights, clips and textures"},
    {SaveKind::pose, "Pose", ".json", "the shown pose, for --pose"},
    {SaveKind::bendRanges, "Bend ranges", ".json", "read with the model where it lies beside it"},
    {SaveKind::weights, "Weights", ".json", "read with the model where it lies beside it"},
    {SaveKind::splines, "Free splines", ".json", "read with the model where it lies beside it"},
    {SaveKind::layers, "Layers", ".json", "for --layers"},
    {SaveKind::drivers, "Pose drivers", ".json", "read with the model where it lies beside it"},
    {SaveKind::report, "Report", ".html",
     "every method measured over the clip that plays, with pictures and plots"},
    {SaveKind::page, "Page", ".html",
     "the views' methods, moving, in any browser: one file without a network"},
    {SaveKind::baked, "Baked model", ".glb",
     "what Weights, Bake has made: linear blending with helper joints, for any engine"},
}};

// Edits of the session as files in a folder, and the options that read them.
void addEdits(const Session& session, const fs::path& folder, std::vector<std::string>& words) {
  const Document& document = session.document;
  const Edit& now = document.history.now();
  const auto add = [&](const char* option, const char* name, const std::string& text) {
    const fs::path file = folder / name;
    writeFile(file, text);
    words.insert(words.end(), {option, file.string()});
  };
  // One of them beside the model would be read in the place of one that was removed here.
  add("--zones", "zones.json", zonesToJson(now.zones));
  if (now.drivers) add("--drivers", "drivers.json", driverSetToJson(*now.drivers));
  if (!now.layerStack.layers.empty() && !now.pose)
    add("--layers", "layers.json", layerStackToJson(now.layerStack));
  if (now.pose) add("--pose", "pose.json", poseToJson(document.bench.model, *now.pose));
}

// The model as it is now: its file where nothing of it has changed.
void addModel(const Session& session, const fs::path& folder, std::vector<std::string>& words) {
  const Document& document = session.document;
  const Edit& now = document.history.now();
  const ModelRequest& loaded = document.loaded;
  const bool edited = now.model || now.splines || now.clips || now.weights != PaintedRig{} ||
                      loaded.subdivide != SubdivideOptions{} || document.bench.splines.set;
  if (edited) {
    const std::string name = loaded.model.starts_with("demo:")
                                 ? loaded.model.substr(5)
                                 : fs::path(loaded.model).stem().string();
    const fs::path file = folder / (name + ".glb");
    writeFile(file, glbOf(paintedModel(document)));
    words.push_back(file.string());
    return;
  }
  words.push_back(loaded.model);
  if (!loaded.motion.empty()) words.insert(words.end(), {"--motion", loaded.motion});
  if (loaded.motionMap != MotionMap{}) {
    const fs::path map = folder / "motion-map.json";
    writeFile(map, motionMapText(loaded.motionMap));
    words.insert(words.end(), {"--motion-map", map.string()});
  }
  if (!loaded.weights.empty()) words.insert(words.end(), {"--weights", loaded.weights});
  if (loaded.up != UpAxis::automatic)
    words.insert(words.end(), {"--up", loaded.up == UpAxis::y ? "y" : "z"});
}

std::string clipOf(const Document& document) {
  const Settings& settings = document.settings;
  return settings.clip.empty() && document.bench.clip
             ? clipWord(document.bench.model, *document.bench.clip)
             : settings.clip;
}

bool madeByProgram(SaveKind kind) {
  return kind == SaveKind::report || kind == SaveKind::page;
}

void startProgram(Session& session, SaveKind kind, const fs::path& path) {
  // The files of edits live as long as the work.
  const auto scratch = std::make_shared<ScratchFolder>();
  const fs::path done = scratch->path() / ("done" + path.extension().string());
  std::vector<std::string> words = programWords(session, kind, scratch->path(), done);
  session.report->start(path.string(),
                        [words = std::move(words), scratch, done, path](const Progress& progress) {
                          runProgram(words, progress);
                          writeFile(path, readFile(done));
                          return path.string();
                        });
  notify(session.document, fmt::format("writing {}", path.string()));
}

void save(Session& session, SaveKind kind, const fs::path& path) {
  Document& document = session.document;
  switch (kind) {
  case SaveKind::model:
    return saveModel(document, path);
  case SaveKind::pose:
    return savePose(document, path);
  case SaveKind::bendRanges:
    return saveZones(document, path);
  case SaveKind::weights:
    return saveWeights(document, path);
  case SaveKind::splines:
    return saveSplines(document, session.bind, path);
  case SaveKind::layers:
    return saveLayers(document, path);
  case SaveKind::drivers:
    return saveDrivers(document, path);
  case SaveKind::report:
  case SaveKind::page:
    return startProgram(session, kind, path);
  case SaveKind::baked:
    return saveBaked(session, path);
  }
}

} // namespace

std::span<const SaveKindInfo> saveKinds() {
  return kSaveKinds;
}

std::string saveProblem(const Session& session, SaveKind kind) {
  const Document& document = session.document;
  const Edit& now = document.history.now();
  if (!hasModel(document) || document.crowd) return "there is no single model";
  if (drafting(document)) return "bind the mesh first, or leave the skeleton";
  if (kind == SaveKind::splines && document.bench.model.splines.empty())
    return "the model has no free splines";
  if (kind == SaveKind::layers && layersOf(now).layers.empty()) return "there are no layers";
  if (kind == SaveKind::drivers && !now.drivers) return "there are no pose drivers";
  if (madeByProgram(kind) && document.bench.rig.triangles.empty()) return "the model has no mesh";
  if (kind == SaveKind::baked && !session.bake.last) return "bake it first: Weights, Bake";
  if (madeByProgram(kind) && reporting(session)) return "a report or a page is being written";
  return {};
}

fs::path proposedPath(const Session& session, SaveKind kind) {
  const Document& document = session.document;
  const std::string& model = document.loaded.model;
  if (kind == SaveKind::bendRanges) return sidecarPath(model, kZonesSidecar);
  if (kind == SaveKind::weights) return sidecarPath(model, kWeightsSidecar);
  if (kind == SaveKind::splines) return sidecarPath(model, kSplinesSidecar);
  if (kind == SaveKind::drivers) return sidecarPath(model, kDriversSidecar);
  const char* suffix = kind == SaveKind::pose     ? "-pose"
                       : kind == SaveKind::layers ? "-layers"
                       : kind == SaveKind::report ? "-report"
                       : kind == SaveKind::page   ? "-page"
                       : kind == SaveKind::baked  ? "-baked"
                                                  : "";
  return freeName(outputFolder(model), stemOf(document.bench.model) + suffix,
                  kSaveKinds[static_cast<std::size_t>(kind)].extension);
}

void saveAs(Session& session, SaveKind kind, fs::path path) {
  Document& document = session.document;
  if (const std::string problem = saveProblem(session, kind); !problem.empty())
    return notify(document, problem);
  const char* extension = kSaveKinds[static_cast<std::size_t>(kind)].extension;
  if (extensionOf(path) != extension) path += extension;
  try {
    save(session, kind, path);
  } catch (const Error& problem) {
    notify(document, problem.what());
  }
}

std::vector<std::string> programWords(const Session& session, SaveKind kind, const fs::path& folder,
                                      const fs::path& output) {
  const Document& document = session.document;
  const Settings& settings = document.settings;
  std::vector<std::string> words{session.options.program,
                                 kind == SaveKind::page ? "page" : "compare"};
  addModel(session, folder, words);
  addEdits(session, folder, words);
  if (kind == SaveKind::page)
    words.insert(words.end(), {"--method", settingText(withoutBaked(settings.methods))});
  const std::string clip = clipOf(document);
  if (!clip.empty() && !document.history.now().pose) words.insert(words.end(), {"--clip", clip});
  words.insert(words.end(), {"--influences", std::to_string(document.settings.influences), "-o",
                             output.string()});
  return words;
}

bool reporting(const Session& session) {
  return session.report->running();
}

bool pollReport(Session& session) {
  const auto result = session.report->take();
  if (!result) return false;
  if (const auto* path = std::get_if<std::string>(&*result))
    notifySaved(session.document, *path);
  else
    notify(session.document, std::get<BackgroundFailure>(*result).message);
  return true;
}

} // namespace sinew
