// The texts of Purl's menu, shelf, option boxes and attribute editor, in one table. Maya may have a translation for any
// of them (MStringResource); scripts ask for them with `purlDescribe -text key`.
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

// All of them, and every heading and sentence of the attribute editor, for Maya to translate; when the plugin loads.
MStatus registerStrings();
// As the artist reads it. Throws Error on a key that is not in the table.
MString uiString(const std::string& key);
// Of the attribute editor: a heading by itself, a sentence by its node and attribute.
MString uiHeading(const std::string& english);
MString uiSentence(const std::string& node, const std::string& attribute, const std::string& english);

}  // namespace purl
