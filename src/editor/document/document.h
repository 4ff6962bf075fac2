// The model that is edited: its workbench, the settings, the history of edits and what is selected.
// No window and no OpenGL; `changes` marks what the window has to upload, `notices` hold what it
// shows to the user.
#pragma once

#include "animation/clip_keys.h"
#include "animation/pose_edit.h"
#include "app/crowd.h"
#include "app/model_sources.h"
#include "app/settings.h"
#include "app/workbench.h"
#include "core/history.h"
#include "editor/document/edit.h"
#include "editor/document/orbit.h"
#include "editor/tasks/file_watch.h"
#include "editor/time/timeline.h"
#include "model/model.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

// A model to be read.
struct ModelRequest : ModelSources {
  MotionMap motionMapSaved = {}; // `motionMap` as it is in its file
  bool reload = false;           // keeps camera, clip, time and joint
  bool motionIfBare = false;     // a file of motion alone goes onto the current model
  bool fallback = false;         // there has to be something under the message of a failure
  std::string recovery = {};     // a file of edits that are restored on it (recovery.h)
  std::string clip = {};         // the clip that it begins with; empty: the first one
  std::uint64_t beside = 0;      // SideModel::id: it changes places with the current model; 0: none
};

// Vertices whose attributes were bound again in place.
struct BoundVertices {
  std::size_t method = 0; // index into Workbench::bound
  std::shared_ptr<const std::vector<std::uint32_t>> vertices;
};

// What of a workbench has changed since whoever shows it last looked. The editor marks, the window
// uploads and clears: so no editing code calls the renderer.
struct MeshChanges {
  bool model = false;               // another model and rig: everything
  bool storage = false;             // another palette storage: every mesh
  bool bindings = false;            // the list of bound methods, or `methods` of it
  std::vector<std::size_t> methods; // bound again
  std::vector<BoundVertices> vertices;
  bool pose = false;  // palettes and differences
  bool field = false; // the colours of the heat map
};

// Another model in a view of its own beside those of the document's methods (side_models.h): to be
// looked at, not edited.
struct SideModel {
  std::uint64_t id = 0; // stays while its view does, whatever model is read into it
  ModelRequest request;
  MethodChoice choice; // the method of its view
  Workbench workbench; // bound by that method
  FileWatch watch;
  std::vector<std::uint32_t> joints; // jointNodes()
  Outline bounds;                    // outline over its clip
  vec3 framedAt{0.0f};               // middle of the joints, as Document::framing.center
  bool fitted = false;               // drawn as large as the document, not at the same scale
  vec3 offset{0.0f};                 // at the same scale: vector from the document to its place
  Settings applied;                  // what the workbench was last brought up to date with
  Wrap wrap = Wrap::loop;            // the wrap at that time
  std::string followedClip;          // the document's clip, by whose name its clip was chosen
  MeshChanges changes;               // what is to be uploaded
  bool stale = true;
};

// The views that keys and panels apply to. The order is: views of Settings::methods, then those of
// the side-by-side models.
struct Views {
  std::size_t active = 0; // may be past the last one: see activeView()
  bool alone = false;     // the active view fills the picture
  // Two views are one picture: the first to the left of this share of its width, the second to the
  // right. None: side by side.
  std::optional<float> divider = {};
};

enum class Tool {
  rotate, // rings about the selected joint
  move,   // arrows
  reach,  // arrows: the joint moves by rotations of the bones above it
  zone,   // the zone's rings
  paint,  // the brush
  sculpt, // the brushes of corrective shapes
};

// What the user is to see next, because it is about to be edited.
enum class Topic { look, bendRange, binding, layers };

// Key times of a clip and of one joint in it (findKeys()).
struct ClipKeys {
  std::optional<std::uint32_t> clip;
  std::optional<std::uint32_t> node;
  std::uint64_t revision = 0;
  std::uint64_t clipRevision = 0;
  std::vector<float> keys;   // key times of the clip
  float frame = kUsualFrame; // seconds from one frame of the clip to the next
  std::vector<float> joint;  // keys of the joint
};

// What a joint's trail depends on, and where it goes (getTrail()).
struct TrailSource {
  std::optional<std::uint32_t> clip;
  std::optional<std::uint32_t> node;
  std::uint64_t revision = 0;
  std::uint64_t clipRevision = 0;
  float begin = 0.0f, end = 0.0f;
  RootMotion root = RootMotion::keep;
  LayerStack layers;

  bool operator==(const TrailSource&) const = default;
};

struct Trail {
  std::optional<TrailSource> source;
  std::vector<vec3> points;
  std::vector<vec3> keys; // places of the joint at its keys
};

// What the workbench was last brought up to date with.
struct AppliedState {
  Settings settings;
  Edit edit;
};

// The state as the model was read.
struct OpenedState {
  Edit edit;
  VelocityMap velocity;
  std::shared_ptr<const ClipList> clips; // openedClips(); null until needed
};

// Counts of changes. What is derived from a part of the document is made again when the count of
// that part changes.
struct Revisions {
  std::uint64_t model = 1;   // counts models and drafts that were shown
  std::uint64_t weights = 1; // counts those, and changes of their weights
  std::uint64_t clips = 1;
};

// The place where the model was framed: the camera's target follows it from there (framing.h).
struct Framing {
  Outline bounds;                  // the model's own outline
  vec3 center{0.0f};               // middle of the joints
  vec3 poseOffset{0.0f};           // carriedAway() when the edited pose began: the camera stays
  std::optional<vec3> ragdollAway; // carriedAway() while a ragdoll is shown
};

// A model that was made here (Edit::model), and its file.
struct SavedModel {
  std::shared_ptr<const Model> model; // null: none
  std::string path;                   // its .glb; empty: only files about it were saved
  Edit beside;                        // the state that the files beside the .glb hold
};

// What the user is to be told.
struct Notices {
  std::vector<std::string> messages; // the oldest first; the window takes them
  std::optional<Topic> topic;
  std::filesystem::path savedFile; // the last file written
};

struct Document {
  Settings settings;
  Workbench workbench;
  AppliedState applied;
  Revisions revisions;
  ModelRequest loaded;
  std::vector<std::uint32_t> joints; // jointNodes()

  std::optional<std::uint32_t> selected; // node of a joint
  bool heatMap = false;                  // weights of the selected joint as colours
  bool trails = false;                   // the selected joint's trail, over the clip
  Trail trail;
  std::vector<std::uint8_t> hidden; // joints whose bones are not drawn: 1, by node; may be empty
  Tool tool = Tool::rotate;
  RotationAxes axes = RotationAxes::joint;
  std::size_t layer = 0; // index of the selected layer
  Views views;
  std::vector<SideModel> sideModels;
  bool oneScale = true; // side-by-side models of about the document's size are drawn at its scale

  // Time.
  PlayClock clock;
  std::optional<Crowd> crowd; // the stress scene
  float crowdSeconds = 0.0f;
  bool stale = true; // pose and palettes are out of date
  ClipKeys keys;
  bool autoKey = false; // an edit of the pose is a key of the clip

  Orbit orbit;
  Framing framing;
  bool follow = true; // the camera follows when a clip carries the model away

  History<Edit> history;
  Edit saved;      // the state that the files have
  SavedModel made; // the last model made here that was saved
  OpenedState opened;
  bool wasBound = false;      // some step of the history has a model or draft of its own
  std::uint64_t discards = 0; // counts discardOpenEdit(): a drag under way ends

  MeshChanges changes;
  Notices notices;
};

// False until the first model has been read.
bool hasModel(const Document& document);

void notify(Document& document, std::string text);
// Notifies "saved PATH" and what follows it, and remembers the file.
void notifySaved(Document& document, const std::filesystem::path& path,
                 const std::string& after = {});

void selectJoint(Document& document, std::optional<std::uint32_t> node);
// Hides or shows the joint's bones, for drawing and picking. below: also those of joints below it.
void hideJoint(Document& document, std::uint32_t node, bool hidden, bool below);
bool isHidden(const Document& document, std::uint32_t node);
const std::string& nodeName(const Document& document, std::uint32_t node);

bool holdsPose(const Document& document); // an edited pose is shown; playback pauses

// The skeleton being edited.
const std::shared_ptr<const Draft>& getDraft(const Document& document);
bool drafting(const Document& document);
bool bindable(const Document& document); // there is a mesh, and no crowd

// Makes the changes in history.live() a step of the history. With automatic keys, an edited pose
// becomes keys of the clip.
void commitEdit(Document& document, std::string what);

// Discards changes that are no step yet: those of a drag, a stroke or a slider. False if there was
// nothing.
bool discardOpenEdit(Document& document);

// If there is an open edit, both discard that instead.
void undoEdit(Document& document);
void redoEdit(Document& document);

void releasePose(Document& document); // shows the clip again

// Puts a workbench in the place of the current one.
void replaceWorkbench(Document& document, Workbench fresh);

// The layers that a model can have. Those left out are named in a message, with the reason.
LayerStack layersFor(Document& document, const Model& model, const LayerStack& layerStack);

// The folder of files that are written without asking for a name. model: a path or demo:NAME. It is
// the model's folder; for built-in models, and where that folder cannot be written, the working
// folder.
std::filesystem::path outputFolder(const std::string& model);

// The path stem-001.png, with the first free number.
std::filesystem::path freeName(const std::filesystem::path& folder, const std::string& stem,
                               const char* extension = ".png");

// The stem of file names about the model: sinew-NAME, valid in every file system.
std::string makeStem(const Model& model);

} // namespace sinew
