"""The commands of maya.cmds, without Maya: one script runs in both.

    try:
        from maya import cmds
    except ImportError:
        from purl import cmds

    cmds.loadPlugin("purl", quiet=True)
    sheet = cmds.polyPlane(width=20, height=20)[0]
    cmds.purlCreate(sheet, type="cloth")

Positional arguments, flags by long or short name, query=True and edit=True work as in Maya, and so do results: None for
nothing, lists where Maya returns lists, [(x, y, z)] for a vector. A command that fails raises RuntimeError and leaves the
scene unchanged. dir(cmds) lists the commands; cmds.help("purlCreate") returns what one does and its flags.
"""
from purl import _purl


def __getattr__(name):
    if name.startswith("__") or not _purl.knows_command(name):
        raise AttributeError(f"purl.cmds has no command {name}")

    def command(*args, **flags):
        return _purl.command(name, args, flags)

    command.__name__ = command.__qualname__ = name
    command.__doc__ = _purl.command_help(name)
    globals()[name] = command
    return command


def help(command):
    """What a command does and its flags, with their short names."""
    return _purl.command_help(command)


def __dir__():
    return sorted(_purl.command_names())
