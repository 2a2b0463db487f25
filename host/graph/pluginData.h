// The table of data types that plugins brought, as the function sets see it.
#pragma once
#include "host/graph/data.h"

namespace purl::host {

void addPluginData(const PluginDataType& type);
void removePluginData(unsigned id);
std::shared_ptr<PluginData> adoptPluginData(MPxData* user);  // the object that owns it, made if there is none yet

}  // namespace purl::host
