"""Draws the graph of a scene's Purl nodes and their inputs, in the style of Maya's node editor.

    python -m purl.graph scenes/jetOnKnit.ma jetOnKnit.svg
"""
import argparse
import json
import sys
from xml.sax.saxutils import escape

from purl import cmds

COLORS = {  # by the role of a node, as purlDescribe returns it
    "body": "#7fb3c8",
    "emitter": "#d8a657",
    "solver": "#d8a657",
    "frameFilter": "#9bbf85",
    "output": "#9bbf85",
    "other": "#a8a29a",
}
WIDTH, HEIGHT, APART, BELOW = 150, 46, 100, 34


def connections():
    """Connections (source node, attribute, destination node, attribute) of all Purl nodes and their inputs."""
    wanted = [node for node in cmds.ls() if cmds.nodeType(node).startswith("purl")]
    found, seen = [], set()
    while wanted:
        node = wanted.pop()
        if node in seen:
            continue
        seen.add(node)
        purl = cmds.nodeType(node).startswith("purl")
        for source in (True, False) if purl else (True,):
            plugs = cmds.listConnections(node, connections=True, plugs=True, source=source, destination=not source) or []
            for mine, other in zip(plugs[::2], plugs[1::2]):
                pair = (other, mine) if source else (mine, other)
                line = sum((tuple(plug.split(".", 1)) for plug in pair), ())
                if line not in found:
                    found.append(line)
                wanted.append(other.split(".", 1)[0])
    return found


def columns(lines):
    """Nodes by column: each is to the right of all its inputs."""
    nodes = list(dict.fromkeys(node for line in lines for node in (line[0], line[2])))
    place = {node: 0 for node in nodes}
    for _ in nodes:  # longest path; the number of rounds is limited in case of a cycle
        for source, _, destination, _ in lines:
            place[destination] = min(max(place[destination], place[source] + 1), len(nodes))
    # Move nodes that feed only one column directly before it.
    for node in reversed(nodes):
        after = [place[d] for s, _, d, _ in lines if s == node]
        if after and not any(d == node for _, _, d, _ in lines):
            place[node] = min(after) - 1
    table = {}
    for node in nodes:
        table.setdefault(place[node], []).append(node)
    return [table[column] for column in sorted(table)]


def arranged(table, lines):
    """Sorts the nodes of each column by their neighbours' positions, so that few lines cross."""
    rank = {node: row for column in table for row, node in enumerate(column)}
    for forward in (True, False) * 4:
        for column in table if forward else table[::-1]:
            def height(node):
                near = [rank[s] if forward else rank[d] for s, _, d, _ in lines if (d if forward else s) == node]
                return sum(near) / len(near) if near else rank[node]
            column.sort(key=height)
            rank.update((node, row) for row, node in enumerate(column))
    return table


def drawn(lines):
    """The drawing as SVG."""
    table = arranged(columns(lines), lines)
    inputs = {node: sorted({line[3] for line in lines if line[2] == node}) for column in table for node in column}
    tall = {node: max(HEIGHT, 13 * len(inputs[node]) + 14) for node in inputs}
    full = [sum(tall[node] + BELOW for node in column) - BELOW for column in table]
    at = {}
    for x, column in enumerate(table):
        y = 20 + (max(full) - full[x]) / 2
        for node in column:
            at[node] = (20 + x * (WIDTH + APART), y)
            y += tall[node] + BELOW
    for node in inputs:  # incoming lines from top to bottom, in the order of their sources
        inputs[node].sort(key=lambda attr: min(at[line[0]][1] for line in lines if line[2:] == (node, attr)))
    size = (40 + len(table) * (WIDTH + APART) - APART, 40 + max(full))
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size[0]:g} {size[1]:g}" width="{size[0]:g}" '
           'font-family="DejaVu Sans, sans-serif">', '<rect width="100%" height="100%" fill="#2b2e33" rx="6"/>']
    for source, out_attr, destination, in_attr in lines:
        (x0, y0), (x1, y1) = at[source], at[destination]
        x0, y0 = x0 + WIDTH, y0 + tall[source] / 2
        count = len(inputs[destination])
        y1 += tall[destination] / 2 + 13 * (inputs[destination].index(in_attr) - (count - 1) / 2)
        out.append(f'<path d="M{x0:g},{y0:g} C{x0 + 50:g},{y0:g} {x1 - 70:g},{y1:g} {x1:g},{y1:g}" fill="none" '
                   f'stroke="#8f959e" stroke-width="1.5"><title>{escape(f"{source}.{out_attr} to {destination}.{in_attr}")}'
                   '</title></path>')
        out.append(f'<text x="{x1 - 4:g}" y="{y1 - 3:g}" font-size="8.5" text-anchor="end" fill="#b9bec6">'
                   f'{escape(in_attr.split(".")[-1])}</text>')
    roles = {node["name"]: node["role"] for node in json.loads(cmds.purlDescribe(json=True))}
    for node, (x, y) in at.items():
        kind = cmds.nodeType(node)
        color = COLORS[roles.get(kind, "other")]
        middle = y + tall[node] / 2
        out.append(f'<rect x="{x:g}" y="{y:g}" width="{WIDTH}" height="{tall[node]}" rx="5" fill="#3a3e45" stroke="{color}"/>'
                   f'<rect x="{x:g}" y="{y:g}" width="6" height="{tall[node]}" rx="2" fill="{color}"/>'
                   f'<text x="{x + 14:g}" y="{middle - 3:g}" font-size="12" fill="#f0f0f0">{escape(node)}</text>'
                   f'<text x="{x + 14:g}" y="{middle + 13:g}" font-size="10" fill="{color}">{escape(kind)}</text>')
    return "\n".join(out + ["</svg>", ""])


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m purl.graph", description=__doc__.splitlines()[0])
    parser.add_argument("scene", help="a .ma file")
    parser.add_argument("svg", help="the picture to write")
    options = parser.parse_args(arguments)
    try:
        cmds.file(options.scene, open=True, force=True)
        lines = connections()
        if not lines:
            raise RuntimeError(f"{options.scene}: has no Purl nodes that are connected")
        with open(options.svg, "w", encoding="utf-8") as out:
            out.write(drawn(lines))
    except (RuntimeError, OSError) as error:
        sys.exit(f"purl.graph: {error}")


if __name__ == "__main__":
    main()
