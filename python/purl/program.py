"""The `purl` command from Python: purl.render(), purl.command()."""
import os
import shutil
import subprocess
import sys
from pathlib import Path

from purl._purl import Error


def program():
    """Path of the `purl` command: PURL_BIN, the one that pip installed with this package, the one of this build folder,
    or the first on PATH."""
    here = Path(__file__).resolve().parent
    candidates = [os.environ.get("PURL_BIN"), Path(sys.executable).parent / "purl", here.parents[1] / "app" / "purl",
                  shutil.which("purl")]
    for path in candidates:
        if path and os.access(path, os.X_OK) and Path(path).is_file():
            return str(path)
    raise Error("the purl command was not found; pip install . builds it if fmt, CLI11, libpng and EGL are there, or set "
                "PURL_BIN to its path")


def command(name, *arguments, **options):
    """Runs `purl NAME` and returns what it prints: command("verify", "out/film"), command("convert", "out/film",
    "film.abc", frames="1-24"). An option one_file=True is --one-file; a list repeats the option. Raises purl.Error with
    the message of the command if it fails."""
    words = [program(), name, *map(str, arguments)]
    for key, value in options.items():
        flag = "--" + key.replace("_", "-")
        for item in value if isinstance(value, (list, tuple)) else [value]:
            if item is True:
                words.append(flag)
            elif item is not False and item is not None:
                words += [flag, str(item)]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or [f"purl {name} ended with code {done.returncode}"]
        raise Error(lines[-1].removeprefix("purl: "))
    return done.stdout


def render(source, **options):
    """Renders pictures of a cache or a .ma scene as `purl render` does: render("out/film", movie="film.mp4",
    size="640x360", frames="1-24"). `purl render --help` lists the options."""
    return command("render", source, **options)
