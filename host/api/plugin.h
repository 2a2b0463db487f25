// Plugins and the commands that they registered.
#pragma once
#include <maya/MPxCommand.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "host/graph/object.h"

namespace purl::host {

struct Plugin : Object {
    std::string name, path, vendor = "Unknown", version = "Unknown", apiVersion = "Any";
    std::string createUi, deleteUi, stringsProc;  // MEL procedures
    std::vector<std::string> owned;               // registered data types
    std::map<std::string, std::string> texts;     // UI strings by key
    MFn::Type apiType() const override { return MFn::kPlugin; }
};

struct CommandType {
    std::string name, plugin;
    void* (*create)() = nullptr;
    MSyntax (*syntax)() = nullptr;
};

std::shared_ptr<Plugin> findPlugin(const std::string& name);
void addPlugin(const std::shared_ptr<Plugin>& plugin);
// What it registered and did not deregister: "node purlFluid", "command purlInfo".
std::vector<std::string> leftoverRegistrations(const Plugin& plugin);
void removePlugin(const std::shared_ptr<Plugin>& plugin);
const CommandType* findCommand(const std::string& name);
std::vector<std::string> commandNames();

}  // namespace purl::host
