"""Runs validation cases and writes their page: one section per case with a table of results and references, and plots.

    scripts/validate [--quick] [CASE…]

A case is a file in cases/. Its docstring opens its section on the page; its run(case) computes the results. Sections of cases that are
not run stay as they are.
"""
import argparse
import ast
import importlib.util
import os
import pathlib
import re
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
HEAD = """# Validation
{verdict}

This page compares Purl's results with analytic solutions, experiments and published results. `scripts/validate` runs all cases on two cores and writes this page; `scripts/validate CASE` updates one of
them. A value in **bold** is outside of its tolerance.

| case | reference | results within tolerance | largest error | order |
|---|---|---|---|---|
{table}
"""


class Case:
    """Collects the results of one case."""

    def __init__(self, name, module, images, quick):
        self.name, self.module, self.images, self.quick = name, module, images, quick
        self.rows, self.drawings, self.notes = [], [], []

    def row(self, what, measured, expected, unit="", within=None, note=""):
        """A result and its reference; `within` is the tolerance in percent of the reference."""
        self.rows.append((what, measured, expected, unit, within, note))

    def below(self, what, measured, limit, unit="", note=""):
        """A result that should stay below a limit."""
        self.rows.append((what, measured, f"< {limit:g}", unit, measured <= limit, note))

    def above(self, what, measured, limit, unit="", note=""):
        """A result that should reach a limit."""
        self.rows.append((what, measured, f"> {limit:g}", unit, measured >= limit, note))

    def note(self, text):
        self.notes.append(text)

    def draw(self, name, xLabel, yLabel, curves, **axes):
        """curves: (label, x, y, style), style as in matplotlib; axes: xlim, ylim, xscale, yscale."""
        import matplotlib
        matplotlib.use("svg")
        matplotlib.rcParams.update({"svg.hashsalt": "purl", "font.size": 9})
        import matplotlib.pyplot as plt
        figure, plot = plt.subplots(figsize=(5.2, 3.4), layout="constrained")
        for label, x, y, style in curves:
            plot.plot(x, y, style, label=label, markersize=4, linewidth=1.2)
        plot.set(xlabel=xLabel, ylabel=yLabel, **axes)
        plot.grid(alpha=0.3)
        plot.legend(frameon=False)
        self.images.mkdir(parents=True, exist_ok=True)
        figure.savefig(self.images / f"{name}.svg", metadata={"Date": None})
        plt.close(figure)
        self.drawings.append((name, f"{yLabel} against {xLabel}"))

    def misses(self):
        return [row[0] for row in self.rows if not holds(row)]

    def section(self, seconds):
        title, _, text = self.module.__doc__.strip().partition("\n")
        lines = [f"## {title}", text.strip(), "", "| quantity | Purl | reference | error | tolerance |", "|---|---|---|---|---|"]
        for row in self.rows:
            what, measured, expected, unit, within, note = row
            unit = f" {unit}" if unit else ""
            value = f"{measured:.4g}{unit}"
            if not holds(row):
                value = f"**{value}**"
            if isinstance(expected, str):
                lines.append(f"| {what} | {value} | {expected}{unit} | | {note} |")
            else:
                off = f"{100 * (measured / expected - 1):+.2f} %" if expected else ""
                allowed = "" if within is None else f"{within:g} %"
                lines.append(f"| {what} | {value} | {expected:.4g}{unit} | {off} | {' '.join([allowed, note]).strip()} |")
        lines += [""] + [f"{text}\n" for text in self.notes]
        lines += [f"![{about}](images/validation/{name}.svg)" for name, about in self.drawings]
        lines += ["", f"`scripts/validate {self.name}`, {seconds:.0f} s of processor time."]
        return "\n".join(lines)


def holds(row):
    _, measured, expected, _, within, _ = row
    if isinstance(expected, str):
        return within
    return within is None or abs(measured - expected) <= within / 100 * abs(expected)


def load(name):
    spec = importlib.util.spec_from_file_location(name, HERE / "cases" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def sectionsOf(page):
    """{case: section} of an existing page."""
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    return {name: body.strip() for name, body in
            re.findall(r"<!-- case (\w+) -->\n(.*?)(?=<!-- case |\Z)", text, re.S)}


def referenceOf(name):
    """The constant REFERENCE of a case, read without running it."""
    for node in ast.parse((HERE / "cases" / f"{name}.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and node.targets[0].id == "REFERENCE":
            return ast.literal_eval(node.value)
    return ""


def summaryOf(section):
    """Of a section of the page: numbers of results and of misses, largest error of a result that has a tolerance, % or None, and its observed orders."""
    results = misses = 0
    errors, orders = [], re.findall(r"Observed order: (-?\d+\.\d+)", section)
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("| ") else []
        if len(cells) < 5 or cells[0] == "quantity":
            continue
        # A row without a limit or a tolerance compares, and judges nothing.
        if not (cells[2][:1] in "<>" or "%" in cells[4] or "**" in cells[1]):
            continue
        results += 1
        misses += "**" in cells[1]
        if cells[3]:
            errors.append(abs(float(cells[3].rstrip(" %"))))
        if cells[0].startswith("order"):
            orders.append(f"{float(cells[1].strip('*')):.2f}")
    return results, misses, max(errors, default=None), orders


def processorTime():
    """Seconds that this process and those that it waited for have used: unlike the wall clock, little affected by what else runs."""
    return sum(os.times()[:4])


def writePage(page, sections):
    page.write_text(headOf(sections) + "".join(f"\n<!-- case {name} -->\n{section}\n" for name, section in sections.items()), encoding="utf-8")


def headOf(sections):
    """Begins the page: a verdict in one line, and a table of the cases."""
    rows, results, misses = [], 0, {}
    for name, section in sections.items():
        title = section.partition("\n")[0].removeprefix("## ")
        anchor = "".join(c for c in title.lower().replace(" ", "-") if c.isalnum() or c in "-_")
        found, missed, error, orders = summaryOf(section)
        results += found
        if missed:
            misses[title] = missed
        rows.append(f"| [{title}](#{anchor}) | {referenceOf(name)} | {found - missed} of {found} | {'' if error is None else f'{error:.2g} %'} | {', '.join(orders)} |")
    count = sum(misses.values())
    verdict = f"{results - count} of {results} results of {len(sections)} cases are within their tolerances"
    verdict += "." if not count else f"; {count} {'is' if count == 1 else 'are'} not: {', '.join(misses)}."
    return HEAD.format(verdict=verdict, table="\n".join(rows))


def main():
    parser = argparse.ArgumentParser(prog="scripts/validate")
    parser.add_argument("--quick", action="store_true", help="coarse and short, into build/validation")
    parser.add_argument("cases", nargs="*", metavar="CASE")
    options = parser.parse_args()
    there = sorted(path.stem for path in (HERE / "cases").glob("*.py"))
    unknown = [name for name in options.cases if name not in there]
    if unknown:
        parser.error(f"unknown case {', '.join(unknown)}; the cases are {', '.join(there)}")
    docs = ROOT / "build" / "validation" if options.quick else ROOT / "docs"
    docs.mkdir(parents=True, exist_ok=True)
    page = docs / "validation.md"
    sys.path.insert(0, str(HERE))
    missed, start = [], time.time()
    for name in options.cases or there:
        print(f"{name} ... ", end="", flush=True)
        begin, used = time.time(), processorTime()
        case = Case(name, load(name), docs / "images" / "validation", options.quick)
        case.module.run(case)
        seconds = processorTime() - used
        misses = case.misses()
        print(f"{time.time() - begin:.0f} s, {seconds:.0f} s of processor time" + "".join(f"\n  out of tolerance: {what}" for what in misses), flush=True)
        missed += misses
        sections = sectionsOf(page)
        sections[name] = case.section(seconds)
        # Write after every case, so that an interrupted run keeps its results.
        writePage(page, {n: sections[n] for n in there if n in sections})
    print(f"written: {page}; {time.time() - start:.0f} s, {processorTime():.0f} s of processor time")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
