#include "editor/document/views.h"

#include "editor/document/side_models.h"
#include "skinning/methods.h"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {

std::size_t viewCount(const Document& document) {
  return document.settings.methods.size() + document.sideModels.size();
}

const SideModel* sideModelIn(const Document& document, std::size_t view) {
  const std::size_t own = document.settings.methods.size();
  return view >= own && view < viewCount(document) ? &document.sideModels[view - own] : nullptr;
}

std::size_t activeView(const Document& document) {
  return std::min(document.views.active, viewCount(document) - 1);
}

MethodChoice activeChoice(const Document& document) {
  if (const SideModel* sideModel = sideModelIn(document, activeView(document)))
    return sideModel->choice;
  return document.settings.methods[activeView(document)];
}

void setActiveChoice(Document& document, const MethodChoice& choice) {
  const std::size_t own = document.settings.methods.size();
  if (sideModelIn(document, activeView(document)) != nullptr)
    document.sideModels[activeView(document) - own].choice = choice;
  else
    document.settings.methods[activeView(document)] = choice;
}

void addView(Document& document) {
  if (document.crowd) return notify(document, "the stress scene has one view");
  std::vector<MethodChoice>& choices = document.settings.methods;
  std::vector<const Method*> order{&findMethod("lbs")};
  for (const Method& method : methods())
    if (&method != order.front() && method.name != "rigid") order.push_back(&method);
  order.push_back(&findMethod("rigid"));
  const auto isNew = [&](const Method* method) {
    return std::ranges::find(choices, method, &MethodChoice::method) == choices.end();
  };
  const auto fresh = std::ranges::find_if(order, isNew);
  choices.push_back({fresh != order.end() ? *fresh : order.front()});
  document.views = {.active = choices.size() - 1, .alone = false};
}

void removeView(Document& document) {
  if (const SideModel* sideModel = sideModelIn(document, activeView(document)))
    return removeSideModel(document, sideModel->id);
  std::vector<MethodChoice>& choices = document.settings.methods;
  if (choices.size() == 1) return notify(document, "the last view cannot be removed");
  choices.erase(choices.begin() + static_cast<std::ptrdiff_t>(activeView(document)));
  document.views = {.active = activeView(document), .alone = false};
}

void nextView(Document& document, int step) {
  const auto count = static_cast<int>(viewCount(document));
  const int next = (static_cast<int>(activeView(document)) + step + count) % count;
  document.views.active = static_cast<std::size_t>(next);
}

void toggleAlone(Document& document) {
  document.views.alone = !document.views.alone && viewCount(document) > 1;
}

void toggleDifference(Document& document) {
  if (document.crowd) return notify(document, "the stress scene shows no differences");
  std::optional<MethodChoice>& difference = document.settings.difference;
  if (difference) return difference.reset();
  const std::vector<MethodChoice>& choices = document.settings.methods;
  const Method* linear = &findMethod("lbs");
  const auto shown = std::ranges::find(choices, linear, &MethodChoice::method);
  difference = shown != choices.end() ? *shown : MethodChoice{linear};
  if (std::ranges::all_of(choices, [&](const MethodChoice& c) { return c == *difference; }))
    notify(document, fmt::format("differences are from {}: add a view (V) or choose another method",
                                 makeTitle(*difference)));
}

} // namespace sinew
