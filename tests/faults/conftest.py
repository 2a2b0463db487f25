# Laboratories for the tests of faults.
import pytest

from faults.injection import Laboratory


@pytest.fixture(scope="module")
def makeLaboratory(purlProgram, buildFolder, tmp_path_factory):
    """makeLaboratory(scenario): a folder in which it is run and broken; made once a module."""
    library = buildFolder / "tests" / "faults" / "libpurl_faults.so"
    if not library.exists():
        pytest.skip(f"{library} is not built; it is for Linux without sanitizers")
    made = {}

    def make(scenario):
        if scenario not in made:
            made[scenario] = Laboratory(scenario, tmp_path_factory.mktemp("laboratory"), purlProgram, library)
        return made[scenario]

    return make
