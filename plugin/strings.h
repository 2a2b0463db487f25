// UI texts of the menu, shelf, option boxes and attribute editor, in one table. Maya can translate them
// (MStringResource); scripts read them with `purlDescribe -text key`.
#pragma once
#include <maya/MStatus.h>
#include <maya/MString.h>

#include <string>
#include <vector>

namespace purl {

struct UiString {
    const char *key, *english;
};
const std::vector<UiString>& uiStrings();

// Registers these and all headings and sentences of the attribute editor for translation, when the plug-in loads.
MStatus registerStrings();
// The translated text. Throws Error for an unknown key.
MString uiString(const std::string& key);
// Attribute editor texts: headings by their text, sentences by node and attribute.
MString uiHeading(const std::string& english);
MString uiSentence(const std::string& node, const std::string& attribute, const std::string& english);

}  // namespace purl
