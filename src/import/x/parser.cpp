#include "core/text.h"
#include "import/load_value.h"
#include "import/x/object.h"
#include "import/x/tokens.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <zlib.h>

namespace sinew {
namespace {

constexpr std::size_t kXHeaderBytes = 16;   // "xof 0303txt 0032"
constexpr std::size_t kBlockBytes = 32768;  // at most, unpacked; and the reach of the dictionary
constexpr std::size_t kMaxExpansion = 1032; // deflate's largest ratio

struct InflateEnd {
  void operator()(z_stream* stream) const {
    inflateEnd(stream);
    delete stream;
  }
};

// zlib does not write through its input pointers.
Bytef* zlibInput(const char* bytes) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(bytes));
}

class BlockReader {
 public:
  BlockReader() : stream_(new z_stream()) {
    if (inflateInit2(stream_.get(), -MAX_WBITS) != Z_OK) throw XError("zlib does not start");
  }

  void append(std::string_view packed, std::size_t bytes, std::string& out) {
    inflateReset(stream_.get());
    const std::size_t reach = std::min(out.size(), kBlockBytes);
    if (reach > 0)
      inflateSetDictionary(stream_.get(), zlibInput(out.data() + out.size() - reach),
                           static_cast<uInt>(reach));
    const std::size_t start = out.size();
    out.resize(start + bytes);
    stream_->next_in = zlibInput(packed.data());
    stream_->avail_in = static_cast<uInt>(packed.size());
    stream_->next_out = reinterpret_cast<Bytef*>(out.data() + start);
    stream_->avail_out = static_cast<uInt>(bytes);
    const int result = inflate(stream_.get(), Z_FINISH);
    if (result != Z_STREAM_END || stream_->avail_out != 0)
      throw XError(fmt::format("its compressed block behind byte {} is damaged", start));
  }

 private:
  std::unique_ptr<z_stream, InflateEnd> stream_;
};

template <class T>
T takeNumber(std::string_view& bytes) {
  if (bytes.size() < sizeof(T)) throw XError("it ends within its compressed blocks");
  const T value = loadValue<T>(bytes.data());
  bytes.remove_prefix(sizeof value);
  return value;
}

// What follows the header of a compressed file, unpacked: blocks of MSZIP, each deflated with the
// 32 KiB before it as its dictionary ("MSZIP Compression Format", Microsoft's [MS-MCI]).
std::string unpackX(std::string_view bytes, std::uint64_t maxBytes) {
  const auto total = takeNumber<std::uint32_t>(bytes);
  if (total < kXHeaderBytes || total - kXHeaderBytes > bytes.size() * kMaxExpansion)
    throw XError(fmt::format("it declares {} unpacked bytes, which its {} packed ones cannot hold",
                             total, bytes.size()));
  if (total > maxBytes)
    throw XError(fmt::format("it is {} bytes long unpacked, the limit is {}", total, maxBytes));
  std::string out;
  out.reserve(total - kXHeaderBytes);
  BlockReader reader;
  while (out.size() < total - kXHeaderBytes) {
    const auto unpackedBytes = takeNumber<std::uint16_t>(bytes);
    const auto packedBytes = takeNumber<std::uint16_t>(bytes);
    if (unpackedBytes > kBlockBytes || unpackedBytes > total - kXHeaderBytes - out.size() ||
        packedBytes > bytes.size() || packedBytes < 2 || !bytes.starts_with("CK"))
      throw XError(fmt::format("its compressed block behind byte {} is damaged", out.size()));
    reader.append(bytes.substr(2, packedBytes - 2u), unpackedBytes, out);
    bytes.remove_prefix(packedBytes);
  }
  return out;
}

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

  // A word of a name: exporters write names with digits and blanks, although the format has none.
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
