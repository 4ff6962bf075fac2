// numpy's file format for arrays of floats.
#pragma once

#include <initializer_list>
#include <string>

namespace sinew {

// Version 1.0: what stands before little-endian floats of this shape.
std::string npyHeader(std::initializer_list<std::size_t> shape);

} // namespace sinew
