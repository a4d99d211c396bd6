// SPDX-License-Identifier: MIT
#include "content.h"

#include "../base/bytes.h"
#include "../base/utf8.h"

#include <string.h>

// ---- Other kinds of files ----

struct magic {
    const char *bytes;
    uint8_t len;
    const char *sentence;
};

static const struct magic magics[] = {
    { "\x7f"
      "ELF",
      4, "This is an ELF file: the firmware, not a recording of it." },
    { "\x1f\x8b", 2, "This is a gzip file that could not be unpacked." },
    { "PK\x03\x04", 4, "This is a zip file: unpack it and take the recording inside." },
    { "\xfd"
      "7zXZ",
      5, "This is an xz file: unpack it first." },
    { "\x28\xb5\x2f\xfd", 4, "This is a zstd file: unpack it first." },
    { "UF2\n", 4, "This is a UF2 file: firmware, not a recording." },
    { "\x89PNG", 4, "This is a picture (PNG)." },
    { "\xff\xd8\xff", 3, "This is a picture (JPEG)." },
    { "GIF8", 4, "This is a picture (GIF)." },
    { "%PDF", 4, "This is a PDF document." },
    { "BZh", 3, "This is a bzip2 file: unpack it first." },
    { "7z\xbc\xaf\x27\x1c", 6, "This is a 7z file: unpack it first." },
    { "\xff\xfe", 2,
      "This is UTF-16 text, as PowerShell's > writes it: it changes the bytes. Let the capturing program write the "
      "file itself." },
};

static const char *by_magic(const uint8_t *bytes, size_t len) {
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
        if (len > magics[i].len && !memcmp(bytes, magics[i].bytes, magics[i].len)) return magics[i].sentence;
    return NULL;
}

// Returns true for a chain of length-delimited fields with number 1.
bool tk_content_is_trace(const uint8_t *bytes, size_t len) {
    const uint8_t *at = bytes, *end = bytes + len;
    unsigned packets = 0;
    for (; at < end && packets < 8; packets++) {
        uint64_t size;
        if (*at++ != 0x0A || !(at = tk_varint64_read(at, end, &size)) || size < 2 || size > (uint64_t)(end - at))
            return false;
        at += size;
    }
    return packets >= 3;
}

// ---- Statistics ----

struct counts {
    size_t of[256];
    size_t text;  // printable ASCII, line ends, tabs, terminal escape sequences
    size_t steps; // bytes that a line sampled too fast produces: at most one change of level within the byte
};

static bool is_step(unsigned byte) {
    unsigned changes = (byte ^ byte >> 1) & 0x7F;
    return (changes & (changes - 1)) == 0;
}

static void count(const uint8_t *bytes, size_t len, struct counts *out) {
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < len; i++) out->of[bytes[i]]++;
    for (unsigned byte = 0; byte < 256; byte++) {
        bool text = (byte >= 0x20 && byte < 0x7F) || byte == '\n' || byte == '\r' || byte == '\t' || byte == 0x1B;
        if (text) out->text += out->of[byte];
        if (is_step(byte)) out->steps += out->of[byte];
    }
}

// Returns true if all byte values occur about equally often.
static bool looks_random(const struct counts *counts, size_t len) {
    if (len < 4096) return false;
    size_t mean = len / 256;
    for (unsigned byte = 0; byte < 256; byte++)
        if (counts->of[byte] < mean / 4 || counts->of[byte] > mean * 3) return false;
    return true;
}

static const char *by_single_byte(const struct counts *counts, size_t len) {
    if (counts->of[0xFF] >= len - len / 100)
        return "All bytes are FF: flash or memory that was never written, or an idle line.";
    if (counts->of[0] >= len - len / 100)
        return "All bytes are zero: memory that was never written, or a line that is held low.";
    for (unsigned byte = 1; byte < 255; byte++)
        if (counts->of[byte] >= len - len / 100)
            return "One byte repeats throughout: memory that was filled at start-up, but not written by the recorder.";
    return NULL;
}

// Returns true for text in any language: UTF-8 without control characters; the last character may be cut.
static bool is_utf8_text(const uint8_t *bytes, const struct counts *counts, size_t len) {
    size_t text = counts->text;
    for (unsigned byte = 0x80; byte < 0xF5; byte++) text += counts->of[byte]; // larger values do not start a character
    if (text < len) return false;
    for (size_t cut = 0; cut < 4 && cut < len; cut++)
        if (tk_utf8_is_clean(bytes, len - cut)) return true;
    return false;
}

static const char *by_text(const uint8_t *bytes, const struct counts *counts, size_t len) {
    if (counts->text < len - len / 20 && !is_utf8_text(bytes, counts, len)) return NULL;
    if (bytes[0] == ':' && counts->of[':'] > len / 100)
        return "This looks like Intel HEX, the firmware or a memory image; save memory as plain binary instead.";
    if (bytes[0] == 'S' && len > 1 && bytes[1] >= '0' && bytes[1] <= '9' && counts->of['S'] > len / 100)
        return "This looks like an S-record file, the firmware or a memory image; save memory as plain binary instead.";
    return "This is plain text, such as a log, without a trace in it: Tonkopf reads the bytes of the recorder, not "
           "printed messages.";
}

const char *tk_content_sentence(const uint8_t *bytes, size_t len) {
    if (len == 0) return "The input is empty.";
    const char *sentence = by_magic(bytes, len);
    if (sentence) return sentence;
    if (tk_content_is_trace(bytes, len)) return "This is a Perfetto trace already: open it in the viewer as it is.";
    struct counts counts;
    count(bytes, len, &counts);
    if (len >= 16 && (sentence = by_single_byte(&counts, len))) return sentence;
    if ((sentence = by_text(bytes, &counts, len))) return sentence;
    if (len >= 64 && counts.steps >= len - len / 5)
        return "Most bytes are long runs of equal bits, as when a serial line is read with a much too high baud rate.";
    if (looks_random(&counts, len)) return "The bytes look random: a wrong baud rate, or compressed or encrypted data.";
    return NULL;
}
