"""What the build promises: every kernel of a CUDA build has GPU code, and scripts/buildTimes adds up what ninja recorded."""
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def kernelsWithoutGpu(symbols):
    """Objects of `nm --print-file-name --demangle` output that launch kernels which g++ compiled, not nvcc."""
    return sorted(set(re.findall(r"^[^:]*:([^:]*):.*withoutGpu::forEach<", symbols, flags=re.M)))


def test_kernelsThatGccCompiledAreFound():
    symbols = ("lib.a:cloth.cpp.o:0 W void purl::withoutGpu::forEach<purl::Kick>(purl::Device const&)\n"
               "lib.a:wet.cpp.o:0 W void purl::withGpu::forEach<purl::Soak>(purl::Device const&)\n")
    assert kernelsWithoutGpu(symbols) == ["cloth.cpp.o"]


def test_everyKernelOfACudaBuildHasGpuCode(buildFolder):
    if "PURL_CUDA:BOOL=ON" not in (buildFolder / "CMakeCache.txt").read_text():
        pytest.skip("built without CUDA")
    symbols = subprocess.run(["nm", "--print-file-name", "--demangle", buildFolder / "solver/libpurl_solver.a"],
                             capture_output=True, text=True, check=True).stdout
    assert "withGpu::forEach<" in symbols
    assert not kernelsWithoutGpu(symbols), "compiled by g++; see the pattern in solver/CMakeLists.txt"


def test_buildTimesAddUpPerTarget(tmp_path):
    (tmp_path / ".ninja_log").write_text("# ninja log v5\n"
                                         "0\t2000\t0\tsolver/CMakeFiles/purl_solver.dir/step.cpp.o\ta\n"
                                         "500\t1500\t0\tsolver/CMakeFiles/purl_solver.dir/cloth/cloth.cpp.o\tb\n"
                                         "2000\t2500\t0\thost/CMakeFiles/purl_host.dir/Unity/unity_graph_cxx.cxx.o\tc\n")
    printed = subprocess.run([sys.executable, ROOT / "scripts/buildTimes", tmp_path], capture_output=True, text=True, check=True).stdout
    rows = [line.split()[:3] for line in printed.splitlines()]
    assert ["purl_solver", "2", "3.0"] in rows
    assert ["purl_host", "1", "0.5"] in rows


def test_buildTimesWithoutABuildSaysWhatIsMissing(tmp_path):
    done = subprocess.run([sys.executable, ROOT / "scripts/buildTimes", tmp_path], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.strip() == f"buildTimes: {tmp_path}/.ninja_log does not exist; build with scripts/demo or scripts/test first"


CLASS = re.compile(r"\b(?:struct|class)\s+(?:alignas\(\w+\)\s+)?(\w+)[^;{}()=]*\{")
OUTSIDE = re.compile(r"\b(\w+)(?:<[^<>;{}]*>)?::~?\w+\([^;{}]*\)[^;{}()]*\{")  # a member function defined outside of its class
LAMBDA = re.compile(r"(?<![\w\])])\s*\[([&=][^\]]*)\]\s*(?=[({])")
CALL = re.compile(r"(?<![\w.:>])(\w+)\(")


def closing(text, begin):
    """Position after the bracket that closes the one at `begin`."""
    depth = 0
    for position in range(begin, len(text)):
        depth += (text[position] in "({[") - (text[position] in ")}]")
        if depth == 0:
            return position + 1
    return len(text)


def methodsOf(body):
    """Names of the member functions in a class body that are not static, as far as its text shows them."""
    names, statement, position = set(), "", 0
    while position < len(body):
        if body[position] in "({":
            name = re.search(r"(\w+)\s*$", statement)
            if body[position] == "(" and name and "static" not in statement.split() and "=" not in statement:
                names.add(name[1])
            statement = "" if body[position] == "{" else statement + "()"
            position = closing(body, position)
            continue
        statement = "" if body[position] in ";:" else statement + body[position]
        position += 1
    return names


def closuresThatDiffer(text):
    """Lambdas that call a member function of their class without capturing `this` by name, as (line, name of the function).
    nvcc writes the call as (this)->name(…). g++ then captures `this` before the arguments of the call, and without nvcc after
    them, so that the two compilers disagree on where the captured values are."""
    text = re.sub(r"//[^\n]*", lambda comment: " " * len(comment[0]), text)
    methods, scopes = {}, []
    for match in CLASS.finditer(text):
        scopes.append((match.end() - 1, closing(text, match.end() - 1), match[1]))
        methods.setdefault(match[1], set()).update(methodsOf(text[match.end():scopes[-1][1] - 1]))
    scopes += [(match.end() - 1, closing(text, match.end() - 1), match[1]) for match in OUTSIDE.finditer(text) if match[1] in methods]
    found = []
    for match in LAMBDA.finditer(text):
        around = [scope for scope in scopes if scope[0] < match.start() < scope[1]]
        if not around or "this" in match[1]:
            continue
        owner = max(around)[2]
        begin = text.find("{", closing(text, match.end()) if text[match.end()] == "(" else match.end())
        for call in CALL.finditer(text, begin, closing(text, begin)):
            if call[1] in methods[owner]:
                found.append((text.count("\n", 0, call.start()) + 1, call[1]))
    return found


def test_lambdasWhoseLayoutDependsOnTheCompilerAreFound():
    text = """struct Pair {
    static float half(float a) { return a / 2; }
    float scaled(float a) const { return a * scale; }
    void visit(float x) const {
        each(count, [&](int i) { sum += scaled(x) + i; });
        each(count, [&, this](int i) { sum += scaled(x) + i; });
        each(count, [&](int i) { sum += this->scaled(x) + half(x) + other.scaled(x) + values[i]; });
    }
    template <class F> void later(const F& f) const;
    float scale;
};
template <class F>
void Pair::later(const F& f) const {
    each(count, [&](int i) { f(scaled(i)); });
}
inline float scaledTwice(float x) { return each([&] { return scaled(x); }); }
"""
    assert closuresThatDiffer(text) == [(5, "scaled"), (14, "scaled")]


# nvcc and g++ both compile the solver's headers, and the linker keeps one copy of each inline function.
def test_lambdasInHeadersHaveOneLayout():
    complaints = [f"{path.relative_to(ROOT)}:{line}: a lambda calls {name}(); capture `this` by name"
                  for path in sorted((ROOT / "solver").rglob("*.h")) for line, name in closuresThatDiffer(path.read_text())]
    assert complaints == []
