#include "import/load_value.h"
#include "import/x/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <zlib.h>

namespace sinew {
namespace {

constexpr std::size_t kBlockBytes = 32768;  // at most, unpacked; and the reach of the dictionary
constexpr std::size_t kMaxExpansion = 1032; // of deflate

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

} // namespace

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

} // namespace sinew
