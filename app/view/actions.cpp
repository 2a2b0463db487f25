#include "app/view/actions.h"

namespace purl {

const std::vector<ActionAbout>& windowActions() {
    using A = ActionAbout;
    static const std::vector<A> all = {
        {"new", "File", "&New scene", "Ctrl+N", "A new scene with a solver"},
        {"open", "File", "&Open scene…", "Ctrl+O", "Open a .ma scene"},
        {"openCache", "File", "Open &cache…|", "Ctrl+Shift+O", "Open a cache folder"},
        {"save", "File", "&Save", "Ctrl+S", "Save the scene"},
        {"saveAs", "File", "Save &as…|", "Ctrl+Shift+S", "Save the scene as another file"},
        {"export", "File", "&Export…", "Ctrl+E", "Export an image, images, a film, a contact sheet or a cache"},
        {"farm", "File", "Submit to &farm…|", "Ctrl+Shift+F",
         "Write a job that simulates variations of the scene on a farm, and look at its wedges"},
        {"quit", "File", "&Quit", "Ctrl+Q", "Close the window"},
        {"undo", "Edit", "&Undo", "Ctrl+Z", "Undo the last edit"},
        {"redo", "Edit", "&Redo|", "Ctrl+Shift+Z", "Redo the edit undone last"},
        {"delete", "Edit", "&Delete", "Del", "Delete the selected node"},
        {"duplicate", "Edit", "Dup&licate", "Ctrl+D", "Duplicate the selected object, with its body if it has one"},
        {"key", "Edit", "Set &key", "S", "Set a key of the selected object's position, rotation and size"},
        {"deselect", "Edit", "Des&elect|", "Ctrl+Shift+A", "Select nothing"},
        {"fromStart", "Edit", "Apply edits from the &first frame", "",
         "Edits take effect at the first frame, not at "
         "the current one",
         A::off},
        {"selectTool", "Tools", "&Select", "Q", "Click to select; no handles"},
        {"moveTool", "Tools", "&Move", "W", "Handles that move the selected object"},
        {"rotateTool", "Tools", "&Rotate", "E", "Handles that rotate the selected object"},
        {"scaleTool", "Tools", "S&cale", "R", "Handles that scale the selected object"},
        {"play", "Simulation", "&Play", "Space", "Play, stop"},
        {"back", "Simulation", "Frame &back", "Left", "One frame back"},
        {"forward", "Simulation", "Frame &forward", "Right", "One frame forward"},
        {"first", "Simulation", "F&irst frame", "Home", "First frame of the play range"},
        {"last", "Simulation", "&Last frame|", "End", "Last frame of the play range"},
        {"rangeStart", "Simulation", "Play range starts &here", "[", "The play range starts at the current frame"},
        {"rangeEnd", "Simulation", "Play range &ends here", "]", "The play range ends at the current frame"},
        {"rangeAll", "Simulation", "Play &whole range", "\\", "The play range is the whole playback range"},
        {"loop", "Simulation", "L&oop", "L", "Start again at the end of the play range", A::on},
        {"realTime", "Simulation", "Real &time|", "T",
         "Play at the scene's frame rate, leaving out frames if need be; "
         "off: show every frame",
         A::on},
        {"simulate", "Simulation", "Simulate &all frames", "Ctrl+Return", "Simulate all frames"},
        {"stop", "Simulation", "&Stop", "Esc", "Stop playing, simulating or exporting; complete frames are kept"},
        {"restart", "Simulation", "&Restart", "Ctrl+R", "Discard all frames and simulate again"},
        {"frameAll", "View", "&Frame all", "A", "Fit everything in the view"},
        {"frameSelected", "View", "Frame &selected", "F", "Fit the selected object in the view, or everything"},
        {"shot", "View", "Back to the s&hot|", "C", "Look through the scene's camera again"},
        {"points", "View", "&Particles instead of surfaces", "P", "Show particles instead of surfaces", A::off},
        {"wire", "View", "&Wireframe", "4", "Show the edges of all meshes", A::off},
        {"ground", "View", "&Ground", "G", "Show the ground", A::on},
        {"guides", "View", "G&uides|", "U", "Show emitters, fields and cameras over the image", A::on},
        {"compare", "View", "Compare with a &cache…", "Ctrl+B",
         "Show another cache or branch beside this one, with "
         "the same camera and frame"},
        {"wipe", "View", "W&ipe", "Ctrl+W", "Show the other cache in the same image, behind a line to drag", A::off},
        {"endCompare", "View", "&End comparison", "", "Show one image again"},
        {"help", "Help", "&Keys", "?", "Show this table"},
        {"copyMessage", "Help", "&Copy message", "Ctrl+Shift+C", "Copy the message below the timeline"},
    };
    return all;
}

const std::vector<MouseAbout>& mouseGestures() {
    static const std::vector<MouseAbout> all = {
        {"left click", "select what is there; in empty space: nothing"},
        {"drag of a handle", "move, rotate or scale the selected object"},
        {"left drag, middle drag, right drag or wheel", "orbit, pan, zoom; with or without Alt"},
        {"drag on the timeline, with Shift", "go to a frame; set the play range"},
        {"drop of a .ma file or a cache folder", "open it"},
    };
    return all;
}

std::string keyTable() {
    std::string text = "| key or mouse | action |\n|---|---|\n";
    for (const ActionAbout& action : windowActions())
        if (*action.keys) text += std::string("| ") + action.keys + " | " + action.help + " |\n";
    for (const MouseAbout& mouse : mouseGestures())
        text += std::string("| ") + mouse.gesture + " | " + mouse.help + " |\n";
    return text;
}

}  // namespace purl
