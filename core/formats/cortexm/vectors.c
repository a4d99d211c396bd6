// SPDX-License-Identifier: MIT
#include "vectors.h"

#include <string.h>

#include "contexts.h"

enum { SHORTEST = 3, LONGEST = 63 }; // shorter identifiers are excluded because two letters may be a hexadecimal byte

// ---- A text ------------------------------------------------------------------------------------

struct line {
    const uint8_t *at, *end;
};

static struct line next_line(struct line *rest) {
    const uint8_t *end = memchr(rest->at, '\n', (size_t)(rest->end - rest->at));
    struct line line = { rest->at, end ? end : rest->end };
    rest->at = end ? end + 1 : rest->end;
    while (line.at < line.end && (*line.at == ' ' || *line.at == '\t')) line.at++;
    while (line.end > line.at && (line.end[-1] == '\r' || line.end[-1] == ' ' || line.end[-1] == '\t')) line.end--;
    return line;
}

static bool is_silent(const struct line *line) { return line->at == line->end || *line->at == '#'; }
static bool is_digit(uint8_t c) { return c >= '0' && c <= '9'; }
static bool is_letter(uint8_t c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

// Reads a vector in decimal digits, blanks and an identifier, which remains in *line. Returns false for anything else.
static bool take_vector(struct line *line, uint32_t *out_vector) {
    const uint8_t *at = line->at;
    uint32_t vector = 0;
    while (at < line->end && is_digit(*at) && vector <= CM_MAX_VECTOR) vector = vector * 10 + (uint32_t)(*at++ - '0');
    if (at == line->at || vector > CM_MAX_VECTOR || at == line->end || (*at != ' ' && *at != '\t')) return false;
    while (*at == ' ' || *at == '\t') at++; // the end of the line is already trimmed
    size_t len = (size_t)(line->end - at);
    if (len < SHORTEST || len > LONGEST || (!is_letter(*at) && *at != '_')) return false;
    for (const uint8_t *c = at; c < line->end; c++)
        if (!is_digit(*c) && !is_letter(*c) && *c != '_') return false;
    line->at = at;
    *out_vector = vector;
    return true;
}

static bool is_hexadecimal(const struct line *line) {
    for (const uint8_t *c = line->at; c < line->end; c++)
        if (!is_digit(*c) && ((*c | 0x20) < 'a' || (*c | 0x20) > 'f')) return false;
    return true;
}

bool cm_vectors_text_is(const uint8_t *text, size_t len) {
    enum { SCAN_LEN = 4096 };
    bool any = false;
    if (!len) return false; // an empty input has no first byte
    struct line rest = { text, text + (len < SCAN_LEN ? len : SCAN_LEN) };
    while (rest.at < rest.end) {
        uint32_t vector;
        struct line line = next_line(&rest);
        bool is_cut = rest.at == rest.end && len > SCAN_LEN;
        if (is_silent(&line) || is_cut) continue;
        if (!take_vector(&line, &vector)) return false;
        any = any || !is_hexadecimal(&line);
    }
    return any;
}

static struct tk_lookup_key key_of(uint32_t vector) {
    return (struct tk_lookup_key){ .space = TK_LOOKUP_OF_FORMAT, .id = vector };
}

uint64_t cm_vectors_text_read(const uint8_t *text, size_t len, struct tk_lookup *out_names, struct tk_alloc *alloc) {
    struct line rest = { text, text + len };
    uint64_t names = 0;
    while (rest.at < rest.end) {
        uint32_t vector;
        struct line line = next_line(&rest);
        if (is_silent(&line) || !take_vector(&line, &vector)) continue;
        names++;
        if (out_names)
            tk_lookup_add(out_names, alloc, &(struct tk_lookup_entry){ .key = key_of(vector) }, (const char *)line.at,
                          (size_t)(line.end - line.at));
    }
    return names;
}

bool cm_vector_given(const struct tk_lookup *lookup, uint32_t vector, const char **out_text, size_t *out_len) {
    return lookup && tk_lookup_text(lookup, key_of(vector), out_text, out_len);
}

// ---- A table -----------------------------------------------------------------------------------

const char *cm_vector_of_stm32f303(uint32_t vector) {
    static const char *const names[] = {
        // first interrupt, after the system exceptions
        "WWDG",
        "PVD",
        "TAMP_STAMP",
        "RTC_WKUP",
        "FLASH",
        "RCC",
        "EXTI0",
        "EXTI1",
        "EXTI2_TSC",
        "EXTI3",
        "EXTI4",
        "DMA1_CH1",
        "DMA1_CH2",
        "DMA1_CH3",
        "DMA1_CH4",
        "DMA1_CH5",
        "DMA1_CH6",
        "DMA1_CH7",
        "ADC1_2",
        "USB_HP_CAN_TX",
        "USB_LP_CAN_RX0",
        "CAN_RX1",
        "CAN_SCE",
        "EXTI9_5",
        "TIM1_BRK_TIM15",
        "TIM1_UP_TIM16",
        "TIM1_TRG_COM_TIM17",
        "TIM1_CC",
        "TIM2",
        "TIM3",
        "TIM4",
        "I2C1_EV",
        "I2C1_ER",
        "I2C2_EV",
        "I2C2_ER",
        "SPI1",
        "SPI2",
        "USART1",
        "USART2",
        "USART3",
        "EXTI15_10",
        "RTC_Alarm",
        "USBWakeUp",
        "TIM8_BRK",
        "TIM8_UP",
        "TIM8_TRG_COM",
        "TIM8_CC",
        "ADC3",
        "FMC",
        NULL,
        NULL,
        "SPI3",
        "UART4",
        "UART5",
        "TIM6_DAC",
        "TIM7",
        "DMA2_CH1",
        "DMA2_CH2",
        "DMA2_CH3",
        "DMA2_CH4",
        "DMA2_CH5",
        "ADC4",
        NULL,
        NULL,
        "COMP1_2_3",
        "COMP4_5_6",
        "COMP7",
        NULL,
        NULL,
        NULL,
        NULL,
        NULL,
        "I2C3_EV",
        "I2C3_ER",
        "USB_HP",
        "USB_LP",
        "USBWakeUp_RMP",
        "TIM20_BRK",
        "TIM20_UP",
        "TIM20_TRG_COM",
        "TIM20_CC",
        "FPU",
    };
    return vector >= CM_FIRST_INTERRUPT && vector - CM_FIRST_INTERRUPT < sizeof names / sizeof *names
               ? names[vector - CM_FIRST_INTERRUPT]
               : NULL;
}
