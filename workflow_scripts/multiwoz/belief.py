"""Belief states: what a user has asked for so far, by domain and slot."""

from __future__ import annotations

from collections.abc import Mapping

# Domain -> slot -> value. A domain without slots is not in it.
State = dict[str, dict[str, str]]
# The same, where None says that a slot goes.
Change = dict[str, dict[str, str | None]]


def difference(before: Mapping[str, Mapping[str, str]], after: Mapping[str, Mapping[str, str]]) -> Change:
    """What `apply` needs to turn one state into another: new and changed values, and None for what goes."""
    found: Change = {}
    for domain in dict.fromkeys([*before, *after]):
        old, new = before.get(domain, {}), after.get(domain, {})
        slots: dict[str, str | None] = {slot: text for slot, text in new.items() if old.get(slot) != text}
        slots |= {slot: None for slot in old if slot not in new}
        if slots:
            found[domain] = slots
    return found


def apply(change: Change, state: Mapping[str, Mapping[str, str]]) -> State:
    """The state after a change; a domain that has no slot left goes."""
    found: State = {}
    for domain in dict.fromkeys([*state, *change]):
        slots: dict[str, str | None] = {**state.get(domain, {}), **change.get(domain, {})}
        if kept := {slot: text for slot, text in slots.items() if text is not None}:
            found[domain] = kept
    return found


def active_domains(states: list[State]) -> list[list[str]]:
    """Which domain each turn is about, told from its state: none or one, for each state of a dialogue.

    It is the domain that has new or changed values; a slot that only went is no change. Of several it is the
    one of the turn before, and if that is none of them the one with most slots (the first of these in the
    state). Without a change it stays, unless several domains changed in the turn before: then it is the first
    of these that the state still has and that is not the current one.
    """
    found: list[list[str]] = []
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
        found.append(current)
        before, several = after, changed if len(changed) > 1 else []
    return found
