#include "report/table.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <limits>

namespace sinew {
namespace {

Table sample() {
  return {"Times",
          {{"method", "", 0}, {"ms_frame", "ms", 2}},
          {{"lbs", 1.0},
           {"a \"b\", <c>", 12.345678},
           {"none", std::numeric_limits<double>::quiet_NaN()}}};
}

TEST_CASE("a table as text has aligned columns") {
  CHECK(tableText(sample()) == "Times\n"
                               "method      ms frame [ms]\n"
                               "lbs                  1.00\n"
                               "a \"b\", <c>          12.35\n"
                               "none\n");
}

TEST_CASE("a table as CSV quotes what needs it and keeps all digits") {
  CHECK(tableCsv(sample()) == "method,ms_frame\nlbs,1\n\"a \"\"b\"\", <c>\",12.345678\nnone,\n");
}

TEST_CASE("a cell that a spreadsheet would calculate is text") {
  const Table table{"", {{"name", "", 0}}, {{"=1+1"}, {"@sum"}, {"-x"}, {"+a,b"}, {"-"}, {-2.0}}};
  CHECK(tableCsv(table) == "name\n'=1+1\n'@sum\n'-x\n\"'+a,b\"\n-\n-2\n");
}

TEST_CASE("a table as JSON has null where nothing was measured") {
  const auto json = tableJson(sample());
  REQUIRE(json.size() == 3);
  CHECK(json[1]["ms_frame"] == 12.345678);
  CHECK(json[2]["ms_frame"].is_null());
  CHECK(json[0].begin().key() == "method");
}

TEST_CASE("a table as HTML escapes its texts") {
  const std::string html = tableHtml(sample());
  CHECK(html.find("a &quot;b&quot;, &lt;c&gt;") != std::string::npos);
  CHECK(html.find("<td class=\"number\">12.35</td>") != std::string::npos);
  CHECK(html.find("<caption>Times</caption>") != std::string::npos);
}

TEST_CASE("columns count letters, not bytes") {
  const Table table{"", {{"n", "", 0}, {"x", "", 0}}, {{"Zoë", 1.0}, {"abcd", 2.0}}};
  CHECK(tableText(table) == "n     x\nZoë   1\nabcd  2\n");
}

} // namespace
} // namespace sinew
