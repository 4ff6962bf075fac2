// A .x file's objects with what they refer to.
#pragma once

#include "import/import_budget.h"
#include "import/import_model.h"
#include "import/source_kind.h"
#include "import/x/object.h"

#include <unordered_map>

namespace sinew {

class XDocument {
 public:
  // Throws XError where the file is not one that can be read.
  XDocument(const SourceFile& file, const ImportOptions& options);

  const ImportOptions& options() const { return options_; }
  const ImportBudget& budget() const { return budget_; }
  const XObjects& objects() const { return objects_; }
  const XObject& object(std::uint32_t index) const { return objects_[index]; }

  static constexpr std::uint32_t kFile = 0;
  static constexpr std::uint32_t kNone = ~0u;
  // The first object of one of the types that has the reference's name, or else its uuid; kNone
  // where there is none.
  using Types = std::initializer_list<std::string_view>;
  std::uint32_t target(const XObject& reference, Types types) const;

  // Inner objects of that type, in the file's order.
  std::vector<std::uint32_t> inner(std::uint32_t parent, std::string_view type) const;
  // Those of the types, and what references to such stand for.
  std::vector<std::uint32_t> innerOrReferenced(std::uint32_t parent, Types types) const;
  // The first of the inner ones; nullptr without one.
  const XObject* firstInner(std::uint32_t parent, std::string_view type) const;

 private:
  const ImportOptions& options_;
  ImportBudget budget_;
  XObjects objects_;
  std::unordered_map<std::string, std::vector<std::uint32_t>> byName_, byUuid_;
};

} // namespace sinew
