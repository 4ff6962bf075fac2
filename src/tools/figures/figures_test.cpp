#include "import/image_decoder.h"
#include "tools/figures/figures.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

namespace sinew {

TEST_CASE("figures: each has a small picture, and no other has one") {
  std::set<std::string> names;
  for (const Figure& figure : figures())
    names.insert(std::string(figure.name) + ".png");
  std::set<std::string> drawn;
  for (const FigureThumbnail& thumbnail : figureThumbnails()) {
    CAPTURE(thumbnail.path);
    drawn.insert(std::string(thumbnail.path));
    const Image image = decodeImage(thumbnail.png, {.maxBytes = 1 << 20});
    CHECK(image.width == 192);
    CHECK(image.height == 128);
    CHECK(std::set<std::uint8_t>(image.rgba.begin(), image.rgba.end()).size() > 3);
  }
  CHECK(drawn == names);
}

} // namespace sinew
