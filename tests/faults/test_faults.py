"""Every call that can fail does, and every moment to die is taken: see injection.py. The test command tries some calls of each
run, the nightly one all of them."""
import pytest

from faults.injection import FILE_CALLS, SCENARIOS, Fault, spread

ALL = 10**9
ERRORS = {"write": "ENOSPC", "fsync": "EIO", "rename": "EIO", "unlink": "EIO", "open": "EMFILE", "mkdir": "EACCES",
          "read": "EIO"}


@pytest.fixture
def laboratory(makeLaboratory, name, record_property):
    found = makeLaboratory(SCENARIOS[name])
    found.outcomes.clear()
    yield found
    record_property("outcomes", dict(found.outcomes))
    print(f"{name}: {dict(found.outcomes)}")


def check(laboratory, faults):
    """Tries them all and lists what went wrong, so that one run shows all there is."""
    problems = [problem for fault in faults for problem in laboratory.problemsOf(fault)]
    if problems:
        pytest.fail("\n".join(problems), pytrace=False)


def failures(laboratory, most):
    for turn, kind in enumerate(ERRORS):
        for at in spread(laboratory.counts[kind], most, turn):
            yield Fault(kind, at, ERRORS[kind])
    for at in spread(laboratory.counts["write"], most, len(ERRORS)):
        yield Fault("write", at, "ENOSPC", lasting=True)
    for action in ("EINTR", "short"):
        for at in spread(laboratory.counts["write"], most // 2, len(ERRORS)):
            yield Fault("write", at, action)


def deaths(laboratory, most):
    for turn, kind in enumerate(FILE_CALLS):
        for at in spread(laboratory.counts[kind], most, turn):
            yield Fault(kind, at, "kill")
    for at in spread(laboratory.counts["write"], most, len(FILE_CALLS)):
        yield Fault("write", at, "tear")


def shortages(laboratory, most):
    """Of memory: a single piece of any size, a larger one, and everything from then on but what was freed."""
    for turn, (bytes, lasting) in enumerate(((1, False), (1024, False), (1024, True))):
        for at in spread(laboratory.countOf("allocation", bytes), most, turn):
            yield Fault("allocation", at, "ENOMEM", lasting, bytes)


@pytest.mark.parametrize("name", SCENARIOS)
def test_aCallThatFailsEndsTheRunWithOneLineAndItCanBeCompleted(laboratory):
    check(laboratory, failures(laboratory, 2))


@pytest.mark.parametrize("name", SCENARIOS)
def test_aRunKilledAtACallCanBeCompletedToTheSameBits(laboratory):
    check(laboratory, deaths(laboratory, 2))


# Mesa and LLVM take most of the memory of `render`, and hang or crash by themselves where there is none.
OWN_MEMORY = [name for name in SCENARIOS if name != "render"]


@pytest.mark.parametrize("name", OWN_MEMORY)
def test_memoryThatRunsOutEndsTheRunWithOneLineAndItCanBeCompleted(laboratory):
    check(laboratory, shortages(laboratory, 2))


@pytest.mark.parametrize("lasting", [False, True])
@pytest.mark.parametrize("name", SCENARIOS)
def test_threadsThatCannotBeMadeEndTheRunWithOneLineOrAreDoneWithout(laboratory, lasting):
    check(laboratory, [Fault("thread", at + 1, "EAGAIN", lasting) for at in range(laboratory.counts["thread"])])


@pytest.mark.nightly
@pytest.mark.parametrize("name", SCENARIOS)
def test_everyCallThatFailsEndsTheRunWithOneLineAndItCanBeCompleted(laboratory):
    check(laboratory, failures(laboratory, ALL))


@pytest.mark.nightly
@pytest.mark.parametrize("name", OWN_MEMORY)
def test_memoryThatRunsOutAnywhereEndsTheRunWithOneLineAndItCanBeCompleted(laboratory):
    check(laboratory, shortages(laboratory, 200))


@pytest.mark.nightly
@pytest.mark.parametrize("name", SCENARIOS)
def test_aRunKilledAtAnyCallCanBeCompletedToTheSameBits(laboratory):
    check(laboratory, deaths(laboratory, ALL))
