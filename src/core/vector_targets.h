// The kinds of vector instructions for which Highway compiles our kernels: the same for all
// sources. Inline functions of Highway depend on this list, and of each a program keeps one. Before
// <hwy/foreach_target.h>. Vectors of unknown length cannot be members of a struct; SSSE3 has the
// width of SSE4.
#pragma once

#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSSE3)
