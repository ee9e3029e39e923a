"""The filter of system calls: those by which a bot would get around the limits of its sandbox."""

from __future__ import annotations

import errno
import platform
import struct
from functools import cache

LOAD, EQUALS, AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
"""Instructions of the filter: load a word, jump if it is equal, jump if it is not less, and return."""
NUMBER, ARCHITECTURE, FIRST_ARGUMENT = 0, 4, 16
"""Where they are in what the filter is given (seccomp_data)."""
ALLOW, REFUSE = 0x7FFF0000, 0x00050000
"""What is returned; the reason for a refusal is added to it."""
OTHER_CALLS = 0x40000000
"""From here on, calls of x86-64 are those of its variant with short pointers."""
FAMILIES = (1, 2, 10, 16)
"""Sockets that namespaces keep apart: of this machine, IPv4, IPv6, and to the kernel about these."""

MACHINES = {
    "x86_64": (0xC000003E, 41, {
        "shmget": 29, "msgget": 68, "ptrace": 101, "add_key": 248, "request_key": 249, "keyctl": 250,
        "perf_event_open": 298, "process_vm_readv": 310, "process_vm_writev": 311, "memfd_create": 319,
        "bpf": 321, "userfaultfd": 323, "io_uring_setup": 425, "memfd_secret": 447,
    }),
    "aarch64": (0xC00000B7, 198, {
        "ptrace": 117, "msgget": 186, "shmget": 194, "add_key": 217, "request_key": 218, "keyctl": 219,
        "perf_event_open": 241, "process_vm_readv": 270, "process_vm_writev": 271, "memfd_create": 279,
        "bpf": 280, "userfaultfd": 282, "io_uring_setup": 425, "memfd_secret": 447,
    }),
}
"""Of each kind of machine: what the kernel calls it, its call for a socket, and what there is not in a
sandbox: memory that is in no process, others' memory, inherited keys, and ways around this filter."""


@cache
def system_call_filter(machine: str = "") -> bytes:
    """The filter for a kind of machine, as the kernel reads it; nothing for one that is not known here.

    >>> len(system_call_filter("x86_64")), len(system_call_filter("abacus"))
    (240, 0)
    """
    machine = machine or platform.machine()
    if machine not in MACHINES:
        return b""
    architecture, socket, refused = MACHINES[machine]
    missing = (RETURN, 0, 0, REFUSE + errno.ENOSYS)
    steps = [(LOAD, 0, 0, ARCHITECTURE), (EQUALS, 1, 0, architecture), missing,
             (LOAD, 0, 0, NUMBER), (AT_LEAST, 0, 1, OTHER_CALLS), missing]
    numbers = sorted(refused.values())
    steps += [(EQUALS, len(numbers) + 1 - place, 0, number) for place, number in enumerate(numbers)]
    steps += [(EQUALS, 2, 0, socket), (RETURN, 0, 0, ALLOW), missing, (LOAD, 0, 0, FIRST_ARGUMENT)]
    steps += [(EQUALS, len(FAMILIES) - place, 0, family) for place, family in enumerate(FAMILIES)]
    steps += [(RETURN, 0, 0, REFUSE + errno.EAFNOSUPPORT), (RETURN, 0, 0, ALLOW)]
    return b"".join(struct.pack("HBBI", *step) for step in steps)
