// What reading a file may cost, by the length of the file. A small file can ask for any amount of
// memory and time: by naming one thing many times, by counts without bytes, by compression. Readers
// take from the budget where they make more than the file's bytes say; what stands in the file once
// costs nothing here, so that no ordinary file is refused.
//
// A file of n bytes has 64 MB and 40 bytes for each of the n. The textures have a budget of their
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

  // name: of the file, for messages; bytes: its length.
  ImportBudget(std::string name, std::uint64_t bytes) : name_(std::move(name)), bytes_(bytes) {}

  // A further file that belongs to it was read.
  void grow(std::uint64_t bytes) { bytes_ += bytes; }

  // So many things that take so many bytes each. Throws Error with ErrorCause::limit beyond the
  // budget: "a.gltf: needs 310 MB for 4000000 repeated vertices, ...".
  void take(std::uint64_t count, std::uint64_t bytesEach, std::string_view what);

  // Throws likewise where there are more than so many: "a.gltf: has 5 nodes, the limit is 4".
  void checkCount(std::uint64_t count, std::uint64_t limit, std::string_view what) const;

  std::uint64_t limit() const { return kFreeBytes + kBytesPerByte * bytes_; }
  std::uint64_t left() const { return limit() - taken_; }

 private:
  std::string name_;
  std::uint64_t bytes_ = 0;
  std::uint64_t taken_ = 0;
};

struct ReadingLimits {
  std::uint64_t memoryBytes = 0; // the budget, and what decoding textures takes
  double processorShare = 0.0;   // of the time limit, in processor time; may be above 1
};

// What a process may take to read the model, by the length of all files that it may open. Of a time
// limit of 60 s it may have the processor for 2 s and 0.1 s for each kilobyte, from 89 kB on 10 s
// and 10 s for each megabyte; of another one in proportion. Textures beside a single file count as
// far as they make it no small one.
ReadingLimits limitsToRead(const std::filesystem::path& path, const ImportOptions& options);

// Throws Error with ErrorCause::limit where the model has more nodes, meshes or keys than the
// options allow.
void checkModelLimits(const Model& model, const ImportOptions& options);

} // namespace sinew
