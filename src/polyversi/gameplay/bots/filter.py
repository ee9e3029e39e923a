"""The filter of system calls: those by which a bot would get around the limits of its sandbox."""

from __future__ import annotations

import errno
import platform
import struct
from functools import cache

LOAD, KEEP, EQUALS, AT_LEAST, RETURN = 0x20, 0x54, 0x15, 0x35, 0x06
"""Instructions of the filter: load a word, keep some of its bits, jump if it is equal, jump if it is not
less, and return."""
NUMBER, ARCHITECTURE, FIRST_ARGUMENT, ARGUMENT = 0, 4, 16, 8
"""Where they are in what the filter is given (seccomp_data), and the size of an argument."""
ALLOW, REFUSE = 0x7FFF0000, 0x00050000
"""What is returned; the reason for a refusal is added to it."""
OTHER_CALLS = 0x40000000
"""From here on, calls of x86-64 are those of its variant with short pointers."""
FAMILIES = (1, 2, 10, 16)
"""Sockets that namespaces keep apart: of this machine, IPv4, IPv6, and to the kernel about these."""
ALL, EXIT_SIGNAL = 0xFFFFFFFF, 0xFF
"""Bits of an argument: all, and the signal in the flags of `clone`."""
GO_ON, SET_SIGNAL, SET_PARENT_DEATH_SIGNAL = 18, 10, 1
"""SIGCONT, and what fcntl and prctl call the setting of a signal."""

MISSING = {
    "x86_64": {
        "shmget": 29, "msgget": 68, "ptrace": 101, "timer_create": 222, "add_key": 248, "request_key": 249,
        "keyctl": 250, "vmsplice": 278, "perf_event_open": 298, "process_vm_readv": 310,
        "process_vm_writev": 311, "memfd_create": 319, "bpf": 321, "userfaultfd": 323, "io_uring_setup": 425,
        "clone3": 435, "memfd_secret": 447,
    },
    "aarch64": {
        "vmsplice": 75, "timer_create": 107, "ptrace": 117, "msgget": 186, "shmget": 194, "add_key": 217,
        "request_key": 218, "keyctl": 219, "perf_event_open": 241, "process_vm_readv": 270,
        "process_vm_writev": 271, "memfd_create": 279, "bpf": 280, "userfaultfd": 282, "io_uring_setup": 425,
        "clone3": 435, "memfd_secret": 447,
    },
}
"""What there is not in a sandbox, with its number on each kind of machine: memory that is in no process,
others' memory, inherited keys, timers that send any signal, and ways around this filter. Programs that miss
`clone3` use `clone`."""
CONDITIONAL = {
    "kill": ((1, ALL, GO_ON),),
    "tkill": ((1, ALL, GO_ON),),
    "tgkill": ((2, ALL, GO_ON),),
    "rt_sigqueueinfo": ((1, ALL, GO_ON),),
    "rt_tgsigqueueinfo": ((2, ALL, GO_ON),),
    "pidfd_send_signal": ((1, ALL, GO_ON),),
    "clone": ((0, EXIT_SIGNAL, GO_ON),),
    "prctl": ((0, ALL, SET_PARENT_DEATH_SIGNAL), (1, ALL, GO_ON)),
    "fcntl": ((1, ALL, SET_SIGNAL),),
}
"""What is refused if these bits of its arguments have these values: whatever makes a process go on that was
stopped."""
MACHINES = {
    "x86_64": (0xC000003E, {
        "socket": 41, "clone": 56, "kill": 62, "fcntl": 72, "rt_sigqueueinfo": 129, "prctl": 157,
        "tkill": 200, "tgkill": 234, "rt_tgsigqueueinfo": 297, "pidfd_send_signal": 424,
    }),
    "aarch64": (0xC00000B7, {
        "fcntl": 25, "kill": 129, "tkill": 130, "tgkill": 131, "rt_sigqueueinfo": 138, "prctl": 167,
        "socket": 198, "clone": 220, "rt_tgsigqueueinfo": 240, "pidfd_send_signal": 424,
    }),
}
"""What the kernel calls each kind of machine, and the numbers of the calls that depend on their arguments."""

Step = tuple[int, int, int, int]


@cache
def system_call_filter(machine: str = "") -> bytes:
    """The filter for a kind of machine, as the kernel reads it; nothing for one that is not known here.

    >>> len(system_call_filter("x86_64")) > 240, len(system_call_filter("abacus"))
    (True, 0)
    """
    machine = machine or platform.machine()
    if machine not in MACHINES:
        return b""
    architecture, calls = MACHINES[machine]
    missing = (RETURN, 0, 0, REFUSE + errno.ENOSYS)
    steps: list[Step] = [(LOAD, 0, 0, ARCHITECTURE), (EQUALS, 1, 0, architecture), missing,
                         (LOAD, 0, 0, NUMBER), (AT_LEAST, 0, 1, OTHER_CALLS), missing]
    for number in MISSING[machine].values():
        steps += _if_call(number, [missing])
    for name, conditions in CONDITIONAL.items():
        steps += _if_call(calls[name], _refused_if(conditions))
    steps += _if_call(calls["socket"], _families())
    steps.append((RETURN, 0, 0, ALLOW))
    return b"".join(struct.pack("HBBI", *step) for step in steps)


def _if_call(number: int, then: list[Step]) -> list[Step]:
    """What is done for one call; it ends with a return."""
    return [(EQUALS, 0, len(then), number), *then]


def _refused_if(conditions: tuple[tuple[int, int, int], ...]) -> list[Step]:
    steps: list[Step] = []
    for argument, bits, value in conditions:
        steps += [(LOAD, 0, 0, FIRST_ARGUMENT + ARGUMENT * argument), (KEEP, 0, 0, bits),
                  (EQUALS, 1, 0, value), (RETURN, 0, 0, ALLOW)]
    return [*steps, (RETURN, 0, 0, REFUSE + errno.EPERM)]


def _families() -> list[Step]:
    steps: list[Step] = [(LOAD, 0, 0, FIRST_ARGUMENT)]
    steps += [(EQUALS, len(FAMILIES) - place, 0, family) for place, family in enumerate(FAMILIES)]
    return [*steps, (RETURN, 0, 0, REFUSE + errno.EAFNOSUPPORT), (RETURN, 0, 0, ALLOW)]
