// A Collada file as a tree of elements, by their ids and sids ("COLLADA - Digital Asset Schema
// Release 1.4.1" and 1.5.0, Khronos).
#pragma once

#include "import/import_budget.h"
#include "import/import_model.h"
#include "import/source_kind.h"

#include <pugixml.hpp>
#include <stdexcept>
#include <string_view>
#include <unordered_map>

namespace sinew {

// What is wrong in a file, without its path.
class ColladaError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class ColladaDocument {
 public:
  // Throws ColladaError where the file is no Collada file.
  ColladaDocument(const SourceFile& file, const ImportOptions& options);

  const ImportOptions& options() const { return options_; }
  // The memory that repetitions may take, for all readers together.
  ImportBudget& budget() { return budget_; }
  pugi::xml_node root() const { return root_; }

  // "#id" or "id": the element; an empty one where there is none, or it has another name.
  pugi::xml_node find(std::string_view reference) const;
  pugi::xml_node find(std::string_view reference, std::string_view name) const;
  // The element of that sid below another one, the topmost and first of several; or an empty one.
  pugi::xml_node findSid(const pugi::xml_node& above, std::string_view sid) const;

 private:
  // Places of the elements with an id or a sid, in the file's order.
  struct Place {
    pugi::xml_node element;
    std::uint32_t begin = 0, end = 0; // numbers of the elements within it
    std::uint32_t depth = 0;
  };
  void index();

  const ImportOptions& options_;
  ImportBudget budget_;
  pugi::xml_document document_;
  pugi::xml_node root_;
  std::vector<Place> places_;
  std::unordered_map<const void*, std::uint32_t> placeOf_; // by element
  std::unordered_map<std::string_view, std::uint32_t> byId_;
  std::unordered_map<std::string_view, std::vector<std::uint32_t>> bySid_;
};

// The numbers and words of an element's text. What is no number is not a number.
std::vector<double> colladaNumbers(const pugi::xml_node& element);
std::vector<std::string> colladaWords(const pugi::xml_node& element);

// The first number of a text; otherwise where there is none.
double colladaNumber(const pugi::xml_node& element, double otherwise);
double colladaNumber(const pugi::xml_attribute& attribute, double otherwise);

// The name that people gave it, or else its id; may be empty.
std::string colladaName(const pugi::xml_node& element);

// An <input> of that semantic; an empty element where there is none.
pugi::xml_node colladaInput(const pugi::xml_node& parent, std::string_view semantic);

// A <source> as its accessor reads it: `width` numbers of each of `count` things.
struct ColladaSource {
  std::vector<double> values;
  std::uint32_t width = 0;
  std::uint32_t count() const {
    return width == 0 ? 0 : static_cast<std::uint32_t>(values.size() / width);
  }
  const double* at(std::uint32_t i) const { return values.data() + std::size_t{i} * width; }
};

// What the accessor states beyond the array does not exist. width: where the source has no
// accessor, and the least that each of its things must have; a narrower source is empty.
ColladaSource readColladaSource(const ColladaDocument& document, const pugi::xml_node& source,
                                std::uint32_t width);

// The names or ids of a source.
std::vector<std::string> readColladaNames(const pugi::xml_node& source);

} // namespace sinew
