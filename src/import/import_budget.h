// What reading a file may cost, by the length of the file. A small file can ask for any amount of
// memory and time: by naming one thing many times, by counts without bytes, by compression. Readers
// take from the budget where they make more than the file's bytes say; what stands in the file once
// costs nothing here, so that no ordinary file is refused.
//
// A file of n bytes has 64 MB and 40 bytes for each of the n, and 1 GB more if it draws instances
// (EXT_mesh_gpu_instancing). The textures have a budget of their
// own (ImportOptions::maxImageBytes).
#pragma once

#include "import/source_kind.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace sinew {

struct ImportOptions;
struct Model;

class ImportBudget {
 public:
  static constexpr std::uint64_t kFreeBytes = std::uint64_t{64} << 20;
  static constexpr std::uint64_t kBytesPerByte = 40;
  static constexpr std::uint64_t kInstancedBytes = std::uint64_t{1} << 30;

  // name: the file's, for messages; bytes: the file's length.
  ImportBudget(std::string name, std::uint64_t bytes) : name_(std::move(name)), bytes_(bytes) {}

  // A further file that belongs to it was read.
  void grow(std::uint64_t bytes) { bytes_ += bytes; }

  // The file asks for the same mesh in many places, which is what such files are for.
  void allowInstances() { instances_ = kInstancedBytes; }

  // So many things that take so many bytes each. Throws Error with ErrorCause::limit beyond the
  // budget: "a.gltf: needs 310 MB for 4000000 repeated vertices, ...".
  void take(std::uint64_t count, std::uint64_t bytesEach, std::string_view what);

  // Throws likewise where there are more than so many: "a.gltf: has 5 nodes, the limit is 4".
  void checkCount(std::uint64_t count, std::uint64_t limit, std::string_view what) const;

  std::uint64_t limit() const { return kFreeBytes + instances_ + kBytesPerByte * bytes_; }
  std::uint64_t left() const { return limit() - taken_; }

 private:
  std::string name_;
  std::uint64_t bytes_ = 0;
  std::uint64_t instances_ = 0;
  std::uint64_t taken_ = 0;
};

struct ReadingLimits {
  std::uint64_t memoryBytes = 0; // the budget, and what decoding textures takes
  double processorShare = 0.0;   // processor time over the time limit; may be above 1
};

// What a process may take to read the model, by the length of the files that it consists of: its
// own, and those in its folder that its format may name, if they have its name or stand in it. With
// a time limit of 60 s, it may have the processor for 2 s and 0.1 s for each kilobyte; from 89 kB
// on, for 10 s and 10 s for each megabyte. Other time limits have the same shares. Textures beside
// a single file count as far as they make it no small one.
ReadingLimits limitsToRead(const std::filesystem::path& path, const ImportOptions& options);

// Throws Error with ErrorCause::limit where the model has more nodes, meshes or keys than the
// options allow.
void checkModelLimits(const Model& model, const ImportOptions& options);

} // namespace sinew
