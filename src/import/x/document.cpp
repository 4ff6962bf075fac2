#include "import/x/document.h"

#include "core/file.h"

#include <algorithm>
#include <initializer_list>

namespace sinew {
namespace {

bool isAny(const XObject& object, XDocument::Types types) {
  return std::any_of(types.begin(), types.end(),
                     [&](std::string_view type) { return isA(object, type); });
}

} // namespace

XDocument::XDocument(const SourceFile& file, const ImportOptions& options)
    : options_(options), budget_(file.path.string(), file.bytes),
      objects_(parseX(readFile(file.path), std::min(options.maxFileBytes, budget_.limit()))) {
  budget_.take(objects_.size(), sizeof(XObject), "objects");
  for (std::uint32_t i = 1; i < objects_.size(); ++i) {
    const XObject& object = objects_[i];
    if (isReference(object)) continue;
    const auto add = [&](std::vector<std::uint32_t>& known) {
      // Those of one name and type beyond the first are never found by it.
      const bool isNew = std::none_of(known.begin(), known.end(), [&](std::uint32_t other) {
        return equalWithoutCase(objects_[other].type, object.type);
      });
      if (isNew) known.push_back(i);
    };
    if (!object.name.empty()) add(byName_[object.name]);
    if (!object.uuid.empty()) add(byUuid_[object.uuid]);
  }
}

std::uint32_t XDocument::target(const XObject& reference, Types types) const {
  const auto find = [&](const auto& known, const std::string& key) {
    const auto found = known.find(key);
    if (found == known.end()) return kNone;
    for (const std::uint32_t index : found->second)
      if (isAny(objects_[index], types)) return index;
    return kNone;
  };
  const std::uint32_t named = find(byName_, reference.name);
  return named != kNone || reference.uuid.empty() ? named : find(byUuid_, reference.uuid);
}

std::vector<std::uint32_t> XDocument::inner(std::uint32_t parent, std::string_view type) const {
  std::vector<std::uint32_t> out;
  for (const std::uint32_t child : objects_[parent].children)
    if (isA(objects_[child], type)) out.push_back(child);
  return out;
}

std::vector<std::uint32_t> XDocument::innerOrReferenced(std::uint32_t parent, Types types) const {
  std::vector<std::uint32_t> out;
  for (const std::uint32_t child : objects_[parent].children) {
    const XObject& object = objects_[child];
    const std::uint32_t index = isReference(object)    ? target(object, types)
                                : isAny(object, types) ? child
                                                       : kNone;
    if (index != kNone) out.push_back(index);
  }
  return out;
}

const XObject* XDocument::firstInner(std::uint32_t parent, std::string_view type) const {
  for (const std::uint32_t child : objects_[parent].children)
    if (isA(objects_[child], type)) return &objects_[child];
  return nullptr;
}

} // namespace sinew
