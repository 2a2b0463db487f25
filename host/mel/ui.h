// Stand-ins for Maya's UI commands: menu, menuItem, shelfButton, editorTemplate, … record the items they would create,
// so that UI scripts run and tests can check what an artist would see.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "host/api/commandResult.h"
#include "host/commands/call.h"

namespace purl::host::mel {

struct UiItem {
    std::string command, name, parent;
    std::vector<std::pair<std::string, std::vector<std::string>>>
        flags;  // long or short names, as written in the script
    const std::vector<std::string>* find(const std::string& longName, const std::string& shortName = {}) const;
};

class Ui {
  public:
    static bool handles(const std::string& command);
    CommandResult call(const std::string& command, const std::vector<Word>& words);

    const std::vector<UiItem>& items() const { return items_; }
    const UiItem* find(const std::string& name) const;
    std::string text() const;  // one line per item, indented below its parent

  private:
    void remove(const std::string& name);
    std::vector<UiItem> items_;
    std::string parent_ = "MayaWindow";
    std::map<std::string, int> counts_;
};

}  // namespace purl::host::mel
