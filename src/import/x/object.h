// A DirectX .x file as data objects: the same for its text and its binary form, compressed or not.
//
// Published as "X File Format" (DirectX SDK; "Reference for X Files" of Microsoft's documentation):
// an object is an instance of a template, with values and then inner objects or references to
// others. The templates' own definitions are not needed: values are read by the standard ones.
#pragma once

#include "core/text.h"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// What is wrong in a file, without its path.
class XError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct XObject {
  std::string type; // its template; empty: a reference to another object
  std::string name; // its own, or that of the object it refers to; may be empty
  std::string uuid; // the same; without braces, lower case
  std::vector<double> numbers;
  std::vector<std::string> texts;
  std::vector<std::uint32_t> children; // indices of objects, in the file's order
};

// The first object is the file itself. Parents come before their children.
using XObjects = std::vector<XObject>;

// bytes: the whole file, header included. maxBytes: limit for a compressed file when it is
// unpacked. Throws XError where it is damaged, or of a kind that is not read.
XObjects parseX(std::string_view bytes, std::uint64_t maxBytes);

inline bool isA(const XObject& object, std::string_view type) {
  return equalWithoutCase(object.type, type);
}
inline bool isReference(const XObject& object) {
  return object.type.empty();
}

// "Mesh 'body'", for messages.
std::string makeLabel(const XObject& object);

// The values of an object one after another, as its template says.
class XValues {
 public:
  explicit XValues(const XObject& object) : object_(object) {}

  double number();
  // A number that is a count or an index. Throws XError where it is none.
  std::uint32_t index();
  // 32 bits of something, which some writers take for a signed integer.
  std::uint32_t word();
  // A count of things that take so many numbers each. Throws XError where numbers are missing.
  std::uint32_t count(std::size_t numbersEach, std::string_view what);
  std::size_t left() const { return object_.numbers.size() - at_; }

 private:
  const XObject& object_;
  std::size_t at_ = 0;
};

} // namespace sinew
