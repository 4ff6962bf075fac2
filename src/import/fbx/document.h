// An FBX file as objects and the connections between them, as versions 7 have them: with ids.
// Objects of version 6, which have names instead, become the same: each gets an id, and what stands
// inside a model there (its geometry, its blend shapes) becomes objects of their own.
#pragma once

#include "import/fbx/element.h"
#include "import/import_budget.h"
#include "import/import_model.h"
#include "import/source_kind.h"

#include <map>
#include <memory>
#include <unordered_map>

namespace sinew {

struct FbxObject {
  const FbxElement* element = nullptr;
  std::string kind;    // the element's name: "Model", "Geometry", "Deformer"...
  std::string name;    // without its class: "Head" of "Model::Head"
  std::string subtype; // "Mesh", "LimbNode", "Skin", "Cluster"...
};

// A connection seen from one of its ends. property: the destination's, or empty.
struct FbxLink {
  std::uint32_t object = 0;
  std::string property;
};

inline constexpr std::uint32_t kFbxRoot = 0; // the object that stands for the scene's root

// The properties of one object, over those of its template.
class FbxProperties {
 public:
  using Table = std::unordered_map<std::string_view, const FbxElement*>;
  FbxProperties(const FbxElement& element, const Table* defaults);

  bool has(std::string_view name) const { return find(name) != nullptr; }
  bool hasOwn(std::string_view name) const { return own_.contains(name); }
  double real(std::string_view name, double otherwise) const;
  std::int64_t integer(std::string_view name, std::int64_t otherwise) const;
  bool flag(std::string_view name, bool otherwise) const {
    return integer(name, otherwise ? 1 : 0) != 0;
  }
  std::string text(std::string_view name) const;
  // Three numbers.
  glm::dvec3 vector(std::string_view name, const glm::dvec3& otherwise) const;
  const Table& own() const { return own_; }

 private:
  const FbxElement* find(std::string_view name) const;

  Table own_;
  const Table* defaults_;
};

class FbxDocument {
 public:
  // Throws FbxError where the file is not one that can be read.
  FbxDocument(const SourceFile& file, const ImportOptions& options);
  FbxDocument(const FbxDocument&) = delete;
  FbxDocument& operator=(const FbxDocument&) = delete;

  const ImportOptions& options() const { return options_; }
  const ImportBudget& budget() const { return budget_; }
  std::uint32_t version() const { return version_; } // 7400 is 7.4
  double ticksPerSecond() const { return ticksPerSecond_; }
  const FbxElement& root() const { return root_; }
  // The file's settings of axes and units.
  const FbxProperties& settings() const { return *settings_; }

  const std::vector<FbxObject>& objects() const { return objects_; }
  const FbxObject& object(std::uint32_t index) const { return objects_[index]; }
  FbxProperties properties(std::uint32_t index) const;
  // What is connected to an object, in the order of the connections; and what it is connected to.
  const std::vector<FbxLink>& getChildren(std::uint32_t index) const { return children_[index]; }
  const std::vector<FbxLink>& getParents(std::uint32_t index) const { return parents_[index]; }
  // The children of a kind (and subtype, if one is given), whatever property they are connected to.
  std::vector<std::uint32_t> getChildren(std::uint32_t index, std::string_view kind,
                                         std::string_view subtype = {}) const;

  // How many objects have the id of another one, to which all connections go.
  std::size_t repeatedIds() const { return repeatedIds_; }

  // The object with that name (version 6) or that id (version 7). kNone where there is none.
  static constexpr std::uint32_t kNone = ~0u;
  std::uint32_t objectNamed(const std::string& key) const;
  std::uint32_t objectOfId(std::int64_t id) const;

 private:
  void parse();
  void readVersion();
  void readTemplates();
  void readObjects();
  void addInnerObjects(std::uint32_t model, const FbxElement& element);
  void addInnerShapes(std::uint32_t geometry, const FbxElement& element);
  void readConnections();
  std::uint32_t add(const FbxElement& element, std::string kind, std::string name,
                    std::string subtype);
  void connect(std::uint32_t child, std::uint32_t parent, std::string property = {});
  std::uint32_t findEnd(const FbxElement& connection, std::size_t value) const;
  bool isNamed() const { return version_ < 7000; }

  const ImportOptions& options_;
  ImportBudget budget_;
  std::string bytes_; // the whole file
  FbxElement root_;
  std::uint32_t version_ = 0;
  double ticksPerSecond_ = 46186158000.0;
  std::unique_ptr<FbxProperties> settings_;
  std::map<std::string, FbxProperties::Table, std::less<>> templates_; // by kind
  std::vector<FbxObject> objects_;
  std::vector<std::vector<FbxLink>> children_, parents_;
  std::unordered_map<std::int64_t, std::uint32_t> byId_;
  std::unordered_map<std::string, std::uint32_t> byName_;
  std::size_t repeatedIds_ = 0;
  std::unordered_map<std::uint32_t, std::uint32_t> geometryOf_; // version 6: by model
};

// "Model::Head" and "Head\0\1Model" as class and name.
struct FbxName {
  std::string name;
  std::string kind;
};
FbxName fbxName(const FbxValue& value);

} // namespace sinew
