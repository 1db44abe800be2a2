"""Check, before the first job, that the hosts of planned downloads answer."""

import threading
import time
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import urlsplit

from workflow_scripts.core.system_errors import reason_of
from workflow_scripts.corpora.sources.registry import Entry
from workflow_scripts.corpora.sources.sums import read_sums

# Seconds in which a host must answer, with the look-up of its name and the connection.
LIMIT = 20.0


def unreachable(rows: Iterable[Entry], resources: Path, limit: float = LIMIT) -> list[str]:
    """A message for each host that does not answer: the reason, the files it should serve, and what to do.

    All hosts are asked at the same time, once each, through the proxies that the environment names. Any
    answer counts, even that there is no such file.

    :param rows: rows of the registry with files to download
    :param resources: folder of the lists that the `files` of a row names
    :param limit: seconds in which a host must answer
    """
    hosts: dict[str, list[Entry]] = {}
    for row in rows:
        hosts.setdefault(urlsplit(row.url).netloc, []).append(row)
    answers: dict[str, str] = {}

    def ask(host: str) -> None:
        answers[host] = _problem(hosts[host][0].url, limit)

    # Not a pool, which would wait at its end for a thread that looks up a name for minutes.
    threads = [threading.Thread(target=ask, args=(host,), daemon=True) for host in hosts]
    for thread in threads:
        thread.start()
    end = time.monotonic() + limit
    for thread in threads:
        thread.join(max(0.0, end - time.monotonic()))
    problems = {host: answers.get(host, _late(limit)) for host in sorted(hosts)}
    return [
        f"{host} cannot be reached: {problem}; {_files(hosts[host], resources)} would come from it: check"
        " the network, or name a 'mirror' folder with the files (make sources says which are here)"
        for host, problem in problems.items()
        if problem
    ]


def _files(rows: list[Entry], resources: Path) -> str:
    """The number of files, and their corpora."""
    count = sum(len(read_sums(resources / row.files)) if row.files else 1 for row in rows)
    return f"{count} file{'s' * (count > 1)} of {', '.join(sorted({row.corpus for row in rows}))}"


def _late(limit: float) -> str:
    return f"no answer within {limit:g} seconds"


def _problem(url: str, limit: float) -> str:
    """The reason why the host of an address does not answer; empty if it does."""
    # Beside every Snakemake, but not needed to read the rules.
    import requests

    try:
        requests.head(url, timeout=limit).close()
    except requests.Timeout:
        return _late(limit)
    except requests.RequestException as error:
        return f"{'the proxy: ' * isinstance(error, requests.exceptions.ProxyError)}{reason_of(error)}"
    return ""
