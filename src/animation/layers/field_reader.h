// Reads the fields of one JSON object and rejects unknown keys; every error says where.
#pragma once

#include "animation/layers/field_json.h"
#include "core/error.h"

#include <fmt/format.h>

#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace sinew {

class FieldReader {
 public:
  FieldReader(const Json& json, std::string_view path, std::string where)
      : json_(json), path_(path), where_(std::move(where)) {
    if (!json.is_object()) throw fail("is not an object", {});
  }

  Error fail(const std::string& what, const std::string& remedy = {}) const {
    return inputError(path_, fmt::format("{} {}", where_, what), remedy);
  }

  template <class T>
  void field(const FieldInfo& info, T& out) {
    const std::string name(info.name);
    known_.insert(name);
    if (!json_.contains(name)) return;
    try {
      readField(info, json_[name], out);
    } catch (const Wrong& wrong) {
      throw fail(fmt::format("'{}' {}", name, wrong.what), wrong.remedy);
    }
  }

  const Json* part(const char* name) {
    known_.insert(name);
    return json_.contains(name) ? &json_[name] : nullptr;
  }

  // Call after all fields.
  void rejectUnknown() const {
    for (const auto& [name, value] : json_.items())
      if (!known_.contains(name))
        throw fail(fmt::format("has an unknown key '{}'", name),
                   fmt::format("one of {}", fmt::join(known_, ", ")));
  }

 private:
  const Json& json_;
  std::string_view path_;
  std::string where_;
  std::set<std::string> known_;
};

} // namespace sinew
