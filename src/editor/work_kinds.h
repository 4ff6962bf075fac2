// The kinds of work that are written to a file, one row of a table each. Opening, saving, Save As,
// the question about unsaved work, recovery, and reading the model's file again go by it.
#pragma once

#include "editor/document/document.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace sinew {

struct Session;
struct Sidecar;

enum class SaveKind {
  model,
  splines,
  weights,
  bendRanges,
  layers,
  drivers,
  pose,
  motionMap,
  ragdoll,
  velocity,
  report,
  page,
  baked
};

struct Writing {
  // Writes into a recovery file, which holds several kinds: no drivers are baked into its model,
  // and its pose is the edited one, not the driven one.
  bool recovery = false;
  std::string note = {}; // what there is to say after "saved PATH"
};

struct WorkFile {
  std::string text;
  std::string path; // path for messages
  std::string step; // name of the undo step
};

struct WorkKind {
  SaveKind kind;
  const char* name; // in {"sinew": NAME}, in recovery files and in messages about them
  const char* title;
  const char* help = "read with the model where it lies beside it";
  const char* extension = ".json";
  const char* suffix = "";          // follows the model's name in the default file name
  const Sidecar* sidecar = nullptr; // the usual file beside the model, instead of `suffix`
  bool inModel = false;             // a .glb holds it too
  // Whether a .glb of a model that was made here needs this kind's file beside it. Null: never.
  bool (*beside)(const Session& session) = nullptr;
  std::optional<Topic> topic = {}; // the tab that the window shows after the file is opened

  // These functions return null if there is nothing to say; those that are null say nothing.
  const char* (*unsaved)(const Session& session) = nullptr;    // "the layers"
  const char* (*missing)(const Session& session) = nullptr;    // why Save As does not offer it
  const char* (*unwritable)(const Session& session) = nullptr; // why it cannot be written

  std::string (*write)(const Session& session, Writing& how) = nullptr;
  void (*markSaved)(Session& session, const std::string& path) = nullptr;
  // Replaces these two.
  void (*save)(Session& session, const std::filesystem::path& path) = nullptr;
  // Puts the file's work into history.live(), or changes nothing and throws Error.
  void (*read)(Session& session, const WorkFile& file) = nullptr;
  // Whether this kind's work in an edit is for that model.
  bool (*fits)(const Edit& edit, const Model& model, const Rig& rig) = nullptr;
};

// All kinds in the order of SaveKind. A kind can be read when those before it have been read.
std::span<const WorkKind> workKinds();
const WorkKind& workKind(SaveKind kind);

// Why this kind cannot be written now, or null.
const char* unwritable(const Session& session, const WorkKind& kind);

// The file that the shown model is in: the opened one, or the .glb of a model that was made here.
// Empty: no file has its joints and vertices yet.
std::string modelFile(const Document& document);

// Whether all of an edit is for the workbench's model.
bool fitsEdit(const Workbench& workbench, const Edit& edit);

} // namespace sinew
