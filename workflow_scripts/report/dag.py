"""The graph of the rules as a picture: data flow from top to bottom, a box per rule with its stage.

Layers are longest paths, the order within a layer follows the barycentres of neighbours, a long edge passes
each layer at a separate place (Sugiyama's method). Everything is sorted, so that a graph has one picture.
"""

from collections.abc import Collection, Mapping, Sequence
from html import escape
from itertools import pairwise

import networkx as nx

from workflow_scripts.figures.look import tint

Edge = tuple[str, str]
# Layer by layer, from left to right; a place in a long edge is (edge, layer).
Spot = str | tuple[Edge, int]

HUES = ("sky blue", "orange", "green", "yellow", "blue", "vermillion", "purple")
LETTER, SMALL = 6.3, 5.2
BOX, GAP, BETWEEN = 34, 10, 30
SWEEPS = 24
RELAXATIONS = 400


def acyclic(after: Mapping[str, Sequence[str]]) -> tuple[nx.DiGraph, list[Edge]]:
    """The graph of the edges (from, to) without cycles and without those that a longer path says too.

    Beside it the edges that would close a cycle: a rule that is used twice on the way to a file, for a base
    and for what is built on it, may follow itself.
    """
    graph = nx.DiGraph()
    graph.add_nodes_from(sorted(after))
    graph.add_edges_from(sorted((source, name) for name, before in after.items() for source in before))
    back: list[Edge] = []
    while not nx.is_directed_acyclic_graph(graph):
        back.append(nx.find_cycle(graph)[-1])
        graph.remove_edge(*back[-1])
    return nx.transitive_reduction(graph), back


def layers(graph: nx.DiGraph) -> dict[str, int]:
    """The layer of each rule: below its sources; a rule without inputs is just above its first user."""
    layer_of = {
        name: layer for layer, names in enumerate(nx.topological_generations(graph)) for name in names
    }
    for name in graph:
        if not graph.in_degree(name) and graph.out_degree(name):
            layer_of[name] = min(layer_of[target] for target in graph.successors(name)) - 1
    return layer_of


def ordered(
    place: Mapping[str, int], edges: Sequence[Edge]
) -> tuple[list[list[Spot]], dict[Spot, list[Spot]], dict[Spot, list[Spot]]]:
    """The layers from left to right, with the places of long edges, and the neighbours above and below."""
    rows: list[list[Spot]] = [[] for _ in range(max(place.values()) + 1)]
    for name in sorted(place):
        rows[place[name]].append(name)
    above: dict[Spot, list[Spot]] = {}
    below: dict[Spot, list[Spot]] = {}
    for edge in edges:
        path: list[Spot] = [edge[0]]
        for layer in range(place[edge[0]] + 1, place[edge[1]]):
            path.append((edge, layer))
            rows[layer].append((edge, layer))
        path.append(edge[1])
        for upper, lower in pairwise(path):
            below.setdefault(upper, []).append(lower)
            above.setdefault(lower, []).append(upper)
    best, crossed = [list(row) for row in rows], _crossings(rows, below)
    for sweep in range(SWEEPS):
        down = sweep % 2 == 0
        for row in rows if down else reversed(rows):
            positions = {spot: x for other in rows for x, spot in enumerate(other)}
            near = above if down else below
            centre = {
                spot: (
                    sum(positions[other] for other in near[spot]) / len(near[spot])
                    if near.get(spot)
                    else positions[spot]
                )
                for spot in row
            }
            row.sort(key=lambda spot: centre[spot])
        count = _crossings(rows, below)
        if count < crossed:
            best, crossed = [list(row) for row in rows], count
    return best, above, below


def _crossings(rows: Sequence[Sequence[Spot]], below: Mapping[Spot, Sequence[Spot]]) -> int:
    count = 0
    for upper, lower in pairwise(rows):
        positions = {spot: x for x, spot in enumerate(lower)}
        ends = [sorted(positions[other] for other in below.get(spot, ())) for spot in upper]
        seen: list[int] = []
        for row in ends:
            count += sum(1 for end in row for other in seen if other > end)
            seen += row
    return count


def _widths(rows: Sequence[Sequence[Spot]], stages: Mapping[str, str]) -> dict[Spot, float]:
    return {
        spot: max(len(spot) * LETTER, len(stages[spot]) * SMALL) + 16 if isinstance(spot, str) else 4.0
        for row in rows
        for spot in row
    }


def _across(
    rows: Sequence[Sequence[Spot]], near: Mapping[Spot, Sequence[Spot]], width: Mapping[Spot, float]
) -> dict[Spot, float]:
    """The horizontal centre of each spot: near its neighbours, in its layer's order, none overlapping."""
    x: dict[Spot, float] = {}
    for row in rows:
        total = sum(width[spot] + GAP for spot in row)
        left = -total / 2
        for spot in row:
            x[spot] = left + width[spot] / 2
            left += width[spot] + GAP
    for sweep in range(RELAXATIONS):
        for row in rows if sweep % 2 else reversed(rows):
            wish = {spot: _wish(spot, near.get(spot, ()), x) for spot in row}
            # From both sides, each as near to its wish as its neighbours let it; then the middle.
            right = _pushed(row, wish, width)
            left_most = _pushed(row[::-1], {spot: -wish[spot] for spot in row}, width)
            for spot in row:
                x[spot] = (right[spot] - left_most[spot]) / 2
    return x


def _wish(spot: Spot, neighbours: Sequence[Spot], x: Mapping[Spot, float]) -> float:
    """The best position of a spot: amid its neighbours; the points of a long edge attract each other most."""
    if not neighbours:
        return x[spot]
    weights = [1 if isinstance(spot, str) or isinstance(other, str) else 6 for other in neighbours]
    return sum(w * x[other] for w, other in zip(weights, neighbours, strict=True)) / sum(weights)


def _pushed(
    row: Sequence[Spot], wish: Mapping[Spot, float], width: Mapping[Spot, float]
) -> dict[Spot, float]:
    placed: dict[Spot, float] = {}
    edge = float("-inf")
    for spot in row:
        placed[spot] = max(wish[spot], edge + width[spot] / 2)
        edge = placed[spot] + width[spot] / 2 + GAP
    return placed


def draw(after: Mapping[str, Sequence[str]], stages: Mapping[str, str], ends: Collection[str] = ()) -> str:
    """The picture as SVG, with a title and a description; ids begin with `dag-`.

    :param after: each rule and the rules whose files it takes
    :param stages: the stage of each rule
    :param ends: rules that make the requested files; they have a thick border
    """
    graph, back = acyclic(after)
    edges = sorted(graph.edges)
    place = layers(graph)
    rows, above, below = ordered(place, edges)
    width = _widths(rows, stages)
    near = {spot: [*above.get(spot, ()), *below.get(spot, ())] for spot in width}
    x = _across(rows, near, width)
    least = min(x[spot] - width[spot] / 2 for spot in x) - 8
    total = max(x[spot] + width[spot] / 2 for spot in x) - least + 8
    height = len(rows) * (BOX + BETWEEN) - BETWEEN + 16
    x = {spot: middle - least for spot, middle in x.items()}

    def top(row: int) -> float:
        return 8 + row * (BOX + BETWEEN)

    order = list(dict.fromkeys(stages[name] for name in sorted(after, key=lambda name: place[name])))
    leaves = sum(name in ends for name in after)
    text = (
        f"{len(after)} rules of {len(order)} stages, data flow from top to bottom: {', '.join(order)}."
        f" {leaves} of them make leaves. The list below the picture says the same in words."
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total:.0f} {height:.0f}" width="{total:.0f}"'
        f' height="{height:.0f}" role="img" aria-labelledby="dag-title dag-description"'
        ' font-family="sans-serif">',
        '<title id="dag-title">The rules that make the leaves</title>',
        f'<desc id="dag-description">{escape(text)}</desc>',
        '<defs><marker id="dag-tip" viewBox="0 0 6 6" refX="5" refY="3" markerWidth="5" markerHeight="5"'
        ' orient="auto"><path d="M0 0L6 3L0 6z" fill="#6b6862"/></marker></defs>',
        '<g fill="none" stroke="#8d897f" stroke-width="1">',
    ]
    for edge in edges:
        path: list[Spot] = [edge[0], *((edge, row) for row in range(place[edge[0]] + 1, place[edge[1]]))]
        line = f"M{x[edge[0]]:.1f} {top(place[edge[0]]) + BOX:.1f}"
        for row, (upper, lower) in enumerate(pairwise([*path, edge[1]]), place[edge[0]]):
            start, end = top(row) + BOX, top(row + 1)
            bend = (start + end) / 2
            line += f"C{x[upper]:.1f} {bend:.1f} {x[lower]:.1f} {bend:.1f} {x[lower]:.1f} {end:.1f}"
            if lower != edge[1]:
                line += f"V{end + BOX:.1f}"
        parts.append(f'<path d="{line}" marker-end="url(#dag-tip)"/>')
    for source, target in back:
        # A rule that works for its own successor: a dashed line upwards.
        begin, end = top(place[source]) + BOX / 2, top(place[target]) + BOX / 2
        left, right = x[source] - width[source] / 2, x[target] - width[target] / 2
        out = min(left, right) - 26
        parts.append(
            f'<path d="M{left:.1f} {begin:.1f}C{out:.1f} {begin:.1f} {out:.1f} {end:.1f} {right:.1f}'
            f' {end:.1f}" stroke-dasharray="4 3" marker-end="url(#dag-tip)"/>'
        )
    parts.append("</g>")
    # With more stages than colours, the second turn is darker; every box names its stage.
    colours = {
        stage: (HUES[number % len(HUES)], 0.55 if number >= len(HUES) else 0.25)
        for number, stage in enumerate(order)
    }
    for name in sorted(after, key=lambda name: (place[name], x[name])):
        wide, y = width[name], top(place[name])
        hue, strength = colours[stages[name]]
        border, thick = ("#1d1c1a", 2) if name in ends else (tint(hue, 0.9), 1)
        parts.append(
            f'<g><rect x="{x[name] - wide / 2:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{BOX}" rx="5"'
            f' fill="{tint(hue, strength)}" stroke="{border}" stroke-width="{thick}"/>'
            f'<text x="{x[name]:.1f}" y="{y + 13:.1f}" text-anchor="middle" font-size="9.5"'
            f' fill="#33312d">{escape(stages[name])}</text>'
            f'<text x="{x[name]:.1f}" y="{y + 27:.1f}" text-anchor="middle" font-size="11.5"'
            f' fill="#1d1c1a">{escape(name)}</text></g>'
        )
    parts.append("</svg>")
    return "\n".join(parts)
