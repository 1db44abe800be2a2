"""Belief states: the user's constraints so far, by domain and slot."""

from collections.abc import Mapping

# Domain -> slot -> value. Domains without slots are left out.
State = dict[str, dict[str, str]]
# The same; None removes a slot.
Change = dict[str, dict[str, str | None]]


def difference(before: Mapping[str, Mapping[str, str]], after: Mapping[str, Mapping[str, str]]) -> Change:
    """The change by which `apply` turns one state into another: new values, and None for removed slots."""
    change: Change = {}
    for domain in dict.fromkeys([*before, *after]):
        old, new = before.get(domain, {}), after.get(domain, {})
        slots: dict[str, str | None] = {slot: text for slot, text in new.items() if old.get(slot) != text}
        slots |= {slot: None for slot in old if slot not in new}
        if slots:
            change[domain] = slots
    return change


def apply(change: Change, state: Mapping[str, Mapping[str, str]]) -> State:
    """The state after a change; a domain without remaining slots is removed."""
    after: State = {}
    for domain in dict.fromkeys([*state, *change]):
        slots: dict[str, str | None] = {**state.get(domain, {}), **change.get(domain, {})}
        if remaining := {slot: text for slot, text in slots.items() if text is not None}:
            after[domain] = remaining
    return after


def active_domains(states: list[State]) -> list[list[str]]:
    """The active domain of each turn of a dialogue, derived from its states: a list of no or one domain each.

    It is the domain with new or changed values; a removed slot does not count as a change. If several domains
    changed, it is the previous turn's domain if it is among them, otherwise the one with most slots (the
    first of these in the state). Without a change it stays, unless several domains changed in the previous
    turn: then it is the first of these that the state still has and that is not the current domain.
    """
    active: list[list[str]] = []
    current: list[str] = []
    before: State = {}
    several: list[str] = []
    for after in states:
        changed = [
            domain for domain, slots in after.items() if slots.items() - before.get(domain, {}).items()
        ]
        if changed and not set(current) & set(changed):
            current = [max(changed, key=lambda domain: len(after[domain]))]
        elif not changed:
            others = [domain for domain in several if domain in after and domain not in current]
            current = others[:1] or current
        active.append(current)
        before, several = after, changed if len(changed) > 1 else []
    return active
