// The tokens of a .x file, in its text form and its binary form.
#pragma once

#include "import/x/object.h"

#include <memory>

namespace sinew {

enum class XTokenKind : std::uint8_t {
  end,
  name,      // text: the word
  number,    // number; in a text file also text: as it is written
  text,      // text: what stands in quotes
  uuid,      // text: without braces, lower case
  open,      // {
  close,     // }
  separator, // between values
  other      // what only stands in the definition of a template
};

struct XToken {
  XTokenKind kind = XTokenKind::end;
  std::string text{};
  double number = 0.0;
};

class XTokens {
 public:
  virtual ~XTokens() = default;
  // Throws XError where there is none, or the file ends within it.
  virtual XToken next() = 0;
  // How far it has come: "line 12", "byte 300".
  virtual std::string place() const = 0;
};

// The tokens behind the header. The bytes must outlive the tokens. wide: floats have 64 bits.
std::unique_ptr<XTokens> xTextTokens(std::string_view bytes);
std::unique_ptr<XTokens> xBinaryTokens(std::string_view bytes, bool wide);

} // namespace sinew
