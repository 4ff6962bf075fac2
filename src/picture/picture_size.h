// Width and height of a picture in pixels.
#pragma once

namespace sinew {

struct Size {
  int width = 960;
  int height = 720;
};

} // namespace sinew
