#include "c/handles.h"
#include "core/error.h"
#include "core/file.h"
#include "export/glb.h"
#include "import/isolated_import.h"
#include "model/check_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <set>
#include <span>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace sinew {
namespace {

namespace fs = std::filesystem;

constexpr double kDefaultSeconds = 60.0;
constexpr double kDefaultMegabytes = 8192.0;

// A limit of reading; 0: the default.
double chooseLimit(double given, const char* name, double usual) {
  if (!(given >= 0.0)) throw usageError(fmt::format("{}: {} is not above 0", name, given));
  return given > 0.0 ? given : usual;
}

Model readFrom(const fs::path& path, const sinew_read_options& options, FetchFile fetch = {}) {
  ImportOptions import;
  import.fetch = std::move(fetch);
  import.progress = toProgress(options.progress, options.user);
  import.decodeTextures = options.textures != 0;
  if (options.in_process != 0) return importModel(path, import);
  IsolationLimits limits;
  limits.seconds = chooseLimit(options.seconds, "seconds", kDefaultSeconds);
  limits.megabytes = chooseLimit(options.megabytes, "megabytes", kDefaultMegabytes);
  return importIsolated(path, import, limits);
}

// A folder of this process alone, gone with this.
class FolderOfFiles {
 public:
  FolderOfFiles() {
    std::string name = (fs::temp_directory_path() / "sinew-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw usageError(fmt::format("{}: a temporary folder cannot be made", name));
    path_ = name;
  }
  ~FolderOfFiles() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  FolderOfFiles(const FolderOfFiles&) = delete;
  FolderOfFiles& operator=(const FolderOfFiles&) = delete;

  // name: relative to this folder of it, and not out of that.
  fs::path write(const sinew_file& file, const fs::path& below = {}) const {
    requirePointer(file.name, "files[].name");
    if (file.size > 0) requirePointer(file.data, "files[].data");
    const fs::path name = fs::path(file.name).lexically_normal();
    if (name.empty() || name.is_absolute() || *name.begin() == ".." || !name.has_filename())
      throw usageError(
          fmt::format("files[].name: '{}' is no name of a file in a folder", file.name));
    fs::path path = path_ / below / name;
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (error)
      throw usageError(fmt::format("files[].name: '{}' lies below another file", file.name));
    writeFile(path, {static_cast<const char*>(file.data), file.size});
    return path;
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// Messages and Model::path name the caller's file, not where it has lain for a moment.
std::string withoutFolder(std::string text, const fs::path& folder) {
  const std::string prefix = folder.string() + "/";
  for (std::size_t at = 0; (at = text.find(prefix, at)) != std::string::npos;)
    text.erase(at, prefix.size());
  return text;
}

// Asks the caller for the files that a model names, and puts them beside it.
class FileAsker {
 public:
  // below: the model's own folder in the other.
  FileAsker(const FolderOfFiles& folder, fs::path below, const sinew_read_options& options)
      : folder_(folder), below_(std::move(below)), options_(options),
        bytesLeft_(1e6 * (options.megabytes > 0.0 ? options.megabytes : kDefaultMegabytes)) {}

  // Throws nothing through the reader, which may take it for a fault of the file.
  void ask(const std::string& name) {
    if (failure_ || !asked_.insert(name).second) return;
    try {
      put(name);
    } catch (...) {
      failure_ = std::current_exception();
    }
  }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void put(const std::string& name) {
    constexpr std::size_t kMaxFiles = 1000;
    if (asked_.size() > kMaxFiles)
      throw Error(ErrorCause::limit,
                  fmt::format("open: the model names more than {} files", kMaxFiles));
    sinew_file file{name.c_str(), nullptr, 0};
    if (options_.open(options_.user, name.c_str(), &file) == 0) return;
    bytesLeft_ -= static_cast<double>(file.size);
    if (bytesLeft_ < 0.0)
      throw Error(ErrorCause::limit,
                  fmt::format("open: '{}' has {} bytes, more than the limit of memory leaves", name,
                              file.size));
    file.name = name.c_str();
    folder_.write(file, below_);
  }

  const FolderOfFiles& folder_;
  fs::path below_;
  const sinew_read_options& options_;
  double bytesLeft_;
  std::set<std::string> asked_;
  std::exception_ptr failure_;
};

Model readFromFiles(std::span<const sinew_file> files, const sinew_read_options& options) {
  const FolderOfFiles folder;
  const fs::path first = folder.write(files.front());
  for (const sinew_file& file : files.subspan(1))
    folder.write(file);
  FileAsker asker(folder, first.parent_path().lexically_relative(folder.path()), options);
  FetchFile fetch;
  if (options.open != nullptr) fetch = [&](const std::string& name) { asker.ask(name); };
  try {
    Model model = readFrom(first, options, fetch);
    asker.rethrow();
    model.path = files.front().name;
    for (auto* lines : {&model.repairs, &model.warnings})
      for (std::string& line : *lines)
        line = withoutFolder(std::move(line), folder.path());
    return model;
  } catch (const Error& error) {
    asker.rethrow();
    throw Error(error.cause(), withoutFolder(error.what(), folder.path()));
  }
}

void lendInfluences(const Rig& rig, sinew_model& out) {
  out.influences = maxInfluences(rig.influences);
  const std::size_t count = rig.positions.size() * out.influences;
  out.influenceJoints.assign(count, 0);
  out.influenceWeights.assign(count, 0.0f);
  for (std::size_t v = 0; v < rig.positions.size(); ++v) {
    std::size_t at = v * out.influences;
    for (const Influence& influence : rig.influences.of(v)) {
      out.influenceJoints[at] = influence.joint;
      out.influenceWeights[at++] = influence.weight;
    }
  }
}

struct NameList {
  std::uint32_t count = 0;
  const std::string* (*name)(const sinew_model& model, std::uint32_t index) = nullptr;
};

NameList listNames(const sinew_model& model, sinew_kind kind) {
  const auto size = [](const auto& list) { return static_cast<std::uint32_t>(list.size()); };
  using M = const sinew_model&;
  using I = std::uint32_t;
  switch (kind) {
  case SINEW_JOINT:
    return {size(model.nodeOfJoint),
            [](M m, I i) { return &m.model.hierarchy.nodes[m.nodeOfJoint[i]].name; }};
  case SINEW_NODE:
    return {size(model.model.hierarchy.nodes),
            [](M m, I i) { return &m.model.hierarchy.nodes[i].name; }};
  case SINEW_CLIP:
    return {size(model.model.clips), [](M m, I i) { return &m.model.clips[i].name; }};
  case SINEW_MORPH:
    return {size(model.model.morphTargets), [](M m, I i) { return &m.model.morphTargets[i].name; }};
  case SINEW_MESH:
    return {size(model.model.meshes), [](M m, I i) { return &m.model.meshes[i].name; }};
  case SINEW_NOTE:
    return {size(model.notes), [](M m, I i) { return &m.notes[i]; }};
  }
  throw usageError(fmt::format("kind: there is no sinew_kind {}", static_cast<int>(kind)));
}

constexpr std::string_view kKindWords[] = {"joint", "node", "clip", "morph target", "mesh", "note"};

std::uint32_t findName(const sinew_model& model, sinew_kind kind, const char* name) {
  const NameList list = listNames(model, kind);
  if (kind == SINEW_CLIP) return findClip(model.model, name);
  std::vector<std::string> known;
  for (std::uint32_t i = 0; i < list.count; ++i) {
    if (*list.name(model, i) == name) return i;
    known.push_back(*list.name(model, i));
  }
  throw makeUnknownName(kKindWords[kind], name, known);
}

// A rig has tangents for its normal maps. Those of arrays are there without one: the map is the
// caller's.
void lendTangents(const Model& model, Rig& rig) {
  const auto has = [](const Mesh& mesh) { return !mesh.tangents.empty(); };
  if (!rig.tangents.empty() || !std::ranges::any_of(model.meshes, has)) return;
  rig.tangents.assign(rig.positions.size(), vec4(0.0f, 0.0f, 0.0f, 1.0f));
  for (std::size_t m = 0; m < model.meshes.size(); ++m)
    std::ranges::copy(model.meshes[m].tangents, rig.tangents.begin() + rig.meshes[m].firstVertex);
}

} // namespace

std::unique_ptr<sinew_model> makeModelHandle(Model model) {
  auto out = std::make_unique<sinew_model>();
  out->model = std::move(model);
  auto rig = std::make_shared<Rig>(buildRig(out->model));
  lendTangents(out->model, *rig);
  out->rig = std::move(rig);
  for (const RigJoint& joint : out->rig->joints) {
    out->nodeOfJoint.push_back(joint.node);
    out->parents.push_back(joint.ancestor);
    out->inverseBind.push_back(joint.jointFromBind);
    out->jointNames.push_back(out->model.hierarchy.nodes[joint.node].name.c_str());
  }
  for (const Node& node : out->model.hierarchy.nodes)
    out->parentOfNode.push_back(node.parent);
  lendInfluences(*out->rig, *out);
  out->notes = out->model.repairs;
  out->notes.insert(out->notes.end(), out->model.warnings.begin(), out->model.warnings.end());
  return out;
}

} // namespace sinew

extern "C" {

sinew_model* sinew_read(const char* path, const sinew_read_options* options) {
  return sinew::guardedHandle([&] {
    sinew::requirePointer(path, "path");
    if (options != nullptr && options->open != nullptr)
      throw sinew::usageError("options.open: files beside a path are read from its folder",
                              "use sinew_read_files()");
    return sinew::makeModelHandle(
        sinew::readFrom(path, options != nullptr ? *options : sinew_read_options{}));
  });
}

sinew_model* sinew_read_files(const sinew_file* files, size_t count,
                              const sinew_read_options* options) {
  return sinew::guardedHandle([&] {
    sinew::requirePointer(files, "files");
    if (count == 0) throw sinew::usageError("count: 0 files");
    return sinew::makeModelHandle(
        sinew::readFromFiles({files, count}, options != nullptr ? *options : sinew_read_options{}));
  });
}

sinew_code sinew_arrays_of(const sinew_model* model, sinew_arrays* out) {
  return sinew::guarded([&] {
    sinew::requirePointer(model, "model");
    sinew::requirePointer(out, "out");
    const sinew::Rig& rig = *model->rig;
    *out = {};
    out->vertices = static_cast<uint32_t>(rig.positions.size());
    out->triangles = static_cast<uint32_t>(rig.triangles.size());
    out->joints = static_cast<uint32_t>(rig.joints.size());
    out->influences = model->influences;
    out->positions = reinterpret_cast<const float*>(rig.positions.data());
    out->position_stride = sizeof(sinew::vec3);
    out->normals = reinterpret_cast<const float*>(rig.normals.data());
    out->normal_stride = sizeof(sinew::vec3);
    if (!rig.tangents.empty()) {
      out->tangents = reinterpret_cast<const float*>(rig.tangents.data());
      out->tangent_stride = sizeof(sinew::vec4);
    }
    out->texcoords = reinterpret_cast<const float*>(rig.texcoords.data());
    out->texcoord_stride = sizeof(sinew::vec2);
    out->indices = reinterpret_cast<const uint32_t*>(rig.triangles.data());
    out->influence_joints = model->influenceJoints.data();
    out->influence_weights = model->influenceWeights.data();
    out->parents = model->parents.data();
    out->inverse_bind = reinterpret_cast<const float*>(model->inverseBind.data());
    out->joint_names = model->jointNames.data();
  });
}

void sinew_model_free(sinew_model* model) {
  delete model;
}

sinew_code sinew_count(const sinew_model* model, sinew_counts* out) {
  return sinew::guarded([&] {
    sinew::requirePointer(model, "model");
    sinew::requirePointer(out, "out");
    const auto size = [](const auto& list) { return static_cast<uint32_t>(list.size()); };
    *out = {size(model->rig->positions), size(model->rig->triangles),
            size(model->rig->joints),    size(model->model.hierarchy.nodes),
            size(model->model.clips),    size(model->model.morphTargets),
            size(model->model.meshes),   size(model->notes)};
  });
}

const char* sinew_name(const sinew_model* model, sinew_kind kind, uint32_t index) {
  const char* name = nullptr;
  sinew::guarded([&] {
    sinew::requirePointer(model, "model");
    const sinew::NameList list = sinew::listNames(*model, kind);
    if (index >= list.count)
      throw sinew::usageError(fmt::format("index: {} of {}", index, list.count));
    name = list.name(*model, index)->c_str();
  });
  return name;
}

uint32_t sinew_find(const sinew_model* model, sinew_kind kind, const char* name) {
  uint32_t found = SINEW_NONE;
  sinew::guarded([&] {
    sinew::requirePointer(model, "model");
    sinew::requirePointer(name, "name");
    found = sinew::findName(*model, kind, name);
  });
  return found;
}

float sinew_clip_seconds(const sinew_model* model, uint32_t clip) {
  if (model == nullptr || clip >= model->model.clips.size()) return 0.0f;
  return model->model.clips[clip].seconds;
}

sinew_code sinew_graph(const sinew_model* model, const uint32_t** nodeOfJoint,
                       const uint32_t** parentOfNode) {
  return sinew::guarded([&] {
    sinew::requirePointer(model, "model");
    if (nodeOfJoint != nullptr) *nodeOfJoint = model->nodeOfJoint.data();
    if (parentOfNode != nullptr) *parentOfNode = model->parentOfNode.data();
  });
}

sinew_blob* sinew_save(const sinew_model* model, const char* format) {
  return sinew::guardedHandle([&] {
    sinew::requirePointer(model, "model");
    sinew::requirePointer(format, "format");
    if (std::string_view(format) != "glb")
      throw sinew::usageError(fmt::format("format: unknown '{}'", format), "\"glb\"");
    return sinew::makeBlob(sinew::toGlb(sinew::inMetres(model->model)));
  });
}

} // extern "C"
