// SPDX-License-Identifier: MIT
#include "fault.h"

bool tb_fault_take(struct tb_fault *fault, const struct tk_event *event) {
    if (event->kind == TK_EV_FAULT_STATE) fault->state = event->fault_state;
    if (event->kind == TK_EV_FAULT_CONTEXT) fault->context = event->fault_context;
    if (event->kind != TK_EV_FAULT) return false;
    fault->fault = event->fault;
    fault->has_happened = true;
    return true;
}

static void put_hex(struct tk_text *text, uint32_t number) {
    char digits[11] = "0x";
    for (int i = 0; i < 8; i++) digits[2 + i] = "0123456789ABCDEF"[number >> (28 - 4 * i) & 15];
    tk_text_put(text, digits, 10);
}

static void put_line(struct tk_text *text, struct tk_symbols *symbols, uint32_t pc) {
    struct tk_source_line line;
    if (!tk_symbols_line(symbols, pc, &line) || !line.line) return;
    tk_text_add(text, " ("), tk_text_put(text, line.file, line.file_len);
    tk_text_add(text, ":"), tk_text_u64(text, line.line), tk_text_add(text, ")");
}

void tb_fault_title(const struct tb_fault *fault, struct tk_symbols *symbols, struct tk_text *text) {
    struct tk_symbol symbol;
    char name[TK_SHOWN_NAME_LEN];
    uint32_t pc = fault->fault.pc;
    tk_text_add(text, "HardFault");
    if (!pc) return;
    if (symbols && tk_symbols_function(symbols, pc, &symbol)) {
        tk_text_add(text, " in ");
        tk_text_put(text, name, tk_symbols_shown(&symbol, name));
        put_line(text, symbols, pc);
        return;
    }
    tk_text_add(text, " at ");
    put_hex(text, pc);
}

// Bits of the CFSR, in the order of their weight.
static const struct {
    uint8_t bit;
    const char *cause;
} causes[] = {
    { 25, "division by zero" },
    { 24, "unaligned access" },
    { 19, "no coprocessor" },
    { 18, "invalid return from an exception" },
    { 17, "invalid state (ARM instead of Thumb)" },
    { 16, "undefined instruction" },
    { 20, "stack overflow" },
    { 12, "bus fault while the registers were saved on the stack" },
    { 11, "bus fault while the registers were restored from the stack" },
    { 10, "imprecise bus fault: an earlier write failed" },
    { 9, "bus fault" },
    { 8, "bus fault at an instruction" },
    { 4, "memory protection: the stack was not accessible" },
    { 3, "memory protection: the stack was not accessible on return" },
    { 1, "memory protection: data access" },
    { 0, "memory protection: instruction access" },
};

static void put_register(struct tk_text *text, const char *name, uint32_t value) {
    tk_text_add(text, name);
    put_hex(text, value);
}

void tb_fault_registers(const struct tb_fault *fault, struct tk_text *text) {
    const char *cause = "unknown cause";
    uint32_t cfsr = (uint32_t)fault->fault.cfsr;
    for (size_t i = sizeof causes / sizeof *causes; i > 0; i--)
        if (cfsr >> causes[i - 1].bit & 1) cause = causes[i - 1].cause;
    if (fault->state.hfsr >> 1 & 1) cause = "the vector table could not be read";
    tk_text_add(text, cause);
    if (fault->state.address) put_register(text, " at ", (uint32_t)fault->state.address);
    put_register(text, "; PC ", fault->fault.pc);
    put_register(text, ", LR ", fault->fault.lr);
    put_register(text, ", xPSR ", fault->state.xpsr);
    put_register(text, ", CFSR ", cfsr);
    put_register(text, ", HFSR ", fault->state.hfsr);
    if (fault->context.task) tk_text_add(text, ", task #"), tk_text_u64(text, fault->context.task);
    if (fault->context.isr) tk_text_add(text, ", interrupt #"), tk_text_u64(text, fault->context.isr);
}
