#include "host/mel/ui.h"

#include <algorithm>
#include <functional>
#include <set>

#include "host/graph/object.h"

namespace purl::host::mel {
namespace {

// Containers: the items created next become their children.
const std::set<std::string> kContainers = {"window",       "menu",       "shelfLayout",  "columnLayout",
                                           "frameLayout",  "formLayout", "rowLayout",    "tabLayout",
                                           "scrollLayout", "optionMenu", "optionMenuGrp"};
const std::set<std::string> kOthers = {"menuItem",
                                       "shelfButton",
                                       "separator",
                                       "text",
                                       "button",
                                       "intFieldGrp",
                                       "floatFieldGrp",
                                       "intSliderGrp",
                                       "floatSliderGrp",
                                       "textFieldGrp",
                                       "textFieldButtonGrp",
                                       "checkBoxGrp",
                                       "radioButtonGrp",
                                       "attrControlGrp",
                                       "editorTemplate",
                                       "runTimeCommand",
                                       "workspaceControl",
                                       "shelfTabLayout",
                                       "AEaddRampControl",
                                       "makePaintable",
                                       "attrEnumOptionMenuGrp"};
// Commands that act on existing items.
const std::set<std::string> kActions = {"setParent",     "deleteUI",      "showWindow", "menuSet",
                                        "fileDialog2",   "confirmDialog", "waitCursor", "refreshEditorTemplates",
                                        "inViewMessage", "play"};

// True for flags without a value, apart from queries.
bool takesNoValue(const std::string& command, const std::string& flag) {
    static const std::set<std::string> kBare = {"exists",
                                                "ex",
                                                "query",
                                                "q",
                                                "edit",
                                                "e",
                                                "delete",
                                                "menu",
                                                "control",
                                                "beginScrollLayout",
                                                "endScrollLayout",
                                                "endLayout",
                                                "addExtraControls",
                                                "addSeparator",
                                                "beginNoOptimize",
                                                "endNoOptimize",
                                                "topLevel",
                                                "remove",
                                                "restore",
                                                "rm"};
    if (command == "deleteUI" || command == "setParent") return true;  // their flags name the type of the item
    if (command == "menuItem" && flag == "menu") return false;
    return kBare.count(flag) > 0;
}

}  // namespace

const std::vector<std::string>* UiItem::find(const std::string& longName, const std::string& shortName) const {
    for (const auto& f : flags)
        if (f.first == longName || (!shortName.empty() && f.first == shortName)) return &f.second;
    return nullptr;
}

bool Ui::handles(const std::string& command) {
    return kContainers.count(command) || kOthers.count(command) || kActions.count(command);
}

const UiItem* Ui::find(const std::string& name) const {
    const std::string last = name.substr(name.rfind('|') + 1);
    for (const UiItem& item : items_)
        if (item.name == last) return &item;
    return nullptr;
}

void Ui::remove(const std::string& name) {
    std::set<std::string> gone = {name.substr(name.rfind('|') + 1)};
    for (const UiItem& item : items_)
        if (gone.count(item.parent)) gone.insert(item.name);
    items_.erase(std::remove_if(items_.begin(), items_.end(), [&](const UiItem& i) { return gone.count(i.name) > 0; }),
                 items_.end());
}

CommandResult Ui::call(const std::string& command, const std::vector<Word>& words) {
    UiItem given;
    given.command = command;
    given.parent = parent_;
    std::vector<std::string> names;
    bool query = false, edit = false, exists = false, deletes = false;
    for (const Word& w : words) query = query || (w.flag && (w.text == "-q" || w.text == "-query"));
    // Templates have no name argument: all words after a flag are its values.
    const bool greedy = command == "editorTemplate";
    for (size_t i = 0; i < words.size(); ++i) {
        if (!words[i].flag) {
            names.push_back(words[i].text);
            continue;
        }
        const std::string flag = words[i].text.substr(1);
        query = query || flag == "q" || flag == "query";
        edit = edit || flag == "e" || flag == "edit";
        exists = exists || flag == "exists" || flag == "ex";
        deletes = deletes || flag == "delete";
        std::vector<std::string> values;
        if (greedy)
            while (i + 1 < words.size() && !words[i + 1].flag) values.push_back(words[++i].text);
        else if (!takesNoValue(command, flag) && !query && i + 1 < words.size() && !words[i + 1].flag)
            values.push_back(words[++i].text);
        given.flags.emplace_back(flag, std::move(values));
    }
    if (command == "makePaintable" && names.size() == 2) {  // makePaintable nodeType attribute
        names = {names[0] + "." + names[1]};
        if (given.find("remove", "rm")) {
            if (!find(names[0])) throw Error("makePaintable: " + names[0] + " is not paintable");
            remove(names[0]);
            return {};
        }
        // -activate only filters what the tool lists.
        if (given.find("activate", "ac")) return {};
        if (find(names[0])) remove(names[0]);
    }
    const std::string name = names.empty() ? "" : names.back();
    if (exists) return find(name) != nullptr;
    if (command == "setParent") {
        if (name == "..") {
            const UiItem* at = find(parent_);
            parent_ = at ? at->parent : "MayaWindow";
        } else if (!name.empty()) {
            parent_ = name.substr(name.rfind('|') + 1);
        }
        return parent_;
    }
    if (command == "deleteUI" || deletes) {
        for (const std::string& each : names) {
            if (!find(each)) throw Error(command + ": no UI item named " + each);
            remove(each);
        }
        return {};
    }
    if (kActions.count(command)) {
        if (command == "menuSet") return std::string("dynamicsMenuSet");
        return {};
    }
    if (query || edit) {
        const UiItem* item = find(name);
        if (!item) throw Error(command + ": no UI item named " + name);
        UiItem& own = items_[item - items_.data()];
        for (const auto& flag : given.flags) {
            if (flag.first == "q" || flag.first == "query" || flag.first == "e" || flag.first == "edit") continue;
            if (query) {
                const auto* values = own.find(flag.first);
                return values && !values->empty() ? CommandResult(values->front()) : CommandResult(std::string());
            }
            auto there =
                std::find_if(own.flags.begin(), own.flags.end(), [&](const auto& f) { return f.first == flag.first; });
            if (there == own.flags.end())
                own.flags.push_back(flag);
            else
                *there = flag;
        }
        return {};
    }
    given.name = name.empty() ? command + std::to_string(++counts_[command]) : name.substr(name.rfind('|') + 1);
    if (const auto* parent = given.find("parent", "p"))
        if (!parent->empty()) given.parent = parent->front().substr(parent->front().rfind('|') + 1);
    if (find(given.name)) throw Error(command + ": a UI item named " + given.name + " already exists");
    const auto* below = given.find("subMenu", "sm");
    const bool holds = kContainers.count(command) > 0 ||
                       (below && !below->empty() && below->front() != "0" && below->front() != "false");
    items_.push_back(given);
    if (holds) parent_ = given.name;
    return given.name;
}

std::string Ui::text() const {
    std::string out;
    const std::function<void(const std::string&, int)> list = [&](const std::string& parent, int depth) {
        for (const UiItem& item : items_) {
            if (item.parent != parent) continue;
            out += std::string(size_t(2 * depth), ' ') + item.command + " " + item.name;
            for (const auto& [flag, values] : item.flags) {
                if (flag == "parent" || flag == "p") continue;
                out += " -" + flag;
                for (const std::string& v : values) out += " \"" + v + "\"";
            }
            out += "\n";
            if (item.name != parent) list(item.name, depth + 1);
        }
    };
    std::set<std::string> names;
    for (const UiItem& item : items_) names.insert(item.name);
    std::set<std::string> roots;
    for (const UiItem& item : items_)
        if (!names.count(item.parent)) roots.insert(item.parent);
    for (const std::string& root : roots) list(root, 0);
    return out;
}

}  // namespace purl::host::mel
