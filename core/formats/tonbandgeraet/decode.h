// SPDX-License-Identifier: MIT
//
// One COBS piece -> one event. docs/formats/tonbandgeraet.md, "Framing" to "Events".
#ifndef TK_FORMATS_TONBANDGERAET_DECODE_H
#define TK_FORMATS_TONBANDGERAET_DECODE_H

#include "../../frame/cobs.h"
#include "../../model/event.h"

enum tb_verdict { TB_OK, TB_BROKEN, TB_EMPTY, TB_UNKNOWN, TB_SHORT, TB_LONG, TB_BAD_NUMBER };

enum { TB_FIRST_RTOS_ID = 0x54 };

enum { TB_SCRATCH_MORE = TK_COBS_OVERRUN + TK_VARINT_SLACK };

// Decodes `piece` (without delimiter); `slack` bytes behind it are readable. scratch: at least `len` + TB_SCRATCH_MORE bytes; strings of the event point into it or into the piece.
// Sets kind, timed, no_clock, ticks, id, arg, value, str of the event, those it does not have to 0; *out_id: the id byte, where there is one.
enum tb_verdict tb_decode_piece(const uint8_t *piece, size_t len, size_t slack, uint8_t *scratch, struct tk_event *out_event, uint8_t *out_id);

const char *tb_record_name(uint8_t id);   // "task_switched_in"; NULL: unknown id
const char *tb_field_names(uint8_t id);   // zero-separated list in the order of the record, double zero at the end
bool tb_is_text(uint8_t byte);            // may stand in boot messages

// Length of boot text before a frame that ends the piece; 0: there is no such frame. Looks at the last 4096 bytes only.
size_t tb_text_before_frame(const uint8_t *piece, size_t len, uint8_t *scratch);

#endif
