#include "import/fbx/document.h"

#include "core/file.h"
#include "import/fbx/element.h"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {
namespace {

constexpr const char* kOldRemedy =
    "export it again as FBX 7.4, or convert it by Autodesk's FBX Converter";

FbxProperties::Table readTable(const FbxElement& element) {
  FbxProperties::Table table;
  for (const char* list : {"Properties70", "Properties60"})
    if (const FbxElement* properties = findChild(element, list))
      for (const FbxElement& each : properties->children)
        if (!each.values.empty() && isText(each.values[0]))
          table.emplace(each.values[0].bytes, &each);
  return table;
}

// Where the value of a property stands: behind its name, type, label and flags. Version 6 has no
// label.
std::size_t valueAt(const FbxElement& property) {
  return property.name == "P" ? 4 : 3;
}

} // namespace

FbxName fbxName(const FbxValue& value) {
  const std::string_view bytes = value.bytes;
  FbxValue part = value;
  if (const std::size_t end = bytes.find(std::string_view("\0\1", 2)); end != bytes.npos) {
    part.bytes = bytes.substr(0, end);
    return {toString(part), std::string(bytes.substr(end + 2))};
  }
  if (const std::size_t end = bytes.find("::"); end != bytes.npos) {
    part.bytes = bytes.substr(end + 2);
    return {toString(part), std::string(bytes.substr(0, end))};
  }
  return {toString(value), {}};
}

FbxProperties::FbxProperties(const FbxElement& element, const Table* defaults)
    : own_(readTable(element)), defaults_(defaults) {}

const FbxElement* FbxProperties::find(std::string_view name) const {
  if (const auto found = own_.find(name); found != own_.end()) return found->second;
  if (defaults_ == nullptr) return nullptr;
  const auto found = defaults_->find(name);
  return found == defaults_->end() ? nullptr : found->second;
}

double FbxProperties::real(std::string_view name, double otherwise) const {
  const FbxElement* property = find(name);
  return property == nullptr ? otherwise : realAt(*property, valueAt(*property), otherwise);
}

std::int64_t FbxProperties::integer(std::string_view name, std::int64_t otherwise) const {
  const FbxElement* property = find(name);
  return property == nullptr ? otherwise : integerAt(*property, valueAt(*property), otherwise);
}

std::string FbxProperties::text(std::string_view name) const {
  const FbxElement* property = find(name);
  return property == nullptr ? std::string() : textAt(*property, valueAt(*property));
}

glm::dvec3 FbxProperties::vector(std::string_view name, const glm::dvec3& otherwise) const {
  const FbxElement* property = find(name);
  if (property == nullptr) return otherwise;
  const std::size_t at = valueAt(*property);
  return {realAt(*property, at, otherwise.x), realAt(*property, at + 1, otherwise.y),
          realAt(*property, at + 2, otherwise.z)};
}

FbxDocument::FbxDocument(const SourceFile& file, const ImportOptions& options)
    : options_(options), budget_(file.path.string(), file.bytes), bytes_(readFile(file.path)) {
  parse();
  readVersion();
  readTemplates();
  objects_.push_back({&root_, "Root", "Scene", {}});
  children_.resize(1);
  parents_.resize(1);
  readObjects();
  readConnections();
  const FbxElement* settings = findChild(root_, "GlobalSettings");
  if (settings == nullptr) // version 6 has them among the objects
    if (const FbxElement* objects = findChild(root_, "Objects"))
      settings = findChild(*objects, "GlobalSettings");
  settings_ = std::make_unique<FbxProperties>(settings != nullptr ? *settings : root_, nullptr);
}

void FbxDocument::parse() {
  if (bytes_.starts_with("Kaydara FBX Binary"))
    root_ = parseFbxBinary(bytes_, version_);
  else
    root_ = parseFbxAscii(bytes_);
  budget_.take(unpackedBytes(root_), 1, "bytes of unpacked arrays");
}

void FbxDocument::readVersion() {
  const FbxElement* header = findChild(root_, "FBXHeaderExtension");
  if (const FbxElement* version = header != nullptr ? findChild(*header, "FBXVersion") : nullptr)
    if (version_ == 0)
      version_ =
          static_cast<std::uint32_t>(std::clamp<std::int64_t>(integerAt(*version, 0, 0), 0, 99999));
  if (version_ == 0) throw FbxError("it does not say its version (FBXVersion)");
  if (version_ < 6000)
    throw FbxError(fmt::format("it is FBX {}.{}, and FBX 6 and 7 are read; {}", version_ / 1000,
                               version_ / 100 % 10, kOldRemedy));
  // From version 8 on, and where the header says so, a second has other ticks.
  const FbxElement* flags = header != nullptr ? findChild(*header, "OtherFlags") : nullptr;
  const FbxElement* ticks = flags != nullptr ? findChild(*flags, "TCDefinition") : nullptr;
  const std::int64_t definition = ticks != nullptr ? integerAt(*ticks, 0, 127) : 127;
  if (definition != 127 || (version_ >= 8000 && ticks == nullptr)) ticksPerSecond_ = 141120000.0;
}

void FbxDocument::readTemplates() {
  const FbxElement* definitions = findChild(root_, "Definitions");
  if (definitions == nullptr) return;
  for (const FbxElement& type : definitions->children)
    if (const FbxElement* defaults = findChild(type, "PropertyTemplate"))
      templates_.emplace(textAt(type, 0), readTable(*defaults));
}

std::uint32_t FbxDocument::add(const FbxElement& element, std::string kind, std::string name,
                               std::string subtype) {
  objects_.push_back({&element, std::move(kind), std::move(name), std::move(subtype)});
  children_.emplace_back();
  parents_.emplace_back();
  return static_cast<std::uint32_t>(objects_.size() - 1);
}

void FbxDocument::readObjects() {
  byId_[0] = kFbxRoot;
  byName_["Model::Scene"] = kFbxRoot;
  const FbxElement* objects = findChild(root_, "Objects");
  if (objects == nullptr) throw FbxError("it has no objects");
  for (const FbxElement& element : objects->children) {
    const std::size_t nameAt = isNamed() ? 0 : 1;
    if (element.values.size() <= nameAt || !isText(element.values[nameAt])) continue;
    const FbxName name = fbxName(element.values[nameAt]);
    const std::uint32_t object =
        add(element, std::string(element.name), name.name, textAt(element, nameAt + 1));
    if (isNamed()) {
      byName_.emplace(name.kind + "::" + name.name, object);
      if (element.name == "Model") addInnerObjects(object, element);
    } else {
      if (!byId_.emplace(integerAt(element, 0, 0), object).second) ++repeatedIds_;
      if (element.name == "Geometry") addInnerShapes(object, element);
    }
  }
}

// Version 6: the mesh of a model is an element of the model.
void FbxDocument::addInnerObjects(std::uint32_t model, const FbxElement& element) {
  if (findChild(element, "Vertices") == nullptr) return;
  const std::uint32_t geometry = add(element, "Geometry", objects_[model].name, "Mesh");
  geometryOf_[model] = geometry;
  connect(geometry, model);
  addInnerShapes(geometry, element);
}

// Versions 6 and 7.1: the blend shapes of a mesh are elements of what has its vertices.
void FbxDocument::addInnerShapes(std::uint32_t geometry, const FbxElement& element) {
  std::uint32_t blend = kNone;
  for (const FbxElement& shape : element.children) {
    if (shape.name != "Shape") continue;
    if (blend == kNone) {
      blend = add(element, "Deformer", objects_[geometry].name, "BlendShape");
      connect(blend, geometry);
    }
    const std::string shapeName = textAt(shape, 0);
    const std::uint32_t channel = add(shape, "Deformer", shapeName, "BlendShapeChannel");
    connect(channel, blend);
    connect(add(shape, "Geometry", shapeName, "Shape"), channel);
  }
}

void FbxDocument::connect(std::uint32_t child, std::uint32_t parent, std::string property) {
  children_[parent].push_back({child, property});
  parents_[child].push_back({parent, std::move(property)});
}

std::uint32_t FbxDocument::findEnd(const FbxElement& connection, std::size_t value) const {
  if (value >= connection.values.size()) return kNone;
  const FbxValue& end = connection.values[value];
  if (!isText(end)) return objectOfId(toInteger(end));
  const FbxName name = fbxName(end);
  return objectNamed(name.kind + "::" + name.name);
}

void FbxDocument::readConnections() {
  const FbxElement* connections = findChild(root_, "Connections");
  if (connections == nullptr) return;
  for (const FbxElement& each : connections->children) {
    const std::string kind = textAt(each, 0);
    if (kind.size() < 2) continue;
    std::size_t at = 1;
    const std::uint32_t child = findEnd(each, at++);
    if (kind[0] == 'P') ++at; // the child's property, which nothing here needs
    std::uint32_t parent = findEnd(each, at++);
    const std::string property = kind[1] == 'P' ? textAt(each, at) : std::string();
    if (child == kNone || parent == kNone || child == parent || child == kFbxRoot) continue;
    // Version 6 connects a skin to the model that it deforms.
    if (const auto geometry = geometryOf_.find(parent);
        geometry != geometryOf_.end() && objects_[child].kind == "Deformer")
      parent = geometry->second;
    connect(child, parent, property);
  }
}

FbxProperties FbxDocument::properties(std::uint32_t index) const {
  const FbxObject& object = objects_[index];
  const auto defaults = templates_.find(object.kind);
  return {*object.element, defaults == templates_.end() ? nullptr : &defaults->second};
}

std::vector<std::uint32_t> FbxDocument::getChildren(std::uint32_t index, std::string_view kind,
                                                    std::string_view subtype) const {
  std::vector<std::uint32_t> out;
  for (const FbxLink& link : children_[index])
    if (const FbxObject& object = objects_[link.object];
        object.kind == kind && (subtype.empty() || object.subtype == subtype))
      out.push_back(link.object);
  return out;
}

std::uint32_t FbxDocument::objectNamed(const std::string& key) const {
  const auto found = byName_.find(key);
  return found == byName_.end() ? kNone : found->second;
}

std::uint32_t FbxDocument::objectOfId(std::int64_t id) const {
  const auto found = byId_.find(id);
  return found == byId_.end() ? kNone : found->second;
}

} // namespace sinew
