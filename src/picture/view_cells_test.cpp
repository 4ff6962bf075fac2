#include "picture/view_cells.h"

#include <doctest/doctest.h>

#include <set>

using namespace sinew;

TEST_CASE("view cells: of one size, inside their area, apart, and all of it where there is one") {
  for (const Viewport area : {Viewport{10, 20, 641, 479}, Viewport{0, 0, 300, 900}})
    for (const float aspect : {0.5f, 1.0f, 2.0f})
      for (std::size_t count = 1; count <= 13; ++count) {
        const std::vector<Viewport> cells = viewCells(area, count, aspect);
        REQUIRE(cells.size() == count);
        for (std::size_t i = 0; i < count; ++i) {
          const Viewport& cell = cells[i];
          CHECK(cell.width == cells[0].width);
          CHECK(cell.height == cells[0].height);
          CHECK((cell.x >= area.x && cell.x + cell.width <= area.x + area.width));
          CHECK((cell.y >= area.y && cell.y + cell.height <= area.y + area.height));
          for (std::size_t j = 0; j < i; ++j)
            CHECK((cell.x >= cells[j].x + cell.width + kCellGap ||
                   cell.y + cell.height + kCellGap <= cells[j].y));
        }
        if (count > 1) continue;
        CHECK((cells[0].x == area.x && cells[0].width == area.width));
        CHECK((cells[0].y == area.y && cells[0].height == area.height));
      }
}

TEST_CASE("view cells: upright figures stand side by side, long ones lie one above the other") {
  const Viewport area{0, 0, 500, 500};
  const auto columns = [&](std::size_t count, float aspect) {
    std::set<int> lefts;
    for (const Viewport& cell : viewCells(area, count, aspect))
      lefts.insert(cell.x);
    return lefts.size();
  };
  CHECK(columns(2, 0.5f) == 2);
  CHECK(columns(2, 2.0f) == 1);
  CHECK(columns(6, 0.5f) == 3);
  CHECK(columns(4, 1.0f) == 2);
  CHECK(subjectAspect({vec3(0.0f), vec3(0.6f, 1.8f, 0.3f)}) == 0.5f);
  CHECK(subjectAspect({vec3(0.0f), vec3(1.0f, 0.0f, 0.0f)}) == 2.0f);
  CHECK(subjectAspect({vec3(0.0f), vec3(1.0f)}) == 1.0f);
}
