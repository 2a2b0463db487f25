// Decodes the `.edits` of a reference node, a scene's changes to a referenced file, into statements.
//
//     "ballRN"                                             the node
//     "ballRN" 2                                           two edits follow
//     2 "|ball:top" "translate" " -type \"double3\" 0 5 0"
//     5 4 "ballRN" "|ball:top.rotateX" "ballRN.placeHolderList[1]" ""
//
// An animation curve of the scene that rotates the ball is then connected to ballRN.placeHolderList[1].
#pragma once
#include <map>
#include <string>
#include <vector>

#include "host/ma/values.h"

namespace purl::host {

struct ReferenceEdits {
    std::vector<std::string> statements;              // setAttr, addAttr, parent, connectAttr in file syntax
    std::map<std::string, std::string> placeHolders;  // "ballRN.placeHolderList[1]" → "|ball:top.rotateX"
    int unknown = 0;                                  // number of unsupported edits
};

ReferenceEdits readReferenceEdits(Words words);

}  // namespace purl::host
