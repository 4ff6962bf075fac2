#include "app/zones_file.h"

#include "app/sidecar.h"
#include "core/error.h"
#include "core/file.h"
#include "skinning/methods.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <vector>

namespace sinew {

Zones readZones(const Model& model, const std::string& name, const std::string& word,
                std::span<const std::string> joints) {
  Zones zones;
  zones.path = sidecarFile(kZonesSidecar, name, word);
  if (!zones.path.empty())
    zones.table = readZoneTable(model, readAbout(model, zones.path), zones.path);
  for (const std::string& text : joints)
    readZoneText(model, text, zones.table);
  checkZoneMethods(zones.table);
  return zones;
}

ZoneTable readZoneTable(const Model& model, std::string_view json, std::string_view path) {
  ZoneTable table = zonesFromJson(model, json, path);
  try {
    checkZoneMethods(table);
  } catch (const Error& error) {
    throw inputError(path, error.what());
  }
  return table;
}

std::string zoneMethodsText(const ZoneTable& table) {
  std::map<std::string, std::vector<std::string>> joints;
  for (const auto& [joint, zone] : table)
    if (!zone.method.empty()) joints[zone.method].push_back(joint);
  if (joints.empty()) return "no joint has a method of its own";
  std::string text;
  for (const auto& [method, names] : joints)
    text += fmt::format("{}{} by {}", text.empty() ? "" : "; ", fmt::join(names, ", "), method);
  return text;
}

void checkZoneMethods(const ZoneTable& table) {
  for (const auto& [joint, zone] : table) {
    if (zone.method.empty()) continue;
    if (findMethod(zone.method).perJoint)
      throw usageError(fmt::format("'method' of joint '{}' is {}, which is not of one joint", joint,
                                   zone.method),
                       "name the method that it is to have there");
  }
}

} // namespace sinew
