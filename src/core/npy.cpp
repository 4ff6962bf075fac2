#include "core/npy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sinew {

std::string npyHeader(std::initializer_list<std::size_t> shape) {
  std::string text = fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}), }}",
                                 fmt::join(shape, ", "));
  constexpr std::size_t kBefore = 10, kAlignment = 64; // bytes before the text; start of the floats
  text.append(kAlignment - 1 - (kBefore + text.size()) % kAlignment, ' ');
  text += '\n';
  std::string out("\x93NUMPY\x01\x00", 8);
  out += static_cast<char>(text.size() & 255U);
  out += static_cast<char>(text.size() >> 8U);
  return out + text;
}

} // namespace sinew
