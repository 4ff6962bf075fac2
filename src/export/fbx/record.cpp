#include "export/fbx/record.h"

#include "core/error.h"

#include <bit>
#include <cstring>
#include <limits>
#include <vector>
#include <zlib.h>

namespace sinew {
namespace {

static_assert(std::endian::native == std::endian::little, "values are copied as they are");

constexpr std::size_t kHeadBytes = 13; // end, count and length of values, length of the name
constexpr std::size_t kPackFrom = 128; // bytes of an array

template <class T>
void append(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

std::uint32_t count32(std::size_t bytes) {
  if (bytes > std::numeric_limits<std::uint32_t>::max())
    throw usageError("the FBX file would be larger than 4 GB",
                     "leave out clips, or write textures beside it");
  return static_cast<std::uint32_t>(bytes);
}

std::string packed(std::string_view bytes) {
  uLongf size = compressBound(bytes.size());
  std::string out(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(),
                Z_DEFAULT_COMPRESSION) != Z_OK)
    return {};
  out.resize(size);
  return out;
}

template <class T>
void appendArray(char type, std::span<const T> values, std::string& out) {
  const std::string_view bytes(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  const std::string small = bytes.size() >= kPackFrom ? packed(bytes) : std::string();
  const bool isPacked = !small.empty() && small.size() < bytes.size();
  const std::string_view stored = isPacked ? std::string_view(small) : bytes;
  out += type;
  append(out, count32(values.size()));
  append(out, std::uint32_t{isPacked ? 1u : 0u});
  append(out, count32(stored.size()));
  out += stored;
}

} // namespace

void FbxRecord::push(bool value) {
  ++valueCount_;
  values_ += 'C';
  values_ += value ? '\1' : '\0';
}
void FbxRecord::push(std::int32_t value) {
  ++valueCount_;
  values_ += 'I';
  append(values_, value);
}
void FbxRecord::push(std::int64_t value) {
  ++valueCount_;
  values_ += 'L';
  append(values_, value);
}
void FbxRecord::push(double value) {
  ++valueCount_;
  values_ += 'D';
  append(values_, value);
}
void FbxRecord::push(std::string_view text) {
  ++valueCount_;
  values_ += 'S';
  append(values_, count32(text.size()));
  values_ += text;
}
void FbxRecord::push(const FbxBytes& bytes) {
  ++valueCount_;
  values_ += 'R';
  append(values_, count32(bytes.bytes.size()));
  values_ += bytes.bytes;
}
void FbxRecord::push(std::span<const std::int32_t> values) {
  ++valueCount_;
  appendArray('i', values, values_);
}
void FbxRecord::push(std::span<const std::int64_t> values) {
  ++valueCount_;
  appendArray('l', values, values_);
}
void FbxRecord::push(std::span<const float> values) {
  ++valueCount_;
  appendArray('f', values, values_);
}
void FbxRecord::push(std::span<const double> values) {
  ++valueCount_;
  appendArray('d', values, values_);
}

void FbxRecord::write(std::string& file) const {
  const std::size_t start = file.size();
  append(file, std::uint32_t{0}); // the end, when it is known
  append(file, valueCount_);
  append(file, count32(values_.size()));
  file += static_cast<char>(name_.size());
  file += name_;
  file += values_;
  for (const FbxRecord& child : children_)
    child.write(file);
  // A list of records has an end, also an empty one: readers look for it where no values are, and
  // in these two.
  const bool mayBeEmpty =
      valueCount_ == 0 || name_ == "AnimationStack" || name_ == "AnimationLayer";
  if (!children_.empty() || mayBeEmpty) writeFbxEnd(file);
  const std::uint32_t end = count32(file.size());
  std::memcpy(file.data() + start, &end, sizeof(end));
}

void writeFbxEnd(std::string& file) {
  file.append(kHeadBytes, '\0');
}

} // namespace sinew
