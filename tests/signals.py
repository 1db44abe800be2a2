"""The reaction of a process to signals."""

import signal


def obey_signals() -> None:
    """Obey what nohup and shells have processes in the background ignore; for a child before it starts."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
