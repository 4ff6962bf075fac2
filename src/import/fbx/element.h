// An FBX file as a tree of elements: the same for its binary and its ASCII form.
//
// Values are kept as the bytes or the text of the file, and read as numbers where they are wanted.
// There is no published specification; the layout is described by the Blender Foundation ("FBX
// binary file format specification", 2013), the meaning by the manual of the FBX SDK.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// What is wrong in a file, without its path.
class FbxError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Exporters nest about ten deep; deeper than this is an error.
inline constexpr std::size_t kMaxFbxDepth = 64;

struct FbxValue {
  // Binary: the type letter of the file, small letters are arrays. ASCII: 'n' a number, 'w' a word,
  // 'S' quoted text.
  char type = 0;
  bool compressed = false;  // an array packed by zlib
  std::uint32_t count = 0;  // numbers in an array
  std::string_view bytes{}; // a number, text without its quotes, or an array
};

struct FbxElement {
  std::string_view name;
  std::vector<FbxValue> values;
  std::vector<FbxElement> children;
};

// The root element of a file of version 6.1 to 7.7, whose children are the file's. Values refer to
// the file's bytes, which must outlive them; every length is checked against the bytes that are
// left. Throws FbxError, with the line of an ASCII file.
FbxElement parseFbxBinary(std::string_view bytes, std::uint32_t& version);
FbxElement parseFbxAscii(std::string_view text);

// The first child of that name; nullptr where there is none.
const FbxElement* findChild(const FbxElement& element, std::string_view name);

// The text of such a child; empty where there is none.
std::string childText(const FbxElement& element, std::string_view name);

bool isText(const FbxValue& value);
bool isNumber(const FbxValue& value);

// A number as such; what is no number, or out of range, is an error.
double toReal(const FbxValue& value);
std::int64_t toInteger(const FbxValue& value);
// A number's bits where it is an integer of an ASCII file that stands for a float.
float toFloatOrBits(const FbxValue& value);

// Text with its entities (&quot;) decoded, in UTF-8: bytes that are no character become '?'.
std::string toString(const FbxValue& value);

// A value of an element by its place; the default where it is missing or no number.
double realAt(const FbxElement& element, std::size_t index, double otherwise);
std::int64_t integerAt(const FbxElement& element, std::size_t index, std::int64_t otherwise);
std::string textAt(const FbxElement& element, std::size_t index);

// The numbers of a list, in whichever of its forms the file has it: an array, values one by one,
// values in a child "a". Throws FbxError where an array's length is not what it says. nullptr has
// none.
std::vector<double> toReals(const FbxElement* element);
std::vector<std::int64_t> toIntegers(const FbxElement* element);
std::vector<float> toFloatsOrBits(const FbxElement* element);

// The bytes of the numbers in it and below, with those of compressed arrays as they are unpacked.
std::uint64_t unpackedBytes(const FbxElement& element);

// How many numbers a list says it has, without reading them.
std::size_t countNumbers(const FbxElement* element);

} // namespace sinew
