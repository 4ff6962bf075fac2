// Bytes as text (RFC 4648): pictures in an HTML page, buffers and images in model files.
#pragma once

#include <cstdint>
#include <optional>
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

// The bytes again; blanks are skipped, and '-' and '_' are read too. Nothing where another
// character stands.
inline std::optional<std::string> fromBase64(std::string_view text) {
  const auto decodeLetter = [](char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    if (c == '+' || c == '-') return 62;
    return c == '/' || c == '_' ? 63 : -1;
  };
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    if (c == '\n' || c == '\r' || c == ' ') continue;
    const int value = decodeLetter(c);
    if (value < 0) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xff);
  }
  return bytes;
}

} // namespace sinew
