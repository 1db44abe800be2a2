"""What the operating system refuses, as one line for the user: which path, what is wrong, what to do."""

import errno
import re
from pathlib import Path

from workflow_scripts.core.errors import InputError

FULL = ("no space left on the disk", "free some and run again: nothing is half-written")
DENIED = ("permission denied", "let this user read or write it (ls -l shows who may), or use another path")
FAILED = ("the disk or the network file system failed", "check it (the kernel's log says more) and run again")
# Only what users can mend; any other error is a bug and keeps its traceback.
BY_NUMBER = {
    errno.ENOSPC: FULL,
    errno.EDQUOT: FULL,
    errno.EFBIG: ("larger than a file may be here", "raise the limit (ulimit -f), or use another disk"),
    errno.EACCES: DENIED,
    errno.EPERM: DENIED,
    errno.EROFS: ("the file system is read-only", "use another path, or mount it for writing"),
    errno.ENOENT: ("no such file", ""),
    errno.EISDIR: ("a folder, not a file", ""),
    errno.ENOTDIR: ("a part of its path is a file, not a folder", "move that file away, or use another path"),
    errno.EEXIST: ("is there already, and is not a folder", "move it away, or use another path"),
    errno.ELOOP: ("a link that leads back to itself", "remove the link"),
    errno.ENAMETOOLONG: ("a name is too long for this file system", "use a shorter one"),
    errno.EIO: FAILED,
    errno.ESTALE: FAILED,
    errno.EMFILE: ("too many files are open", "raise the limit (ulimit -n)"),
    errno.ENFILE: ("too many files are open on this machine", "end other programs and run again"),
    errno.ENOMEM: (
        "not enough memory",
        "shorten very long lines, make batches smaller, or use a machine or GPU with more",
    ),
    errno.EBUSY: ("is in use", "end the program that uses it and run again"),
    errno.ETXTBSY: ("is a program that runs", "end it and run again"),
}
# PyTorch says it in words, of the machine or of a GPU.
NO_MEMORY = re.compile(
    "can't allocate memory|not enough memory|CUDA(?: error:)? out of memory|STATUS_ALLOC_FAILED"
)
# SQLite has numbers of its own; what is left of the damaged ones is told by whoever knows the file.
BY_SQLITE = {
    3: DENIED,
    5: ("is used by other processes for too long", "run again when they have ended"),
    6: ("is used by other processes for too long", "run again when they have ended"),
    8: ("cannot be written", "let this user write the file and its folder, or use another path"),
    10: FAILED,
    13: FULL,
    15: ("cannot be locked", "use a file system with locks for it"),
    14: ("cannot be opened", "let this user read and write the file and its folder"),
}


def reason_of(error: BaseException) -> str:
    """The system's message about a failed connection, without the words of the libraries around it."""
    message, inner = str(error), error.__cause__ or error.__context__
    while inner is not None:
        if isinstance(inner, OSError) and inner.strerror:
            message = inner.strerror
        inner = inner.__cause__ or inner.__context__
    return " ".join(message.split())


def explained(error: BaseException, path: Path | str | None = None) -> InputError | None:
    """The line for an error of the system, or None where it is none that a user can mend.

    `path` is named where the error names none. safetensors, which is written in Rust, has the system's number
    in the text of its own exception.
    """
    code = getattr(error, "sqlite_errorcode", None)
    found = BY_NUMBER.get(number_of(error) or 0) if code is None else BY_SQLITE.get(code & 0xFF)
    if found is None:
        return None
    named = getattr(error, "filename", None)
    if isinstance(named, bytes):
        named = named.decode(errors="replace")
    return InputError(found[0], path=path if named is None else str(named), fix=found[1])


def number_of(error: BaseException) -> int | None:
    """The system's number of an error, such as errno.ENOSPC; None if it has none."""
    if isinstance(error, OSError):
        return error.errno
    if isinstance(error, MemoryError) or (isinstance(error, RuntimeError) and NO_MEMORY.search(str(error))):
        return errno.ENOMEM
    if type(error).__name__ == "SafetensorError":
        found = re.search(r"\(os error (\d+)\)", str(error))
        return int(found[1]) if found else None
    return None


def renamed(error: Exception, part: Path, path: Path) -> Exception:
    """The same error about `path`, for one about its temporary name or about writing what has no name."""
    number = number_of(error)
    if number is None:
        return error
    if not isinstance(error, OSError):
        return OSError(number, str(error), str(path))
    if error.filename is None and number in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS):
        error.filename = str(path)
    elif isinstance(error.filename, str):
        error.filename = error.filename.replace(str(part), str(path), 1)
    return error
