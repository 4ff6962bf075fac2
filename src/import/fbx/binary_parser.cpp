#include "import/fbx/element.h"
#include "import/load_value.h"

#include <fmt/format.h>

namespace sinew {
namespace {

// What binary files begin with.
constexpr std::string_view kFbxBinaryMagic{"Kaydara FBX Binary  \0", 21};

class BinaryParser {
 public:
  explicit BinaryParser(std::string_view bytes) : bytes_(bytes) {}

  FbxElement parse(std::uint32_t& version) {
    takeBytes(kFbxBinaryMagic.size() + 2);
    version = take<std::uint32_t>();
    wide_ = version >= 7500; // headers of nodes have 64-bit numbers
    FbxElement root;
    open_.push_back({&root, bytes_.size()});
    // An element's children stay where they are while one of them is open: only the last one is.
    while (!open_.empty())
      step();
    return root;
  }

 private:
  struct Open {
    FbxElement* element = nullptr;
    std::size_t end = 0;
  };

  template <class T>
  T take() {
    return loadValue<T>(takeBytes(sizeof(T)).data());
  }

  std::string_view takeBytes(std::size_t count) {
    if (count > bytes_.size() - at_) throw FbxError("it ends early");
    const std::string_view taken = bytes_.substr(at_, count);
    at_ += count;
    return taken;
  }

  std::uint64_t takeLength() { return wide_ ? take<std::uint64_t>() : take<std::uint32_t>(); }

  // The next child of the innermost open element, or its end.
  void step() {
    const Open parent = open_.back();
    if (open_.size() > 1 && at_ == parent.end) {
      open_.pop_back();
      return;
    }
    const std::size_t start = at_;
    const std::uint64_t end = takeLength();
    const std::uint64_t values = takeLength();
    const std::uint64_t valueBytes = takeLength();
    const std::string_view name = takeBytes(take<std::uint8_t>());
    if (end == 0 && values == 0 && valueBytes == 0 && name.empty()) { // the mark of a list's end
      if (open_.size() > 1 && at_ != parent.end)
        throw FbxError(fmt::format("'{}' ends before its end", parent.element->name));
      open_.pop_back();
      return;
    }
    if (end > parent.end || end < at_ || valueBytes > end - at_)
      throw FbxError(fmt::format("the lengths of '{}' at byte {} are wrong", shown(name), start));
    if (open_.size() > kMaxFbxDepth) throw FbxError("its elements are nested too deep");
    FbxElement& element = parent.element->children.emplace_back();
    element.name = name;
    takeValues(element, values, at_ + valueBytes);
    if (at_ < end) open_.push_back({&element, static_cast<std::size_t>(end)});
  }

  void takeValues(FbxElement& element, std::uint64_t count, std::size_t end) {
    if (count > end - at_) // each takes a byte at least
      throw FbxError(fmt::format("'{}' has more values than bytes", shown(element.name)));
    element.values.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) {
      element.values.push_back(takeValue());
      if (at_ > end) break;
    }
    if (at_ != end)
      throw FbxError(
          fmt::format("the values of '{}' do not fill their bytes", shown(element.name)));
  }

  FbxValue takeValue() {
    FbxValue value;
    value.type = take<char>();
    switch (value.type) {
    case 'C':
    case 'B':
      value.bytes = takeBytes(1);
      break;
    case 'Y':
      value.bytes = takeBytes(2);
      break;
    case 'I':
    case 'F':
      value.bytes = takeBytes(4);
      break;
    case 'L':
    case 'D':
      value.bytes = takeBytes(8);
      break;
    case 'S':
    case 'R':
      value.bytes = takeBytes(take<std::uint32_t>());
      break;
    case 'f':
    case 'd':
    case 'l':
    case 'i':
    case 'b':
    case 'c': {
      value.count = take<std::uint32_t>();
      const auto encoding = take<std::uint32_t>();
      if (encoding > 1) throw FbxError(fmt::format("the array encoding {} is unknown", encoding));
      value.compressed = encoding == 1;
      value.bytes = takeBytes(take<std::uint32_t>());
      break;
    }
    default:
      throw FbxError(fmt::format("a value at byte {} has the unknown type {}", at_ - 1,
                                 static_cast<int>(static_cast<unsigned char>(value.type))));
    }
    return value;
  }

  // A name for messages: printable whatever the file has.
  static std::string shown(std::string_view name) {
    std::string out(name.substr(0, 40));
    for (char& c : out)
      if (c < ' ' || c > '~') c = '?';
    return out;
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  bool wide_ = false;
  std::vector<Open> open_;
};

} // namespace

FbxElement parseFbxBinary(std::string_view bytes, std::uint32_t& version) {
  if (!bytes.starts_with(kFbxBinaryMagic)) throw FbxError("its first bytes are damaged");
  return BinaryParser(bytes).parse(version);
}

} // namespace sinew
