#include "import/fbx/element.h"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {
namespace {

bool isBlank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

// What ends a word or a number.
bool isDelimiter(char c) {
  return isBlank(c) || c == ',' || c == '{' || c == '}' || c == '"' || c == ';' || c == ':';
}

bool startsNumber(std::string_view word) {
  for (const std::string_view special : {"nan", "inf", "NaN", "INF", "-nan", "-inf"})
    if (word.starts_with(special)) return word.size() <= special.size() + 5; // "nan(ind)"
  const std::size_t sign = word.starts_with('-') || word.starts_with('+') ? 1 : 0;
  const auto isDigit = [&](std::size_t i) {
    return i < word.size() && word[i] >= '0' && word[i] <= '9';
  };
  return isDigit(sign) || (sign < word.size() && word[sign] == '.' && isDigit(sign + 1));
}

class AsciiParser {
 public:
  explicit AsciiParser(std::string_view text) : text_(text) {}

  // "Name: value, value { children }" over and over; a comma at the end of a line or at the
  // beginning of the next continues the values.
  FbxElement parse() {
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;
    FbxElement root;
    std::vector<FbxElement*> open{&root};
    for (;;) {
      skipBlank();
      if (at_ == text_.size() || text_[at_] == '\0') break;
      if (text_[at_] == '}') {
        ++at_;
        if (open.size() == 1) throw error("a '}' too many");
        open.pop_back();
        continue;
      }
      FbxElement& element = open.back()->children.emplace_back();
      element.name = takeName();
      if (takeValues(element)) {
        if (open.size() > kMaxFbxDepth) throw error("elements are nested too deep");
        open.push_back(&element);
      }
    }
    if (open.size() > 1) throw error(fmt::format("'{}' does not end", open.back()->name));
    return root;
  }

 private:
  FbxError error(std::string_view what) const {
    const auto line =
        std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
    return FbxError(fmt::format("line {}: {}", line + 1, what));
  }

  void skipBlank() {
    while (at_ < text_.size())
      if (isBlank(text_[at_]))
        ++at_;
      else if (text_[at_] == ';')
        at_ = std::min(text_.find('\n', at_), text_.size());
      else
        break;
  }

  std::string_view takeWord() {
    const std::size_t start = at_;
    while (at_ < text_.size() && !isDelimiter(text_[at_]))
      ++at_;
    return text_.substr(start, at_ - start);
  }

  std::string_view takeName() {
    const std::string_view name = takeWord();
    if (name.empty() || at_ == text_.size() || text_[at_] != ':')
      throw error("expected a name and a colon");
    ++at_;
    return name;
  }

  // Whether a block of children follows. Embedded images begin with a comma of no meaning.
  bool takeValues(FbxElement& element) {
    bool wanted = true; // whether a value may come: behind the name and behind a comma
    for (;;) {
      skipBlank();
      if (at_ == text_.size()) return false;
      const char c = text_[at_];
      if (c == '{') {
        ++at_;
        return true;
      }
      if (c == ',') {
        ++at_;
        wanted = true;
        continue;
      }
      if (!wanted || c == '}' || (element.values.empty() && isNextName())) return false;
      element.values.push_back(takeValue());
      wanted = false;
    }
  }

  // Whether the next word is the name of another element ("Name:"): this one has no values.
  bool isNextName() const {
    std::size_t end = at_;
    while (end < text_.size() && !isDelimiter(text_[end]))
      ++end;
    return end > at_ && end < text_.size() && text_[end] == ':';
  }

  FbxValue takeValue() {
    FbxValue value;
    if (text_[at_] == '"') {
      const std::size_t end = text_.find('"', at_ + 1);
      if (end == text_.npos) throw error("a text does not end");
      value.type = 'S';
      value.bytes = text_.substr(at_ + 1, end - at_ - 1);
      at_ = end + 1;
      return value;
    }
    value.bytes = takeWord();
    if (value.bytes.empty()) throw error(fmt::format("'{}' is unexpected", text_[at_]));
    value.type = startsNumber(value.bytes) ? 'n' : 'w';
    return value;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

} // namespace

FbxElement parseFbxAscii(std::string_view text) {
  return AsciiParser(text).parse();
}

} // namespace sinew
