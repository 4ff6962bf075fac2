// Bytes as text (RFC 4648), for embedding in an HTML page.
#pragma once

#include <string>
#include <string_view>

namespace sinew {

inline std::string base64(std::string_view bytes) {
  static constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t k) {
      return k < bytes.size() ? static_cast<unsigned char>(bytes[k]) : 0u;
    };
    const unsigned int bits = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    text += kLetters[bits >> 18];
    text += kLetters[bits >> 12 & 63];
    text += i + 1 < bytes.size() ? kLetters[bits >> 6 & 63] : '=';
    text += i + 2 < bytes.size() ? kLetters[bits & 63] : '=';
  }
  return text;
}

} // namespace sinew
