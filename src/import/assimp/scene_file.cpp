#include "core/error.h"
#include "core/text.h"
#include "import/assimp/steps.h"
#include "import/import_budget.h"
#include "import/model_folder.h"

#include <assimp/DefaultIOSystem.h>
#include <assimp/ProgressHandler.hpp>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <fmt/format.h>

#include <algorithm>

namespace sinew {
namespace {

// The files that Assimp opens by itself (buffers, material libraries, animations, skins...): the
// model, and what ModelFolder finds. Nothing is ever written.
class FolderIo : public Assimp::DefaultIOSystem {
 public:
  FolderIo(const std::filesystem::path& model, const ImportOptions& options)
      : model_(model), folder_(model, options.maxFileBytes, options.fetch) {}

  // The model's path for Assimp: absolute and without links in its folder, so that the location of
  // every path that Assimp derives from it is known.
  std::filesystem::path assimpPath() const { return folder_.absolute() / model_.filename(); }

  // What was not opened because ModelFolder refuses it, named as in the model file.
  const std::set<std::string>& refused() const { return refused_; }

  bool Exists(const char* path) const override {
    return find(path).kind == ModelFolder::Kind::file;
  }
  Assimp::IOStream* Open(const char* path, const char* mode) override {
    if (mode == nullptr || mode[0] != 'r' || std::string_view(mode).find('+') != std::string::npos)
      return nullptr;
    const ModelFolder::Entry entry = find(path);
    if (entry.kind == ModelFolder::Kind::refused) refused_.insert(folder_.toInsideName(path));
    if (entry.kind != ModelFolder::Kind::file) return nullptr;
    return DefaultIOSystem::Open(folder_.toPath(entry.inside).c_str(), mode);
  }
  bool CreateDirectory(const std::string& /*path*/) override { return false; }
  bool ChangeDirectory(const std::string& /*path*/) override { return false; }
  bool DeleteFile(const std::string& /*file*/) override { return false; }

 private:
  // The model itself was named by the user: wherever its link leads, whatever it is called.
  ModelFolder::Entry find(const std::filesystem::path& path) const {
    if (path == assimpPath()) return {ModelFolder::Kind::file, model_.filename()};
    return folder_.findOrFetch(path);
  }

  std::filesystem::path model_;
  ModelFolder folder_;
  std::set<std::string> refused_;
};

// Assimp ignores what Update() returns, so cancelling leaves through an exception. Importers catch
// whatever is thrown inside them, therefore the flag.
class Listener : public Assimp::ProgressHandler {
 public:
  Listener(const ImportProgress& callback, bool& cancelled)
      : callback_(callback), cancelled_(cancelled) {}

  bool Update(float fraction) override { return report(0.8f * fraction, "reading"); }
  void UpdateFileRead(int step, int steps) override {
    report(0.6f * fraction(step, steps), "reading");
  }
  void UpdatePostProcess(int step, int steps) override {
    report(0.6f + 0.2f * fraction(step, steps), "preparing meshes");
  }

 private:
  static float fraction(int step, int steps) {
    return steps > 0 ? static_cast<float>(step) / static_cast<float>(steps) : 1.0f;
  }
  bool report(float fraction, std::string_view what) {
    if (callback_ && !callback_(std::clamp(fraction, 0.0f, 1.0f), what)) cancelled_ = true;
    if (cancelled_) throw Cancelled();
    return true;
  }

  const ImportProgress& callback_;
  bool& cancelled_;
};

constexpr std::size_t kLongestReason = 160;
constexpr unsigned kSteps = aiProcess_Triangulate | aiProcess_FlipUVs;

void configure(Assimp::Importer& importer) {
  // The stick figure Assimp makes for a skeleton would be drawn as a mesh; we draw bones.
  importer.SetPropertyBool(AI_CONFIG_IMPORT_NO_SKELETON_MESHES, true);
}

// Assimp cuts polygons into triangles in a time that grows with the square of their corners.
constexpr unsigned kMaxCorners = 16384;

unsigned largestFace(const aiScene& scene) {
  unsigned corners = 0;
  for (unsigned m = 0; m < scene.mNumMeshes; ++m)
    for (unsigned f = 0; f < scene.mMeshes[m]->mNumFaces; ++f)
      corners = std::max(corners, scene.mMeshes[m]->mFaces[f].mNumIndices);
  return corners;
}

// Assimp's reasons may quote half the file.
std::string readable(std::string text) {
  if (text.size() > kLongestReason) text = std::string(utf8Prefix(text, kLongestReason)) + "...";
  text = validUtf8(text);
  if (const auto end = text.find_last_not_of(" \t\r\n."); end != std::string::npos)
    text.erase(end + 1);
  return text.empty() ? "Assimp gives no reason" : text;
}

// Assimp has caught what a container or the allocator threw, and kept its text: the C++ libraries'
// for what is longer than memory.
bool isOfMemory(std::string_view reason) {
  return reason.find("bad_alloc") != reason.npos || reason.find("max_size()") != reason.npos ||
         reason.starts_with("vector") || reason.starts_with("basic_string::_M_");
}

Error unusable(const SceneFile& read, const std::string& reason) {
  const SourceFile& file = read.file;
  if (!read.refused.empty())
    return inputError(file.path.string(),
                      fmt::format("not a usable {} file: '{}', which it needs, {}", file.format,
                                  readable(*read.refused.begin()), ModelFolder::kRefusal));
  if (isOfMemory(reason))
    return {ErrorCause::limit, fmt::format("{}: needs more memory than there is; the file is "
                                           "damaged or far too large",
                                           file.path.string())};
  return inputError(file.path.string(),
                    fmt::format("not a usable {} file: {}", file.format, readable(reason)));
}

// A mesh is copied for each node that shows it.
void checkRepetitions(const SceneFile& read) {
  constexpr std::uint64_t kMeshBytes = 1024; // memory that one takes beside its vertices
  constexpr std::uint64_t kVertexBytes = 160;
  ImportBudget budget(read.file.path.string(), read.file.bytes);
  std::vector<bool> shown(read.scene->mNumMeshes, false);
  std::vector<const aiNode*> open{read.scene->mRootNode};
  while (!open.empty()) {
    const aiNode& node = *open.back();
    open.pop_back();
    for (unsigned i = 0; i < node.mNumMeshes; ++i) {
      const unsigned index = node.mMeshes[i];
      if (index >= shown.size()) continue;
      if (shown[index])
        budget.take(1, kMeshBytes + kVertexBytes * read.scene->mMeshes[index]->mNumVertices,
                    "repeated meshes");
      shown[index] = true;
    }
    for (unsigned i = 0; i < node.mNumChildren; ++i)
      if (node.mChildren[i] != nullptr) open.push_back(node.mChildren[i]);
  }
}

void checkLimits(const SceneFile& read, const ImportOptions& options) {
  std::uint64_t vertices = 0;
  for (unsigned i = 0; i < read.scene->mNumMeshes; ++i)
    vertices += read.scene->mMeshes[i]->mNumVertices;
  if (vertices > options.maxVertices)
    throw Error(ErrorCause::limit,
                fmt::format("{}: has {} vertices, the limit is {}", read.file.path.string(),
                            vertices, options.maxVertices));
  checkRepetitions(read);
}

} // namespace

SceneFile readScene(const SourceFile& file, const ImportOptions& options) {
  SceneFile read{file, std::make_unique<Assimp::Importer>(), nullptr, {}};
  configure(*read.importer);
  auto* io = new FolderIo(file.path, options);
  read.importer->SetIOHandler(io); // which owns it from here on
  bool cancelled = false;
  Listener progress(options.progress, cancelled);
  read.importer->SetProgressHandler(&progress); // lent: reset below in every case
  std::string reason;
  unsigned corners = 0;
  try {
    read.scene = read.importer->ReadFile(io->assimpPath().string(), 0);
    corners = read.scene != nullptr ? largestFace(*read.scene) : 0;
    if (corners > kMaxCorners)
      read.scene = nullptr;
    else if (read.scene != nullptr)
      read.scene = read.importer->ApplyPostProcessing(kSteps);
    if (read.scene == nullptr) reason = read.importer->GetErrorString();
  } catch (const std::exception& error) {
    read.scene = nullptr;
    reason = error.what();
  }
  read.importer->SetProgressHandler(nullptr);
  if (cancelled) throw Cancelled();
  if (corners > kMaxCorners)
    throw Error(ErrorCause::limit, fmt::format("{}: has a face of {} corners, the limit is {}",
                                               read.file.path.string(), corners, kMaxCorners));
  read.refused = io->refused();
  if (read.scene == nullptr || read.scene->mRootNode == nullptr) throw unusable(read, reason);
  checkLimits(read, options);
  return read;
}

} // namespace sinew
