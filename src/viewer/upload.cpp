#include "viewer/upload.h"

#include "core/error.h"
#include "core/stopwatch.h"
#include "editor/apply.h"
#include "editor/bind/binding.h"
#include "editor/document/side_models.h"
#include "editor/document/views.h"
#include "editor/rig_edits.h"
#include "import/image_decoder.h"
#include "render/image.h"
#include "tools/figures/figures.h"
#include "tools/figures/pictures.h"

#include <utility>

namespace sinew {
namespace {

// Vertices of a binding that were changed in place; where a mesh is split, it may have to be
// created again.
void updateVertices(SceneRenderer& scene, const Workbench& workbench, const Settings& settings,
                    const std::vector<BoundVertices>& vertices) {
  std::vector<std::size_t> again;
  if (!vertices.empty()) { // the former vertices cast the shadows
    scene.shadows.clear();
    scene.castShadows.clear();
  }
  for (const BoundVertices& each : vertices)
    if (each.method < scene.meshes.size() &&
        !scene.meshes[each.method].updateVertices(workbench.bound[each.method].binding,
                                                  *each.vertices))
      again.push_back(each.method);
  if (!again.empty()) uploadBinding(scene, workbench, settings, again);
}

void uploadHeatMap(Session& session, SceneRenderer& scene) {
  if (scene.meshes.empty()) return;
  if (const std::vector<vec3> matches = shownMatches(session); !matches.empty()) {
    scene.showsHidden.clear();
    for (GpuMesh& mesh : scene.meshes)
      mesh.setField(matches);
    return;
  }
  if (session.document.settings.weightsJoint.empty())
    return uploadWeights(scene, session.document.workbench, session.document.settings);
  const Clock::time_point start = Clock::now();
  scene.showsHidden.clear();                                   // the fields are the heat map's
  const bool each = comparing(session.document, session.bind); // else all show the same
  std::vector<float> weights;
  const bool colors = !each && paintingColors(session.document, session.paint);
  if (colors) {
    const std::vector<vec3> shown = paintedColors(session.document, session.paint);
    for (GpuMesh& mesh : scene.meshes)
      mesh.setField(shown);
  }
  for (std::size_t i = 0; i < scene.meshes.size() && !colors; ++i) {
    if (i == 0 || each) weights = computeHeatMap(session, i);
    if (!weights.empty()) scene.meshes[i].setField(weights);
  }
  double& largest = session.paint.cost.colors;
  largest = std::max(largest, millisecondsSince(start));
}

void uploadMeshes(Session& session, Graphics& graphics, const MeshChanges& changes) {
  Document& document = session.document;
  SceneRenderer& scene = graphics.scene;
  const bool fresh = changes.model || changes.storage || changes.bindings;
  if (!fresh && !changes.field && changes.vertices.empty()) {
    graphics.shown = document.settings;
    return;
  }
  Settings settings = document.settings;
  settings.weightsJoint.clear(); // the heat map follows
  if (changes.model)
    uploadModel(scene, document.workbench, settings);
  else if (changes.storage)
    uploadBinding(scene, document.workbench, settings);
  else if (changes.bindings)
    uploadBinding(scene, document.workbench, settings, changes.methods);
  if (!changes.model && !changes.storage)
    updateVertices(scene, document.workbench, settings, changes.vertices);
  uploadHeatMap(session, scene);
  graphics.shown = document.settings;
}

// Where the method cannot be drawn so, the crowd is drawn by default from there on.
void uploadCrowdMesh(Session& session, Graphics& graphics, bool fresh) {
  Document& document = session.document;
  if (!document.crowd || graphics.drawing == CrowdDrawing()) return graphics.crowd.reset();
  if (graphics.crowd && !fresh) return;
  const Workbench& workbench = document.workbench;
  try {
    graphics.crowd = makeCrowdMesh(graphics.drawing, graphics.scene.materials, workbench,
                                   workbench.bound.front(), *document.crowd,
                                   document.settings.palette, document.settings.skinOn);
  } catch (const Error& problem) {
    if (session.options.unattended) throw;
    notify(document, problem.what());
    graphics.crowd.reset();
    graphics.drawing = {};
    document.crowd->live = true;
    document.crowd->culling.reset();
    evaluateCrowd(workbench, workbench.bound.front(), *document.crowd, document.crowdSeconds);
  }
}

void uploadPose(const Document& document, Graphics& graphics, Statistics& statistics) {
  const Clock::time_point start = Clock::now();
  SceneRenderer& scene = graphics.scene;
  if (document.crowd && graphics.crowd) {
    poseCrowd(*graphics.crowd, scene.tools, document.workbench, document.workbench.bound.front(),
              *document.crowd, graphics.crowdView, document.crowdSeconds);
  } else if (document.crowd) {
    uploadCrowd(scene, document.workbench, *document.crowd);
  } else {
    uploadPalette(scene, document.workbench);
  }
  const EvaluateCost& cost = document.crowd ? document.crowd->cost : document.workbench.cost;
  statistics.upload.push(millisecondsSince(start));
  statistics.pose.push(cost.poseMs);
  statistics.palette.push(cost.paletteMs);
  statistics.difference.push(cost.differenceMs);
}

} // namespace

void showPendingImport(Session& session, Graphics& graphics, Statistics& statistics) {
  if (!session.imports.pending) return;
  Settings settings = session.document.settings;
  settings.weightsJoint.clear();
  Workbench& workbench = session.imports.pending->imported.workbench;
  if (session.options.stressVertices > 0) bindForCrowd(workbench);
  try {
    uploadModel(graphics.scene, workbench, settings);
  } catch (const Error& error) {
    rejectImport(session, error);
    if (hasModel(session.document)) session.document.changes.model = true;
    return;
  }
  acceptImport(session);
  graphics.crowd.reset();
  session.document.changes = {};
  graphics.shown = session.document.applied.settings;
  statistics = {};
}

void aimCrowd(Document& document, Graphics& graphics, const View& view) {
  graphics.crowdView = view;
  if (!document.crowd || !graphics.crowd) return;
  beginCrowdFrame(*graphics.crowd, *document.crowd, view);
  document.stale = true; // what is in the picture follows the camera
}

void uploadChanges(Session& session, Graphics& graphics, Statistics& statistics) {
  Document& document = session.document;
  const MeshChanges changes = std::exchange(document.changes, {});
  const bool fresh = changes.model || changes.storage || changes.bindings;
  try {
    uploadMeshes(session, graphics, changes);
  } catch (const Error& error) {
    if (changes.model)
      revertModel(session, error);
    else
      revertSettings(document, graphics.shown, error);
    advanceSession(session, 0.0f);
    uploadMeshes(session, graphics, std::exchange(document.changes, {}));
  }
  if (fresh) statistics = {};
  uploadCrowdMesh(session, graphics, fresh);
  if (fresh || changes.pose) uploadPose(document, graphics, statistics);
}

static void uploadSideModel(SideModel& sideModel, SceneRenderer& scene) {
  const MeshChanges changes = std::exchange(sideModel.changes, {});
  const Workbench& workbench = sideModel.workbench;
  if (changes.model)
    uploadModel(scene, workbench, sideModel.applied);
  else if (changes.storage || changes.bindings)
    uploadBinding(scene, workbench, sideModel.applied);
  else if (changes.field)
    uploadWeights(scene, workbench, sideModel.applied);
  if (changes.pose) uploadPalette(scene, workbench);
}

void uploadSideModels(Document& document, Graphics& graphics) {
  std::erase_if(graphics.sideModels,
                [&](const auto& shown) { return findSideModel(document, shown.first) == nullptr; });
  std::vector<std::uint64_t> refused;
  for (SideModel& sideModel : document.sideModels) {
    try {
      uploadSideModel(sideModel, graphics.sideModels[sideModel.id]);
    } catch (const Error& error) {
      notify(document, error.what());
      refused.push_back(sideModel.id);
    }
  }
  for (const std::uint64_t id : refused) {
    removeSideModel(document, id);
    graphics.sideModels.erase(id);
  }
}

DrawCount drawModel(const Document& document, Graphics& graphics, const Settings& settings,
                    const View& view, std::size_t index, std::optional<std::uint32_t> selected) {
  if (const SideModel* sideModel = sideModelIn(document, index))
    return drawScene(graphics.sideModels[sideModel->id], sideModel->workbench, document.settings,
                     view);
  return drawScene(graphics.scene, document.workbench, settings, view, selected, index,
                   document.hidden);
}

void uploadTexture(const Document& document, const Ui& ui, Graphics& graphics) {
  const TextureUi& wanted = ui.texture;
  const std::vector<Texture>& textures = document.workbench.model.textures;
  if (!wanted.texture || *wanted.texture >= textures.size()) {
    graphics.texture.reset();
    return;
  }
  if (graphics.texture && graphics.textureShown.texture == wanted.texture &&
      graphics.textureShown.channels == wanted.channels &&
      graphics.textureRevision == document.revisions.model)
    return;
  const Image& image = textures[*wanted.texture].image;
  graphics.texture =
      ShownPicture{Texture2D(imageOfChannels(image, wanted.channels), Texels::stored),
                   static_cast<float>(image.width), static_cast<float>(image.height)};
  graphics.textureShown = wanted;
  graphics.textureRevision = document.revisions.model;
}

void uploadThumbnails(const Ui& ui, Graphics& graphics) {
  if (!ui.thumbnails || !graphics.thumbnails.empty()) return;
  for (const FigureThumbnail& each : figureThumbnails()) {
    const Image image = decodeImage(each.png, {.maxBytes = 1 << 20});
    graphics.thumbnails[std::filesystem::path(each.path).stem().string()] = {
        Texture2D(image, Texels::stored), static_cast<float>(image.width),
        static_cast<float>(image.height)};
  }
}

void uploadMethodPicture(Ui& ui, Graphics& graphics) {
  const Method* method = std::exchange(ui.pictured, nullptr);
  if (method == nullptr) return;
  ShownPicture& shown = graphics.methods[method]; // stays empty where it cannot be drawn
  try {
    const Image image = elbowPicture(*method, 480, 270);
    shown = {Texture2D(image, Texels::stored), static_cast<float>(image.width),
             static_cast<float>(image.height)};
  } catch (const Error&) {
  }
}

void uploadFigure(FigureList& list, Graphics& graphics) {
  if (graphics.figureName == list.seen.name) return;
  graphics.figureName = list.seen.name;
  graphics.figure.clear();
  try {
    for (const std::filesystem::path& path : list.seen.pictures) {
      const Image image = readPng(path);
      graphics.figure.push_back({Texture2D(image, Texels::stored), static_cast<float>(image.width),
                                 static_cast<float>(image.height)});
    }
  } catch (const Error& problem) {
    list.problem = problem.what();
  }
}

} // namespace sinew
