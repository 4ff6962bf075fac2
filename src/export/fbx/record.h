// The records of which a binary FBX file consists, and their bytes: a name, values with a type
// letter each, and further records. Layout: Blender Foundation, "FBX binary file format
// specification" (2013).
#pragma once

#include <cstdint>
#include <list>
#include <span>
#include <string>
#include <string_view>

namespace sinew {

// Bytes that are no text.
struct FbxBytes {
  std::string_view bytes;
};

class FbxRecord {
 public:
  explicit FbxRecord(std::string_view name) : name_(name) {}

  // A further record with these values; the reference holds as long as this record does.
  template <class... Values>
  FbxRecord& add(std::string_view name, const Values&... values) {
    FbxRecord& child = children_.emplace_back(name);
    (child.push(values), ...);
    return child;
  }

  // 'P' of a list of properties: name, type, label, flags ("A": it may be animated), values.
  template <class... Values>
  void addProperty(std::string_view name, std::string_view type, std::string_view label,
                   std::string_view flags, const Values&... values) {
    add("P", name, type, label, flags, values...);
  }

  void push(bool value);
  void push(std::int32_t value);
  void push(std::int64_t value);
  void push(double value);
  void push(std::string_view text);
  void push(const std::string& text) { push(std::string_view(text)); }
  void push(const char* text) { push(std::string_view(text)); }
  void push(const FbxBytes& bytes);
  // Arrays, packed by zlib where that makes them smaller.
  void push(std::span<const std::int32_t> values);
  void push(std::span<const std::int64_t> values);
  void push(std::span<const float> values);
  void push(std::span<const double> values);

  // Appends the record as bytes of a file. Throws usageError beyond 4 GB, which version 7.4 cannot
  // count.
  void write(std::string& file) const;

 private:
  std::string name_;
  std::uint32_t valueCount_ = 0;
  std::string values_; // as the file has them
  std::list<FbxRecord> children_;
};

// Ends a list of records.
void writeFbxEnd(std::string& file);

} // namespace sinew
