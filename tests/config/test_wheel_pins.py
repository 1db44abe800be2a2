"""Settings that name wheels: a name, a version and a digest, in every section."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.core.test_wheels import HOSTILE
from workflow_scripts.config import settings
from workflow_scripts.core.errors import InputError


def encoders(section: Any, place: str = "") -> Iterator[tuple[str, dict]]:
    """The encoders of a configuration, with their places."""
    if isinstance(section, dict):
        for key, value in section.items():
            there = f"{place}.{key}".lstrip(".")
            if key == "encoder":
                yield there, value
            yield from encoders(value, there)


def test_a_setting_names_a_version_of_a_package_and_nothing_else(demo):
    given = list(encoders(demo))
    assert len(given) >= 5
    for place, encoder in given:
        for key, values in {
            "package": HOSTILE,
            "sha256": ("", "0" * 63, "0" * 64 + " --hash=sha256:1"),
        }.items():
            right = encoder[key]
            for wrong in values:
                encoder[key] = wrong
                with pytest.raises(InputError, match=re.escape(f"configuration: '{place}.{key}' is ")):
                    settings.load(demo)
            encoder[key] = right
    settings.load(demo)
