// SPDX-License-Identifier: MIT
#include "hex_records.h"

#include "../base/text.h"

// Decodes all digits of the line. Returns the number of bytes; 0 if the number of digits is odd or too large, or a
// character is not a digit.
static size_t read_bytes(struct tk_span digits, uint8_t *out, size_t room) {
    if (digits.len & 1 || digits.len / 2 > room) return 0;
    for (size_t i = 0; i < digits.len; i += 2) {
        uint8_t high = tk_char_class[digits.at[i]], low = tk_char_class[digits.at[i + 1]];
        if ((high | low) >= TK_CH_SPACE) return 0;
        out[i / 2] = (uint8_t)(high << 4 | low);
    }
    return digits.len / 2;
}

static uint8_t sum_of(const uint8_t *bytes, size_t len) {
    uint8_t sum = 0;
    for (size_t i = 0; i < len; i++) sum = (uint8_t)(sum + bytes[i]);
    return sum;
}

static bool parse_intel(struct tk_span line, struct tk_hex_record *record) {
    uint8_t raw[260];
    size_t len = read_bytes((struct tk_span){ line.at + 1, line.len - 1 }, raw, sizeof raw);
    if (len < 5 || raw[0] != len - 5) return false;
    uint8_t kind = raw[3];
    record->sum_ok = sum_of(raw, len) == 0;
    record->data = kind == 0;
    record->base = (kind == 2 || kind == 4) && raw[0] == 2;
    record->address = (uint32_t)raw[1] << 8 | raw[2];
    if (record->base) record->address = (((uint32_t)raw[4] << 8) | raw[5]) << (kind == 2 ? 4 : 16);
    record->len = raw[0];
    memcpy(record->bytes, raw + 4, record->len);
    return true;
}

static bool parse_motorola(struct tk_span line, struct tk_hex_record *record) {
    uint8_t raw[256], kind = (uint8_t)(line.at[1] - '0');
    size_t len = read_bytes((struct tk_span){ line.at + 2, line.len - 2 }, raw, sizeof raw);
    size_t address_len = kind >= 1 && kind <= 3 ? kind + 1u : 2;
    if (kind > 9 || len < address_len + 2 || raw[0] != len - 1) return false;
    record->sum_ok = sum_of(raw, len) == 0xFF;
    record->data = kind >= 1 && kind <= 3;
    record->address = 0;
    for (size_t i = 0; i < address_len; i++) record->address = record->address << 8 | raw[1 + i];
    record->len = (uint32_t)(len - address_len - 2);
    memcpy(record->bytes, raw + 1 + address_len, record->len);
    return true;
}

bool tk_hex_record_parse(struct tk_span line, struct tk_hex_record *out_record) {
    memset(out_record, 0, offsetof(struct tk_hex_record, bytes));
    if (line.len < 8) return false;
    if (line.at[0] == ':') return parse_intel(line, out_record);
    return line.at[0] == 'S' && parse_motorola(line, out_record);
}

static void complain(struct tk_text_output *decoded, const char *what) {
    struct tk_text sentence;
    if (!tk_text_output_note(decoded, decoded->line, &sentence)) return;
    tk_text_add(&sentence, "line ");
    tk_text_u64(&sentence, decoded->line);
    tk_text_add(&sentence, what);
}

void tk_hex_records_line(struct tk_hex_records *records, struct tk_text_output *decoded, struct tk_span line) {
    struct tk_hex_record record;
    uint64_t nonblank = tk_count_nonblank(line.at, line.len);
    if (!tk_hex_record_parse(line, &record)) {
        if (nonblank && (line.at[0] == ':' || line.at[0] == 'S'))
            complain(decoded, ": this record is damaged and left out");
        decoded->result.ignored += nonblank;
        return;
    }
    if (!record.sum_ok) complain(decoded, ": the checksum of this record does not fit");
    if (record.base) records->base = record.address;
    if (!record.data) record.len = 0;
    uint32_t address = records->base + record.address;
    if (record.len) {
        if (records->any && address != records->next)
            complain(decoded, ": the addresses jump here, bytes may be missing");
        records->any = true;
        records->next = address + record.len;
        tk_text_output_bytes(decoded, record.bytes, record.len);
    }
    decoded->result.ignored += nonblank - 2u * record.len;
}
