// SPDX-License-Identifier: MIT
//
// The crash record of a Cortex-M: text of its registers.
#ifndef TK_FORMATS_TONBANDGERAET_FAULT_H
#define TK_FORMATS_TONBANDGERAET_FAULT_H

#include "../../base/text.h"
#include "../../lookup/symbols.h"
#include "../../model/event/event.h"

// The latest crash. Zero-initialised: none.
struct tb_fault {
    struct tk_event_fault_state state;
    struct tk_event_fault_context context;
    struct tk_event_fault fault;
    bool has_happened;
};

// Takes the events of a crash. Returns true for the last one, FAULT.
bool tb_fault_take(struct tb_fault *fault, const struct tk_event *event);
// Writes "HardFault in motor_update (imbalance.c:213)"; without symbols "HardFault at 0x00000542".
void tb_fault_title(const struct tb_fault *fault, struct tk_symbols *symbols, struct tk_text *text);
// Writes the cause and the registers, such as "undefined instruction; PC 0x00000542, LR 0x00000531, ...".
void tb_fault_registers(const struct tb_fault *fault, struct tk_text *text);

#endif
