// SPDX-License-Identifier: MIT
#include "Vcounter.h"
#include "verilated.h"
#include "verilated_vcd_c.h"

int main() {
    Verilated::traceEverOn(true);
    Vcounter top;
    VerilatedVcdC dump;
    top.trace(&dump, 99);
    dump.open("verilator.vcd");
    for (int step = 0; step < 400; step++) {
        top.clk = step & 1;
        top.rst = step < 4;
        top.eval();
        dump.dump(step * 5);
    }
    dump.close();
}
