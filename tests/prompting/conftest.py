from typing import Any

import pytest

from tests.prompting.server import KEY
from workflow_scripts.config.prompted import Model, Prompting
from workflow_scripts.prompting.job import Backend
from workflow_scripts.prompting.models import backend_of


@pytest.fixture
def settings():
    """In which no failure takes long."""
    prices = {"model": {"input": 1.0, "output": 2.0}}
    return Prompting(max_cost=1.0, prices=prices, parallel=3, timeout=0.6, retries=2)  # type: ignore[arg-type]


@pytest.fixture
def endpoint(server, settings, monkeypatch):
    """The backend of the server; options are those of its model, of `Prompting` and of `backend_of`."""
    monkeypatch.setenv("SECRET_KEY", KEY)
    monkeypatch.setattr("workflow_scripts.prompting.endpoint.FIRST_PAUSE", 0.05)

    def make(**options: Any) -> Backend:
        probabilities, seed = options.pop("probabilities", 0), options.pop("seed", 1)
        given = {"kind": "endpoint", "name": "model", "address": server.address, "key": "SECRET_KEY"}
        return backend_of(
            Model.model_validate({**given, "max_tokens": 20, **options}),
            settings,
            seed=seed,
            precision="float32",
            device="cpu",
            threads=1,
            probabilities=probabilities,
        )

    return make
