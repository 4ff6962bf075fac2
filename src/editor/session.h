// An editing session: one document, what is about to be read into it, and the state of each kind of
// editing. Opens, reloads and replaces models. Uses no window and no OpenGL.
#pragma once

#include "editor/baking.h"
#include "editor/bind/binding.h"
#include "editor/bind/laid_splines.h"
#include "editor/checking.h"
#include "editor/crowd_costs.h"
#include "editor/document/document.h"
#include "editor/figure_list.h"
#include "editor/guide.h"
#include "editor/importer.h"
#include "editor/paint/sculpt.h"
#include "editor/pose/editing.h"
#include "editor/ragdoll/ragdoll_play.h"
#include "editor/recovery.h"
#include "editor/rig_edits.h"
#include "editor/side_imports.h"
#include "editor/tasks/file_watch.h"
#include "editor/tasks/task.h"
#include "editor/unsaved.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

inline constexpr const char* kFirstModel = "demo:humanoid";

struct SessionOptions {
  std::size_t stressVertices = 0;       // the stress scene of at least so many vertices; 0: none
  std::string pose;                     // a pose that the first model is held in; empty: none
  bool unattended = false;              // nobody answers questions; a failed import ends the run
  std::vector<std::string> morphs = {}; // NAME=WEIGHT, held in the first model (holdMorphs())
  std::string program = ownProgram();   // the program whose commands make reports and figures
  bool ownMethod = true;                // the first model is shown by the method its file states
};

// A model that has been read and is not shown yet: whoever draws may reject it (acceptImport(),
// rejectImport()).
struct PendingImport {
  Imported imported;
  ModelRequest request;
};

struct ImportState {
  std::optional<ModelRequest> importing;
  Settings settings; // settings to bind the model being read with
  std::unique_ptr<Importer> importer;
  std::optional<PendingImport> pending;
  std::optional<ImportFailure> failure; // shown until closed
  ModelRequest failed;
  FileWatch watch; // watches the current model
};

// What runs in the background without a panel of its own.
struct SessionTasks {
  std::unique_ptr<Task<std::string>> report;        // returns the file of a report
  std::unique_ptr<Task<std::string>> opener;        // shows a folder (save_as.h)
  std::unique_ptr<Task<LightPicture>> light;        // reads a light (model_files.h)
  std::unique_ptr<Task<std::vector<Clip>>> motions; // reads motions (motions.h)
  std::uint64_t motionsFor = 0;                     // Revisions::model of their model
  bool motionsPlay = false;                         // plays the first of them after reading
};

struct Session {
  SessionOptions options;
  Document document;
  PoseEditing posing;
  PaintState paint;
  SculptState sculpt;
  BindState bind;
  SplineState splines;
  BakeState bake;
  RigEditState rigEdits;
  CheckState check;
  RagdollPlay play;
  ImportState imports;
  SideModelImports sideImports;
  std::vector<std::string> recent; // files, newest first
  std::vector<std::string> files;  // models that were opened together (model_files.h)
  Guide guide;
  SessionTasks tasks;
  FigureList figures;
  CrowdCosts crowdCosts;
  DiscardQuestion discard;
  std::optional<Settings> beforeCrowd; // kept while toggleCrowd() shows a crowd
  std::vector<Recovery> recoveries;    // the user is asked about each, one after the other
  bool quit = false;
};

// wake: called on the threads when there is something to poll; may be empty.
Session makeSession(const Settings& settings, SessionOptions options,
                    const std::function<void()>& wake = {});

// Starts the import; the current model stays until it has succeeded.
void openModel(Session& session, ModelRequest request);
void reloadModel(Session& session);

// Puts the motion of a file on the current model: on the file, read again, or as a clip where the
// model has unsaved work that this would discard.
void openMotion(Session& session, const std::string& file);
// Uses a map of its joints. Keeps camera, clip and time if the motion is on the model already.
void putMotion(Session& session, const std::string& file, const MotionMap& map);

// A dropped or chosen file: a model, a skeleton (.tgf), or edits saved as JSON. A file of motion
// alone is put on the current model. Asks before unsaved work is discarded.
void openFile(Session& session, const std::string& file);

void cancelImport(Session& session);

// Looks at imports and watched files: true if something has happened. A model that has been read
// waits in imports.pending.
bool pollImport(Session& session, double now);

// Shows the pending model in the place of the current one; or drops it and shows why.
void acceptImport(Session& session);
void rejectImport(Session& session, const Error& error);

// Shows a crowd of the document's character with at least so many vertices, by the active view's
// method; or ends the crowd shown. Reads the file again; asks before unsaved work is discarded.
void toggleCrowd(Session& session, std::size_t vertices);
inline constexpr std::size_t kCrowdCharacters = 200; // number of characters in the window's crowd

// Escape: discards an open edit, else closes the failure on screen, else stops the import or the
// work under way, else clears the selection. Returns whether there was any of these.
bool dismiss(Session& session);

} // namespace sinew
