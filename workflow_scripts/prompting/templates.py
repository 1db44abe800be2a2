"""Templates of prompts, and the line of an answer that is used."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from workflow_scripts.core.errors import InputError, nearest
from workflow_scripts.core.files import read_lines

# Separates the form of an example from the prompt.
RULE = "---"
_HOLE = re.compile(r"\{([A-Za-z_]+)\}")
# The thoughts that reasoning models write before their answer.
_THOUGHT = re.compile(r"<think>.*?(</think>|\Z)|\[THINK\].*?(\[/THINK\]|\Z)", re.DOTALL)
# The end of a thought whose beginning the chat format has written, as the last words of the prompt.
_THOUGHT_ENDS = re.compile(r".*(</think>|\[/THINK\])", re.DOTALL)
QUOTES = {'"': '"', "'": "'", "“": "”", "«": "»", "„": "“", "‘": "’"}


@dataclass(frozen=True)
class Template:
    """A prompt with placeholders, and the form of each example in it."""

    prompt: str
    example: str

    def filled(self, values: Mapping[str, str], examples: Sequence[Mapping[str, str]]) -> str:
        """The prompt with its texts; a placeholder without a text yet stays.

        Braces within a text are not placeholders.
        """
        blocks = [_fill(self.example, {**values, **one}) for one in examples]
        # With a blank line after each, so that none is left if there are no examples.
        found = "".join(f"{block}\n\n" for block in blocks)
        return _fill(self.prompt, {**values, "examples": found})

    @property
    def label(self) -> str:
        """The text after the last line feed of the prompt, such as `Formal:`; models may repeat it."""
        return self.prompt.rsplit("\n", 1)[-1].strip()


def _fill(text: str, values: Mapping[str, str]) -> str:
    return _HOLE.sub(lambda found: values.get(found[1], found[0]), text)


def read_template(path: Path, holes: Sequence[str], example_holes: Sequence[str]) -> Template:
    """Read a template: the form of an example, a line `---`, the prompt; or only the prompt.

    `{examples}` is at the beginning of a line, and each example is followed by a blank line. Raises
    InputError for a placeholder that is not among `holes` (of the prompt, besides `examples`) or
    `example_holes`, for a prompt without the first of `holes`, and for examples without a form.
    """
    given = read_lines(path)
    cut = given.index(RULE) if RULE in given else -1
    # The last line feed belongs to the file.
    example, prompt = "\n".join(given[: max(cut, 0)]).strip(), "\n".join(given[cut + 1 :]).strip()
    for text, known in ((example, [*holes[1:], *example_holes]), (prompt, [*holes, "examples"])):
        for name in _HOLE.findall(text):
            if name not in known:
                raise InputError(f"no place '{{{name}}}' is known", path=path, fix=nearest(name, known))
    if f"{{{holes[0]}}}" not in prompt:
        raise InputError(
            f"a template without {{{holes[0]}}}", path=path, fix="write it where the text belongs"
        )
    if "{examples}" in prompt and not example:
        raise InputError(
            "{examples} without the form of one", path=path, fix=f"write it before a line {RULE} at the top"
        )
    return Template(prompt, example)


def without_thoughts(answer: str) -> str:
    """An answer without the thoughts of a reasoning model, also where only their end is marked."""
    return _THOUGHT_ENDS.sub("", _THOUGHT.sub("", answer))


def one_line(answer: str, label: str, source: str) -> str:
    """The part of an answer that is used: its first non-empty line.

    Without the thoughts of a reasoning model, without `label` if the answer repeats it, and without a pair of
    quotes around the whole line, if `source` has none. White space becomes single spaces.
    """
    lines = (" ".join(line.split()) for line in without_thoughts(answer).splitlines())
    label = " ".join(label.split())
    for line in lines:
        line = line.removeprefix(label).strip() if label else line
        if len(line) > 1 and QUOTES.get(line[0]) == line[-1] and source[:1] != line[0]:
            line = line[1:-1].strip()
        if line:
            return line
    return ""
