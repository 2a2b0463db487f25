# What holds for all Python tests. Long ones are marked @pytest.mark.nightly; scripts/test leaves them out without --nightly.
import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def pytest_configure(config):
    config.addinivalue_line("markers", "nightly: takes minutes; run by scripts/test --nightly")


class Purl:
    """The `purl` command, run as a user runs it."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def start(self, *arguments, **options):
        return subprocess.Popen([self.program, *map(str, arguments)], cwd=self.folder, text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, **options)

    def run(self, *arguments):
        """Whatever comes of it."""
        return subprocess.run([self.program, *map(str, arguments)], cwd=self.folder, text=True, capture_output=True,
                              timeout=120)

    def __call__(self, *arguments):
        """Must go well; gives what it printed."""
        done = self.run(*arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def refuses(self, *arguments):
        """Must end with code 2 and one line of complaint, the last; gives it without the "purl: "."""
        done = self.run(*arguments)
        assert done.returncode == 2, (done.returncode, done.stderr)
        lines = done.stderr.splitlines()
        complaints = [line for line in lines if line.startswith("purl: ")]
        assert len(complaints) == 1 and lines[-1] == complaints[0], done.stderr
        return complaints[0][len("purl: "):]


@pytest.fixture(scope="session")
def buildFolder():
    return Path(os.environ.get("PURL_BUILD", ROOT / "build" / "release"))


@pytest.fixture(scope="session")
def purlProgram(buildFolder):
    program = Path(os.environ.get("PURL_BIN", buildFolder / "app" / "purl"))
    assert program.is_file(), f"{program} is not built"
    return str(program)


@pytest.fixture
def purl(purlProgram, tmp_path):
    """The command, run in the test's own folder."""
    return Purl(purlProgram, tmp_path)


@pytest.fixture
def scene(tmp_path):
    """scene(text, name) writes a scene into the test's folder."""

    def write(text, name="tiny.ma"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.fixture
def hashes():
    """hashes(cache folder): the receipt of every frame, by number."""

    def read(folder):
        manifest = json.loads((Path(folder) / "manifest.json").read_text(encoding="utf-8"))
        return {frame["number"]: frame["stateHash"] for frame in manifest["frames"]}

    return read
