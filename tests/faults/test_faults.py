"""Every call that can fail does, and every moment to die is taken: see injection.py. The test command tries some calls of each
run, the nightly one all of them."""
import pytest

from faults.injection import FILE_CALLS, SCENARIOS, Fault, Laboratory, spread

ALL = 10**9
ERRORS = {"write": "ENOSPC", "fsync": "EIO", "rename": "EIO", "unlink": "EIO", "open": "EMFILE", "mkdir": "EACCES",
          "read": "EIO"}


@pytest.fixture(scope="module")
def laboratory(purlProgram, buildFolder, tmp_path_factory):
    """laboratory(name): where the scenario of that name is run; made once."""
    library = buildFolder / "tests" / "faults" / "libpurl_faults.so"
    if not library.exists():
        pytest.skip(f"{library} is not built; it is for Linux without sanitizers")
    made = {}

    def find(name):
        if name not in made:
            made[name] = Laboratory(SCENARIOS[name], tmp_path_factory.mktemp(name), purlProgram, library)
        return made[name]

    return find


def check(laboratory, faults):
    """Tries them all and lists what went wrong, so that one run shows all there is."""
    problems = [problem for fault in faults for problem in laboratory.problemsOf(fault)]
    if problems:
        pytest.fail("\n".join(problems), pytrace=False)


def failures(laboratory, most):
    for kind in (*FILE_CALLS, "read"):
        for at in spread(laboratory.counts[kind], most):
            yield Fault(kind, at, ERRORS[kind])
    for at in spread(laboratory.counts["write"], most):
        yield Fault("write", at, "ENOSPC", lasting=True)


def deaths(laboratory, most):
    for kind in FILE_CALLS:
        for at in spread(laboratory.counts[kind], most):
            yield Fault(kind, at, "kill")
    for at in spread(laboratory.counts["write"], most):
        yield Fault("write", at, "tear")


@pytest.mark.parametrize("name", SCENARIOS)
def test_aCallThatFailsEndsTheRunWithOneLineAndItCanBeCompleted(laboratory, name):
    laboratory = laboratory(name)
    check(laboratory, failures(laboratory, 2))


@pytest.mark.parametrize("name", SCENARIOS)
def test_aRunKilledAtACallCanBeCompletedToTheSameBits(laboratory, name):
    laboratory = laboratory(name)
    check(laboratory, deaths(laboratory, 2))


@pytest.mark.nightly
@pytest.mark.parametrize("name", SCENARIOS)
def test_everyCallThatFailsEndsTheRunWithOneLineAndItCanBeCompleted(laboratory, name):
    laboratory = laboratory(name)
    check(laboratory, failures(laboratory, ALL))


@pytest.mark.nightly
@pytest.mark.parametrize("name", SCENARIOS)
def test_aRunKilledAtAnyCallCanBeCompletedToTheSameBits(laboratory, name):
    laboratory = laboratory(name)
    check(laboratory, deaths(laboratory, ALL))
