// Reads untrusted JSON value by value; every error says where the value is and what is expected:
//
//   arm.json: 'mass' of body 'hip' is "heavy"; it must be a number
#pragma once

#include "core/error.h"
#include "core/json_text.h"
#include "core/transform.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sinew {

using Json = nlohmann::ordered_json;

// A value and its name in messages. Refers to the document and the path.
class JsonValue {
 public:
  JsonValue(const Json& json, std::string_view path, std::string name)
      : json_(&json), path_(path), name_(std::move(name)) {}

  const Json& json() const { return *json_; }
  std::string_view path() const { return path_; }
  const std::string& name() const { return name_; }

  // "NAME WHAT".
  Error wrong(std::string_view what, const std::string& remedy = {}) const;
  // "NAME is VALUE; it must be KIND".
  Error mustBe(std::string_view kind, const std::string& remedy = {}) const;

  bool boolean() const;
  float number() const; // finite
  float number(float minimum, float maximum) const;
  int whole() const;
  std::string text() const;
  std::size_t word(std::span<const std::string_view> words) const; // index in `words`
  std::vector<std::string> texts() const;
  std::vector<float> numbers() const;
  void numbers(std::span<float> out) const; // exactly as many
  vec3 vector() const;
  quat rotation() const; // normalized; its length must be between a half and 2
  // Named "KIND 1 of WHOLE".
  std::vector<JsonValue> elements(std::string_view kind, const std::string& whole) const;

 private:
  const Json* json_;
  std::string_view path_;
  std::string name_;
};

inline void read(const JsonValue& value, bool& out) {
  out = value.boolean();
}
inline void read(const JsonValue& value, float& out) {
  out = value.number();
}
inline void read(const JsonValue& value, int& out) {
  out = value.whole();
}
inline void read(const JsonValue& value, std::string& out) {
  out = value.text();
}
inline void read(const JsonValue& value, vec3& out) {
  out = value.vector();
}
inline void read(const JsonValue& value, quat& out) {
  out = value.rotation();
}
inline void read(const JsonValue& value, std::vector<std::string>& out) {
  out = value.texts();
}
inline void read(const JsonValue& value, std::vector<float>& out) {
  out = value.numbers();
}

// An object, and which of its keys were asked for. A name "" is that of the file's whole object.
class JsonObject {
 public:
  explicit JsonObject(JsonValue value);

  const JsonValue& value() const { return value_; }
  Error wrong(std::string_view what, const std::string& remedy = {}) const {
    return value_.wrong(what, remedy);
  }

  std::optional<JsonValue> find(std::string_view key);
  JsonValue at(std::string_view key); // throws where it is missing

  // Leaves `out` as it is where the key is missing.
  template <class T>
  void readIfThere(std::string_view key, T& out) {
    if (const auto found = find(key)) read(*found, out);
  }

  // The elements of a list, named "KIND 1 of NAME"; none where the key is missing.
  std::vector<JsonValue> list(std::string_view key, std::string_view kind);
  // All members, named "KIND 'KEY'".
  std::vector<std::pair<std::string, JsonValue>> members(std::string_view kind) const;

  // Call after all keys have been asked for.
  void rejectUnknown() const;

 private:
  std::string makeName(std::string_view key) const;

  JsonValue value_;
  std::vector<std::string> known_;
};

// The whole object of a file of sinew's: {"sinew": KIND, ...}. Otherwise the error is `otherwise`.
JsonObject readDocument(const Json& json, std::string_view path, std::string_view kind,
                        const std::string& otherwise, const std::string& remedy = {});

} // namespace sinew
