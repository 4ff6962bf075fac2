// A glTF 2.0 file (Khronos, "glTF 2.0 specification", 2021) as JSON and bytes: .gltf with its
// buffers, .glb or .vrm with its chunks.
//
// Read here rather than by tinygltf: Debian's build of it refuses buffers
// without URI (EXT_meshopt_compression) and indices without buffer view
// (KHR_draco_mesh_compression), and recurses as deep as a file nests.
#pragma once

#include "import/gltf/json_values.h"
#include "import/import_budget.h"
#include "import/import_model.h"
#include "import/model_folder.h"
#include "import/source_kind.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

class GltfDocument {
 public:
  // Throws GltfError where the file is not one that can be read: not JSON, glTF 1.0, a required
  // extension that is unknown. options must outlive it.
  GltfDocument(const SourceFile& file, const ImportOptions& options);
  // Reads a .glb in memory. Other files that it names are looked for beside `path`.
  GltfDocument(const std::filesystem::path& path, std::string bytes, const ImportOptions& options);
  GltfDocument(const GltfDocument&) = delete;
  GltfDocument& operator=(const GltfDocument&) = delete;

  const GltfJson& root() const { return root_; }
  std::size_t count(const char* array) const { return arrayIn(root_, array).size(); }
  // Throws GltfError where there is no such element: "meshes[7] does not exist (there are 3)".
  const GltfJson& item(const char* array, std::size_t index) const;

  // The bytes of a buffer view, decompressed. They stay where they are.
  std::string_view view(std::size_t index);
  // The bytes of a file that the document names, which lies in its folder or below.
  std::string readNamedFile(const std::string& uri) const;
  // A part of a buffer, as buffer views and extensions name it: buffer, byteOffset, byteLength.
  std::string_view part(const GltfJson& place);

  const ImportOptions& options() const { return options_; }
  ImportBudget& budget() { return budget_; }
  const ImportBudget& budget() const { return budget_; }
  // Whether the accessor is used for the first time: what is read again costs more than the file.
  bool isFirstUse(std::size_t accessor) { return used_.insert(accessor).second; }

  // Optional extensions of the file that the reader does not support.
  const std::vector<std::string>& ignoredExtensions() const { return ignored_; }

 private:
  void readChunks(std::string_view& json);
  void checkVersion() const;
  void checkExtensions();
  std::string_view buffer(std::size_t index);

  const ImportOptions& options_;
  ImportBudget budget_;
  std::set<std::size_t> used_; // accessors
  ModelFolder folder_;
  std::string bytes_; // the whole file
  GltfJson root_;
  std::string_view chunk_; // the binary chunk of a .glb
  bool hasChunk_ = false;
  std::map<std::size_t, std::string> buffers_; // files and data URIs
  std::map<std::size_t, std::string> decompressed_;
  std::vector<std::string> ignored_;
};

// The bytes of "data:application/octet-stream;base64,AAAA" (RFC 2397); nothing for another URI.
// Throws GltfError for base64 that is none.
std::optional<std::string> bytesOfDataUri(std::string_view uri);

} // namespace sinew
