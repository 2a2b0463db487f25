// What a scene changed in a file it refers to: the value of a reference node's `.edits`, as statements.
//
//     "ballRN"                                             the node
//     "ballRN" 2                                           two edits follow
//     2 "|ball:top" "translate" " -type \"double3\" 0 5 0"
//     5 4 "ballRN" "|ball:top.rotateX" "ballRN.placeHolderList[1]" ""
//
// A curve of the scene that turns the ball is then connected to ballRN.placeHolderList[1].
#pragma once
#include <map>
#include <string>
#include <vector>

#include "host/ma/values.h"

namespace purl::host {

struct ReferenceEdits {
    std::vector<std::string> statements;              // setAttr, addAttr, parent, connectAttr: as a file would say it
    std::map<std::string, std::string> placeHolders;  // "ballRN.placeHolderList[1]" → "|ball:top.rotateX"
    int unknown = 0;                                  // edits of other kinds
};

ReferenceEdits readReferenceEdits(Words words);

}  // namespace purl::host
