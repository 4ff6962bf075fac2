#include "import/load_value.h"
#include "import/x/tokens.h"

#include <fmt/format.h>

#include <cstring>

namespace sinew {
namespace {

// The numbers of the tokens, as rmxftmpl.h of the DirectX SDK has them.
enum Code : std::uint16_t {
  kName = 1,
  kString = 2,
  kInteger = 3,
  kGuid = 5,
  kIntegerList = 6,
  kFloatList = 7,
  kOpen = 10,
  kClose = 11,
  kFirstBracket = 12, // ( ) [ ] < > .
  kLastBracket = 18,
  kComma = 19,
  kSemicolon = 20,
  kTemplate = 31,
  kFirstWord = 40, // WORD, DWORD and so on, up to array
  kLastWord = 52
};

class XBinaryTokens : public XTokens {
 public:
  XBinaryTokens(std::string_view bytes, bool wide) : bytes_(bytes), wide_(wide) {}

  XToken next() override {
    if (listed_ > 0) return listedNumber();
    if (at_ == bytes_.size()) return {};
    const auto code = take<std::uint16_t>();
    switch (code) {
    case kName:
      return {XTokenKind::name, takeText()};
    case kString:
      return {XTokenKind::text, takeText()};
    case kInteger:
      return {XTokenKind::number, {}, static_cast<double>(take<std::uint32_t>())};
    case kGuid:
      return {XTokenKind::uuid, takeUuid()};
    case kIntegerList:
    case kFloatList:
      floats_ = code == kFloatList;
      listed_ = takeCount(floats_ && wide_ ? sizeof(double) : sizeof(float));
      return {XTokenKind::separator};
    case kOpen:
      return {XTokenKind::open};
    case kClose:
      return {XTokenKind::close};
    case kComma:
    case kSemicolon:
      return {XTokenKind::separator};
    case kTemplate:
      return {XTokenKind::name, "template"};
    default:
      if ((code >= kFirstBracket && code <= kLastBracket) ||
          (code >= kFirstWord && code <= kLastWord))
        return {XTokenKind::other};
      throw XError(fmt::format("the token {} at byte {} is unknown", code, at_ - 2 + kHeader));
    }
  }

  std::string place() const override { return fmt::format("byte {}", at_ + kHeader); }

 private:
  static constexpr std::size_t kHeader = 16;

  template <class T>
  T take() {
    return loadValue<T>(takeBytes(sizeof(T)).data());
  }

  std::string_view takeBytes(std::size_t count) {
    if (count > bytes_.size() - at_)
      throw XError(fmt::format("it ends within the value at {}", place()));
    at_ += count;
    return bytes_.substr(at_ - count, count);
  }

  std::size_t takeCount(std::size_t bytesEach) {
    const auto count = take<std::uint32_t>();
    if (count > (bytes_.size() - at_) / bytesEach)
      throw XError(fmt::format("the list at {} declares {} values, more than its {} bytes can hold",
                               place(), count, bytes_.size() - at_));
    return count;
  }

  std::string takeText() {
    std::string text(takeBytes(takeCount(1)));
    text.resize(std::strlen(text.c_str())); // some writers count the zero behind it
    return text;
  }

  std::string takeUuid() {
    const auto first = take<std::uint32_t>();
    const auto second = take<std::uint16_t>();
    const auto third = take<std::uint16_t>();
    std::string out = fmt::format("{:08x}-{:04x}-{:04x}-", first, second, third);
    for (int i = 0; i < 8; ++i)
      out += fmt::format("{}{:02x}", i == 2 ? "-" : "", take<std::uint8_t>());
    return out;
  }

  XToken listedNumber() {
    --listed_;
    XToken token{XTokenKind::number};
    if (!floats_)
      token.number = take<std::uint32_t>();
    else
      token.number = wide_ ? take<double>() : static_cast<double>(take<float>());
    return token;
  }

  std::string_view bytes_;
  bool wide_;
  std::size_t at_ = 0;
  std::size_t listed_ = 0; // numbers of a list that are still to come
  bool floats_ = false;    // what they are
};

} // namespace

std::unique_ptr<XTokens> xBinaryTokens(std::string_view bytes, bool wide) {
  return std::make_unique<XBinaryTokens>(bytes, wide);
}

} // namespace sinew
