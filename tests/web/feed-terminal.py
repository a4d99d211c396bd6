# SPDX-License-Identifier: MIT
"""Makes a pseudo terminal, prints its path, and writes standard input to it."""

import os
import sys
import tty

master, slave = os.openpty()
tty.setraw(slave)  # stays open, so that bytes wait for a reader
print(os.ttyname(slave), flush=True)
while piece := sys.stdin.buffer.read1(65536):
    while piece:
        piece = piece[os.write(master, piece) :]
sys.stdin.close()
print("written", flush=True)
while True:
    try:
        os.read(master, 1)  # until it is killed: a closed master ends the terminal
    except OSError:
        break
