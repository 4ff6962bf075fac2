#include "report/table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string_view>

namespace sinew {
namespace {

bool isNumber(const Cell& cell) {
  return std::holds_alternative<double>(cell);
}

// The text for human readers.
std::string shown(const Cell& cell, const Column& column) {
  if (const auto* word = std::get_if<std::string>(&cell)) return *word;
  const double value = std::get<double>(cell);
  return std::isfinite(value) ? fmt::format("{:.{}f}", value, column.decimals) : "";
}

std::string heading(const Column& column) {
  std::string text = column.name;
  std::replace(text.begin(), text.end(), '_', ' ');
  return column.unit.empty() ? text : fmt::format("{} [{}]", text, column.unit);
}

// Code points, because terminals count columns by them.
std::size_t length(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::string padded(const std::string& text, std::size_t width, bool toTheRight) {
  const std::string space(width - std::min(width, length(text)), ' ');
  return toTheRight ? space + text : text + space;
}

std::string csvField(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text)
    quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

// Spreadsheets take a cell that begins so for a formula, and formulas can fetch and send: an
// apostrophe before it makes it text.
bool isFormula(const std::string& text) {
  return text.size() > 1 && std::string_view("=+-@\t\r").find(text[0]) != std::string_view::npos;
}

std::string csvField(const Cell& cell) {
  if (const auto* word = std::get_if<std::string>(&cell))
    return csvField(isFormula(*word) ? "'" + *word : *word);
  const double value = std::get<double>(cell);
  return std::isfinite(value) ? fmt::format("{}", value) : "";
}

} // namespace

std::string tableText(const Table& table) {
  std::vector<std::size_t> widths;
  std::vector<bool> numbers;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    std::size_t width = length(heading(table.columns[c]));
    bool number = !table.rows.empty();
    for (const auto& row : table.rows) {
      assert(row.size() == table.columns.size());
      width = std::max(width, length(shown(row[c], table.columns[c])));
      number = number && isNumber(row[c]);
    }
    widths.push_back(width);
    numbers.push_back(number);
  }
  const auto line = [&](auto getText) {
    std::string text;
    for (std::size_t c = 0; c < widths.size(); ++c)
      text += (c == 0 ? "" : "  ") + padded(getText(c), widths[c], numbers[c]);
    return text.substr(0, text.find_last_not_of(' ') + 1) + '\n';
  };
  std::string text = table.title.empty() ? "" : table.title + '\n';
  text += line([&](std::size_t c) { return heading(table.columns[c]); });
  for (const auto& row : table.rows)
    text += line([&](std::size_t c) { return shown(row[c], table.columns[c]); });
  return text;
}

std::string tableCsv(const Table& table) {
  std::string text;
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    text += (c == 0 ? "" : ",") + csvField(table.columns[c].name);
  text += '\n';
  for (const auto& row : table.rows) {
    for (std::size_t c = 0; c < row.size(); ++c)
      text += (c == 0 ? "" : ",") + csvField(row[c]);
    text += '\n';
  }
  return text;
}

nlohmann::ordered_json tableJson(const Table& table) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const auto& row : table.rows) {
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    for (std::size_t c = 0; c < row.size(); ++c) {
      const auto& name = table.columns[c].name;
      if (const auto* word = std::get_if<std::string>(&row[c]))
        object[name] = *word;
      else if (const double value = std::get<double>(row[c]); std::isfinite(value))
        object[name] = value;
      else
        object[name] = nullptr;
    }
    rows.push_back(std::move(object));
  }
  return rows;
}

std::string htmlEscaped(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
    case '&':
      escaped += "&amp;";
      break;
    case '<':
      escaped += "&lt;";
      break;
    case '>':
      escaped += "&gt;";
      break;
    case '"':
      escaped += "&quot;";
      break;
    default:
      escaped += c;
    }
  }
  return escaped;
}

std::string tableHtml(const Table& table) {
  std::string html = "<table>\n";
  if (!table.title.empty()) html += "<caption>" + htmlEscaped(table.title) + "</caption>\n";
  html += "<tr>";
  for (const Column& column : table.columns)
    html += "<th>" + htmlEscaped(heading(column)) + "</th>";
  html += "</tr>\n";
  for (const auto& row : table.rows) {
    html += "<tr>";
    for (std::size_t c = 0; c < row.size(); ++c)
      html += fmt::format("<td{}>{}</td>", isNumber(row[c]) ? " class=\"number\"" : "",
                          htmlEscaped(shown(row[c], table.columns[c])));
    html += "</tr>\n";
  }
  return html + "</table>\n";
}

} // namespace sinew
