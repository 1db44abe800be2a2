"""Whether this machine has a GPU, from the driver: without torch, and without delay if there is no driver."""

import ctypes
import os
import sys
from functools import cache

DRIVER = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"


@cache
def count() -> int:
    """The number of CUDA devices available to a process started here; 0 without a driver.

    The driver omits devices that CUDA_VISIBLE_DEVICES hides. It is asked once per process and reads the
    variable only then.
    """
    if os.environ.get("CUDA_VISIBLE_DEVICES", "0").strip() in ("", "-1"):
        return 0
    try:
        driver = ctypes.CDLL(DRIVER)
    except OSError:
        return 0
    found = ctypes.c_int(0)
    if driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(found)):
        return 0
    return found.value
