#include "import/x/tokens.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>

namespace sinew {
namespace {

bool isSpace(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r') || c == '\0';
}

bool endsWord(char c) {
  return isSpace(c) || c == ';' || c == ',' || c == '{' || c == '}' || c == '"' || c == '<' ||
         c == '[' || c == ']';
}

// A word that is a number, also one without a value ("-1.#IND00", as C's library wrote it).
bool readNumber(std::string_view word, double& number) {
  if (word.starts_with('+')) word.remove_prefix(1);
  const char* end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, number);
  if (stop == word.data() && error != std::errc::result_out_of_range) return false;
  if (error == std::errc::result_out_of_range) // too small to tell from 0, or too large to be used
    number = word.find("e-") != word.npos || word.find("E-") != word.npos
                 ? 0.0
                 : std::numeric_limits<double>::infinity();
  const std::string_view rest(stop, static_cast<std::size_t>(end - stop));
  if (rest.starts_with('#')) number = std::numeric_limits<double>::quiet_NaN();
  return rest.empty() || rest == "f" || rest.starts_with('#');
}

class XTextTokens : public XTokens {
 public:
  explicit XTextTokens(std::string_view bytes) : bytes_(bytes) {}

  XToken next() override {
    skipBlanks();
    if (at_ == bytes_.size()) return {};
    const char c = bytes_[at_];
    switch (c) {
    case '{':
      return mark(XTokenKind::open);
    case '}':
      return mark(XTokenKind::close);
    case ';':
    case ',':
      return mark(XTokenKind::separator);
    case '[':
    case ']':
      return mark(XTokenKind::other);
    case '"':
      return {XTokenKind::text, upTo('"')};
    case '<':
      return uuid();
    default:
      return word();
    }
  }

  std::string place() const override {
    const auto lines = std::count(bytes_.begin(), bytes_.begin() + static_cast<long>(at_), '\n');
    return fmt::format("line {}", lines + 1);
  }

 private:
  void skipBlanks() {
    for (; at_ < bytes_.size(); ++at_) {
      const bool comment =
          bytes_[at_] == '#' || (bytes_[at_] == '/' && bytes_.substr(at_).starts_with("//"));
      if (comment)
        at_ = std::min(bytes_.find('\n', at_), bytes_.size());
      else if (!isSpace(bytes_[at_]))
        return;
      if (at_ == bytes_.size()) return;
    }
  }

  XToken mark(XTokenKind kind) {
    ++at_;
    return {kind};
  }

  std::string upTo(char mark) {
    const std::size_t end = bytes_.find(mark, at_ + 1);
    if (end == bytes_.npos) throw XError(fmt::format("it ends within the text of {}", place()));
    std::string out(bytes_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return out;
  }

  XToken uuid() {
    XToken token{XTokenKind::uuid, upTo('>')};
    std::erase_if(token.text, isSpace);
    std::transform(token.text.begin(), token.text.end(), token.text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return token;
  }

  XToken word() {
    const std::size_t start = at_;
    while (at_ < bytes_.size() && !endsWord(bytes_[at_]))
      ++at_;
    const std::string_view word = bytes_.substr(start, at_ - start);
    XToken token{XTokenKind::name, std::string(word)};
    if (readNumber(word, token.number)) token.kind = XTokenKind::number;
    return token;
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
};

} // namespace

std::unique_ptr<XTokens> xTextTokens(std::string_view bytes) {
  return std::make_unique<XTextTokens>(bytes);
}

} // namespace sinew
