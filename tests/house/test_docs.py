"""The pages for developers name only files and symbols that exist, so that a rename cannot leave them behind."""
import os
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = ["CONTRIBUTING.md", "docs/architecture.md", "docs/glossary.md"]
# Not checked: pages that are generated, and measurements, which name files as they were when they were measured.
UNCHECKED = ["docs/attributes.md", "docs/coverage.md", "docs/measurements.md"]
FOLDERS = ["app", "bench", "cmake", "docs", "farm", "host", "icons", "mel", "nodes", "panel", "plugin", "python", "render", "scenes", "scripts",
           "solver", "tests", "validation"]
SOURCES = (".h", ".cpp", ".py", ".mel", ".glsl", ".vert", ".geom", ".frag", ".cmake")
EXTENSIONS = SOURCES + (".md", ".txt", ".ma", ".tsv")

FENCE = re.compile(r"^```.*?^```", re.S | re.M)
PATH = re.compile(r"(?<![\w/.<-])(?:%s)/[\w./*-]*\w/?" % "|".join(FOLDERS))
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
# `CamelCase`, `Class::member`, `Template<T>`, `name()` or `name(argument)`, `kConstant`, `CONSTANT`.
SYMBOL = re.compile(r"(?:[A-Z]\w+|k[A-Z]\w+)(?:::\w+)*(?:<\w+>)?|\w+(?:::\w+)*\(.*\)")


def tree(root):
    """Paths of all files and folders below the source folders, and of the files beside them."""
    found = {entry.name for entry in root.iterdir() if entry.is_file()}
    for folder in FOLDERS:
        for here, folders, files in os.walk(root / folder):
            folders[:] = [name for name in folders if name != "__pycache__"]
            found.add(Path(here).relative_to(root).as_posix())
            found.update((Path(here) / name).relative_to(root).as_posix() for name in files)
    return found


def words(root):
    """Every identifier in the sources, except in this file."""
    found = set()
    for path in tree(root):
        if path.endswith(SOURCES) and path != "tests/house/test_docs.py" or path.startswith("scripts/") and (root / path).is_file():
            found.update(re.findall(r"\w+", (root / path).read_text(encoding="utf-8", errors="ignore")))
    return found


def exists(path, there):
    """Whether a path, without its extension (solver/step) or with a wildcard (simulator.*), names a file or folder."""
    path = path.rstrip("/").removeprefix("./")
    if "*" in path:
        pattern = re.compile(re.escape(path).replace(r"\*", r"[^/]*"))
        return any(pattern.fullmatch(other) for other in there)
    return path in there or path + ".h" in there or path + ".cpp" in there


def foldersOf(block):
    """Paths of a drawn tree: two spaces of indentation below a folder, a description after each name."""
    paths, parent = [], ""
    for line in block.splitlines()[1:-1]:
        name = re.match(r"(  )?([\w.*]+/?)(?= )", line)
        if name and name[1]:
            paths.append(parent + name[2])
        elif name:
            parent = name[2]
            paths.append(parent)
    return paths


def complaintsAbout(page, root, there, symbols=None):
    """One line for every path, link and, with `symbols`, name on a page that does not exist."""
    text = (root / page).read_text(encoding="utf-8")
    complaints = []
    for block in FENCE.findall(text):
        if re.search(r"^solver/ ", block, re.M):
            complaints += [f"{page}: there is no {path}" for path in foldersOf(block) if not exists(path, there)]
    prose = FENCE.sub("", text)
    for link in LINK.findall(prose):
        if not (root / page).parent.joinpath(link).exists():
            complaints.append(f"{page}: there is no {link}")
    complaints += [f"{page}: there is no {path}" for path in PATH.findall(LINK.sub("]", prose)) if not exists(path, there)]
    names = {Path(path).name for path in there}
    for token in re.findall(r"`([^`]+)`", prose):
        if re.fullmatch(r"[\w*]+\.\w+", token) and token.endswith(EXTENSIONS) and not exists(token, names):
            complaints.append(f"{page}: there is no file {token}")
        elif symbols is not None and SYMBOL.fullmatch(token):
            for word in re.findall(r"\w+", re.sub(r"<.*|\(.*", "", token)):
                if word not in symbols:
                    complaints.append(f"{page}: no source mentions {word} of `{token}`")
    return complaints


def test_thePagesForDevelopersNameWhatExists():
    there, symbols = tree(ROOT), words(ROOT)
    assert [line for page in PAGES for line in complaintsAbout(page, ROOT, there, symbols)] == []


def test_pagesForUsersNameFilesThatExist():
    pages = ["README.md", "bench/README.md", "scenes/README.md", *(f"docs/{page.name}" for page in sorted((ROOT / "docs").glob("*.md")))]
    there = tree(ROOT)
    assert [line for page in pages if page not in PAGES + UNCHECKED for line in complaintsAbout(page, ROOT, there)] == []


@pytest.mark.parametrize("text, complaint", [
    ("See `solver/step.cpp`, solver/step, `solver/`, `step.cpp`, `Frame::count`, `advance()` and [the page](page.md#top).", None),
    ("`build/release/app/purl`, `--frames`, `out/x/manifest.json`, `nodes/<name>Node.h` and `lower` are not checked.", None),
    ("See `solver/stop.cpp`.", "there is no solver/stop.cpp"),
    ("See solver/gone, which is not in backticks.", "there is no solver/gone"),
    ("See `stop.cpp`.", "there is no file stop.cpp"),
    ("See `Frames`.", "no source mentions Frames"),
    ("See `Frame::sum`.", "no source mentions sum of `Frame::sum`"),
    ("See `retreat(scene, 1)`.", "no source mentions retreat"),
    ("See [the page](gone.md).", "there is no gone.md"),
    ("```\nsolver/   library\n  step.*   a step\n  stop.*   no step\n```", "there is no solver/stop.*"),
])
def test_whatDoesNotExistIsReported(tmp_path, text, complaint):
    (tmp_path / "solver").mkdir()
    (tmp_path / "solver" / "step.cpp").write_text("struct Frame { int count; };\nvoid advance();\n")
    (tmp_path / "page.md").write_text(text)
    found = complaintsAbout("page.md", tmp_path, tree(tmp_path), words(tmp_path))
    assert len(found) == (complaint is not None)
    assert complaint is None or complaint in found[0]
