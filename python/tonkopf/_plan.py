# SPDX-License-Identifier: MIT
"""What each input is for: the plan of the library, which the command line goes by as well."""

from __future__ import annotations

from ctypes import byref, pointer
from typing import Iterator

from . import _library as c
from ._sources import Source, chunks, name_of

_FARTHEST = 16 << 20  # what is looked at stays in memory


class Input:
    """One input: its head as probed, its chunks with the head in front, and what the plan says of it."""

    def __init__(self, source: Source, role: int) -> None:
        self.name = name_of(source)
        self.said = role
        self.probe = c.Probe()
        self.chunks = self._looked_at(chunks(source))
        self.waiting = b""
        self.ended = False
        self.plan: c.PlanInput

    def _looked_at(self, parts: Iterator[bytes]) -> Iterator[bytes]:
        came = bytearray()
        while len(came) < c.PROBE_LEN and (part := next(parts, b"")):
            came += part
        head = bytes(came[:c.PROBE_LEN])
        c.lib.tk_probe(head, len(head), None, 0, byref(self.probe))
        looked, goes_on = len(head), len(head) == c.PROBE_LEN and c.lib.tk_probe_can_continue(byref(self.probe))
        while goes_on and looked < _FARTHEST:  # a recording may begin anywhere in a dump of memory
            while len(came) < looked + c.PROBE_LEN and (part := next(parts, b"")):
                came += part
            head = bytes(came[looked:looked + c.PROBE_LEN])
            goes_on = bool(head) and c.lib.tk_probe_continue(head, len(head), byref(self.probe))
            looked += len(head)
        return self._all(bytes(came), parts)

    @staticmethod
    def _all(came: bytes, parts: Iterator[bytes]) -> Iterator[bytes]:
        if came:
            yield came
        yield from parts

    def refill(self) -> bool:
        if not self.waiting:
            self.waiting = next(self.chunks, b"")
        return bool(self.waiting)


def planned(inputs: list[Input], format: str | None) -> list[Input]:
    """Those that make one trace, in the order in which the library takes them; more than one trace is refused."""
    said = (c.PlanInput * len(inputs))()
    for place, one in zip(said, inputs):
        place.name, place.probe, place.role = one.name.encode("utf-8", "replace"), pointer(one.probe), one.said
        place.found_core = place.core = place.belongs_to = c.AS_FOUND
        place.format = format.encode() if format not in (None, "auto") else None
    c.lib.tk_plan(said, len(said))
    recordings = [i for i, place in enumerate(said) if place.out_group != c.NO_GROUP]
    if any(said[i].out_group for i in recordings):  # listed together, so they are cores of one target unless that cannot be
        for i in recordings:
            said[i].belongs_to = recordings[0] if i != recordings[0] else c.AS_FOUND
        c.lib.tk_plan(said, len(said))
    for place, one in zip(said, inputs):
        one.plan = place
    _refuse(inputs)
    sides = [one for one in inputs if one.plan.out_role in (c.NAMES, c.SYMBOLS, c.TIMES)]
    return sides + [one for one in inputs if one.plan.out_role == c.RECORDING]


def _refuse(inputs: list[Input]) -> None:
    for one in inputs:
        if one.said == c.AS_FOUND and one.plan.out_role == c.NOBODY:
            raise c.Error("UNKNOWN_FORMAT", f"{one.name or 'the input'}: {one.plan.out_reason.decode('utf-8', 'replace')}")
        if one.plan.out_role == c.RECORDING and one.plan.out_group:
            raise c.Error("MISUSE", f"several recordings: {one.name or 'an input'} is {one.plan.out_reason.decode('utf-8', 'replace')}")
    if not any(one.plan.out_role == c.RECORDING for one in inputs):
        raise c.Error("UNKNOWN_FORMAT", "no input is a recording")
