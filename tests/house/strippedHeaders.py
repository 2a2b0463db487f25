"""The host's API headers with only the includes that they cannot do without, so that a source that relies on another one
does not compile. Maya's own headers announce most classes, and each year others."""
import re
from pathlib import Path

# These declare more than a class of their name; the first two are included everywhere.
COMMON = ("MApiNamespace", "MTypes")
KEPT = COMMON + ("MViewport2Renderer",)


def withoutComments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)


def needsComplete(name, text):
    """Whether `text`, without comments and includes, uses class `name` in a way that an announcement does not allow."""
    return name in text and any(re.search(pattern, text) for pattern in (
        rf"\b{name}::",
        rf"[:,]\s*public\s+(?:\w+::)*{name}\b",
        rf"<[^<>;]*\b{name}\b[^<>;&*]*>",                           # an argument of a template
        rf"\b{name}\s+\w+\s*(?:\[\w*\]\s*)?[;={{,]",                # a member, or a parameter by value
        rf"\b{name}\s*\(",                                          # a temporary
        rf"\b{name}\s+[\w:+*/-]+\([^;{{}}]*\)[^;{{}}]*\{{",         # returned by a function with a body
        rf"\b{name}\s*&\s*(\w+)\b[^;{{}}]*\{{[^}}]*\b\1\.",         # a parameter whose members are used
        rf"\b{name}\s*&\s*\w+\s*=",                                 # a parameter with a default value
    ))


def stripped(text, own, names):
    """Header `own` with includes of the classes that it needs, and of no other of `names`."""
    plain = withoutComments(re.sub(r"#\s*include[^\n]*", "", text))
    needed = list(COMMON) + [name for name in names if name != own and needsComplete(name, plain)]
    kept = re.sub(r"[ \t]*#\s*include <maya/(\w+)\.h>\n", lambda m: "" if m.group(1) in names and m.group(1) not in KEPT else m.group(0), text)
    includes = "".join(f"#include <maya/{name}.h>\n" for name in needed if name != own)
    # MTypes.h defines the 64-bit integers and arrays of numbers, which need no class.
    if own in COMMON:
        includes = "" if own == "MApiNamespace" else "#include <maya/MApiNamespace.h>\n"
    return kept.replace("#pragma once\n", "#pragma once\n" + includes, 1)


def writeStripped(source, target):
    """The headers of folder `source` into folder `target`/maya."""
    headers = sorted(Path(source).glob("*.h"))
    names = [header.stem for header in headers]
    (target / "maya").mkdir(parents=True)
    for header in headers:
        text = header.read_text(encoding="utf-8")
        (target / "maya" / header.name).write_text(stripped(text, header.stem, names), encoding="utf-8")
