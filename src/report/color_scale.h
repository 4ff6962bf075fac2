// A colour scale: the legend of colours for values.
#pragma once

#include "core/transform.h"
#include "model/model.h"

#include <span>
#include <string_view>

namespace sinew {

// At the picture's lower right: the colours (sRGB, at least two, from low to high) as a bar, with
// the values of its ends below and a title above it. Its letters grow with the picture, and it is
// at most half as wide. raised: pixels from the picture's lower edge.
void drawColorScale(Image& image, std::span<const vec3> colors, std::string_view title,
                    std::string_view low, std::string_view high, double raised = 0.0);

} // namespace sinew
