#include "import/x/parser.h"

#include "core/text.h"
#include "import/x/tokens.h"

#include <fmt/format.h>

namespace sinew {
namespace {

class XParser {
 public:
  explicit XParser(XTokens& tokens) : tokens_(tokens), objects_(1) {}

  XObjects parse() {
    for (;;) {
      XToken token = take();
      switch (token.kind) {
      case XTokenKind::end:
        if (open_.size() > 1)
          throw XError(fmt::format("it ends within {}", makeLabel(objects_[open_.back()])));
        return std::move(objects_);
      case XTokenKind::name:
        readName(std::move(token));
        break;
      case XTokenKind::number:
        current().numbers.push_back(token.number);
        break;
      case XTokenKind::text:
        current().texts.push_back(validUtf8(token.text));
        break;
      case XTokenKind::uuid:
        current().uuid = std::move(token.text);
        break;
      case XTokenKind::open:
        readReference();
        break;
      case XTokenKind::close: // one too many is no harm
        if (open_.size() > 1) open_.pop_back();
        break;
      case XTokenKind::separator:
      case XTokenKind::other:
        break;
      }
    }
  }

 private:
  XToken take() {
    if (!hasPeeked_) return tokens_.next();
    hasPeeked_ = false;
    return std::move(peeked_);
  }

  XObject& current() { return objects_[open_.back()]; }

  // The head of an object, the definition of a template, or a text without quotes.
  void readName(XToken first) {
    if (equalWithoutCase(first.text, "template")) return skipTemplate();
    std::vector<std::string> words{std::move(first.text)};
    XToken token = take();
    for (; isWord(token); token = take())
      words.push_back(std::move(token.text));
    if (token.kind != XTokenKind::open) {
      for (const std::string& word : words)
        current().texts.push_back(validUtf8(word));
      peeked_ = std::move(token);
      hasPeeked_ = true;
      return;
    }
    add(validUtf8(words.front()), joinName(words, 1));
    open_.push_back(static_cast<std::uint32_t>(objects_.size() - 1));
  }

  // Of a name: exporters write such with digits and blanks, although the format has none.
  static bool isWord(const XToken& token) {
    return token.kind == XTokenKind::name ||
           (token.kind == XTokenKind::number && !token.text.empty());
  }

  static std::string joinName(const std::vector<std::string>& words, std::size_t first) {
    std::string name;
    for (std::size_t i = first; i < words.size(); ++i)
      name += (i > first ? " " : "") + words[i];
    return validUtf8(name);
  }

  XObject& add(std::string type, std::string name) {
    current().children.push_back(static_cast<std::uint32_t>(objects_.size()));
    XObject& object = objects_.emplace_back();
    object.type = std::move(type);
    object.name = std::move(name);
    return object;
  }

  void readReference() {
    std::vector<std::string> words;
    std::string uuid;
    for (XToken token = take(); token.kind != XTokenKind::close; token = take())
      if (isWord(token) || token.kind == XTokenKind::text)
        words.push_back(std::move(token.text));
      else if (token.kind == XTokenKind::uuid)
        uuid = std::move(token.text);
      else if (token.kind != XTokenKind::separator)
        throw XError(fmt::format("a reference near {} is no name", tokens_.place()));
    if (!words.empty() || !uuid.empty()) add({}, joinName(words, 0)).uuid = std::move(uuid);
  }

  void skipTemplate() {
    std::size_t depth = 0;
    for (;;) {
      const XToken token = take();
      if (token.kind == XTokenKind::end) throw XError("it ends within a template");
      if (token.kind == XTokenKind::open) ++depth;
      if (token.kind == XTokenKind::close && (depth == 0 || --depth == 0)) return;
    }
  }

  XTokens& tokens_;
  XObjects objects_;
  std::vector<std::uint32_t> open_{0}; // the file and the objects that are being read
  XToken peeked_;
  bool hasPeeked_ = false;
};

XObjects parseTokens(const std::unique_ptr<XTokens>& tokens) {
  return XParser(*tokens).parse();
}

} // namespace

XObjects parseX(std::string_view bytes, std::uint64_t maxBytes) {
  if (bytes.size() < kXHeaderBytes) throw XError("it ends within its header");
  const std::string_view kind = bytes.substr(8, 4);
  const std::string_view floatBits = bytes.substr(12, 4);
  if (floatBits != "0032" && floatBits != "0064")
    throw XError(fmt::format("its header asks for floats of '{}' bits, and those of 32 and 64 are "
                             "read",
                             validUtf8(floatBits)));
  const bool wide = floatBits == "0064";
  const std::string_view body = bytes.substr(kXHeaderBytes);
  if (kind == "txt ") return parseTokens(xTextTokens(body));
  if (kind == "bin ") return parseTokens(xBinaryTokens(body, wide));
  if (kind != "tzip" && kind != "bzip")
    throw XError(fmt::format("its form '{}' is unknown; 'txt ', 'bin ', 'tzip' and 'bzip' are read",
                             validUtf8(kind)));
  const std::string unpacked = unpackX(body, maxBytes);
  return parseTokens(kind == "tzip" ? xTextTokens(unpacked) : xBinaryTokens(unpacked, wide));
}

} // namespace sinew
