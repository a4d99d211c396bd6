/* SPDX-License-Identifier: MIT */
/* Commands from the host: lines of text. */
#ifndef TBAND_COMMAND_H
#define TBAND_COMMAND_H

#if tband_configUSE_BACKEND_STREAMING == 1
#define TBAND_START() tband_start_streaming()
#define TBAND_STOP() tband_stop_streaming()
#elif tband_configUSE_BACKEND_SNAPSHOT == 1
#define TBAND_START() tband_trigger_snapshot()
#define TBAND_STOP() tband_stop_snapshot()
#else
#define TBAND_START() tband_start_post_mortem()
#define TBAND_STOP() tband_stop_post_mortem()
#endif

/* Returns the rest of a line after a word, or NULL if the line begins with another word. */
static const char *rest_after(const char *line, const char *word) {
    while ((*word != '\0') && (*line == *word)) {
        line++;
        word++;
    }
    return (*word == '\0') ? line : NULL;
}

/* Returns false if the text is no hexadecimal number of 1 to 8 digits. */
static bool read_hex(const char *text, uint32_t *out_number) {
    uint32_t number = 0, digits = 0;
    for (; *text != '\0'; text++) {
        const uint32_t code = (uint8_t)*text, letter = (code | 0x20u) - (uint32_t)'a', digit = code - (uint32_t)'0';
        if (((digit > 9u) && (letter > 5u)) || (digits == 8u)) return false;
        number = (number << 4) | ((digit <= 9u) ? digit : letter + 10u);
        digits++;
    }
    *out_number = number;
    return digits > 0u;
}

int tband_command(const char *line) {
    const char *mask = rest_after(line, "groups ");
    const char *after_start = rest_after(line, "start"), *after_stop = rest_after(line, "stop");
    const char *after_names = rest_after(line, "names");
    uint32_t groups_wanted;
    int result = TBAND_NO_COMMAND;
    if ((mask != NULL) && read_hex(mask, &groups_wanted)) {
        tband_set_groups(groups_wanted);
        result = 0;
    } else if ((after_start != NULL) && (*after_start == '\0')) {
        result = TBAND_START();
    } else if ((after_stop != NULL) && (*after_stop == '\0')) {
        result = TBAND_STOP();
#if tband_configUSE_BACKEND_STREAMING == 1
    } else if ((after_names != NULL) && (*after_names == '\0')) {
        result = tband_send_names();
#endif
    } else {
        (void)after_names;
    }
    return result;
}

void tband_receive(const uint8_t *bytes, size_t len) {
    enum { LONGEST = 16 };
    static char line[LONGEST + 1];
    static uint32_t line_len;
    for (size_t i = 0; i < len; i++) {
        const bool is_end = (bytes[i] == (uint8_t)'\n') || (bytes[i] == (uint8_t)'\r');
        if (!is_end) { /* a line that is too long has a length above LONGEST and is skipped */
            if (line_len < (uint32_t)LONGEST) line[line_len] = (char)bytes[i];
            if (line_len <= (uint32_t)LONGEST) line_len++;
        } else {
            if ((line_len > 0u) && (line_len <= (uint32_t)LONGEST)) {
                line[line_len] = '\0';
                (void)tband_command(line);
            }
            line_len = 0;
        }
    }
}

#endif
