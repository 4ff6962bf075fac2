// A table and its four output formats. Every command that measures fills one, so that its text,
// CSV, JSON and HTML agree.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <variant>
#include <vector>

namespace sinew {

// A non-finite number means not measured: an empty cell, null in JSON.
using Cell = std::variant<std::string, double>;

struct Column {
  std::string name; // JSON key and CSV column; '_' is displayed as a space
  std::string unit; // empty: none
  int decimals = 3; // for displayed numbers; CSV and JSON keep all digits
};

// Every row has as many cells as there are columns.
struct Table {
  std::string title;
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;
};

// Columns aligned for a terminal: words to the left, numbers to the right.
std::string tableText(const Table& table);

// RFC 4180: a heading line of column names, commas, quotes where needed.
std::string tableCsv(const Table& table);

// An array with one object a row, by column name.
nlohmann::ordered_json tableJson(const Table& table);

// A <table> element; every text escaped.
std::string tableHtml(const Table& table);

// Text as HTML shows it, for element bodies and quoted attributes.
std::string htmlEscaped(const std::string& text);

} // namespace sinew
