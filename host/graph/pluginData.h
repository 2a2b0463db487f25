// Lookup of the data types registered by plugins, for the function sets.
#pragma once
#include "host/graph/data.h"

namespace purl::host {

void addPluginData(const PluginDataType& type);
void removePluginData(unsigned id);
std::shared_ptr<PluginData> adoptPluginData(MPxData* user);  // the object that owns it, created if needed

}  // namespace purl::host
