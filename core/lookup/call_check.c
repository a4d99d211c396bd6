// SPDX-License-Identifier: MIT
//
// Decodes the Thumb instructions that call or leave a function. Code is little-endian on every Cortex-M.
#include "call_check.h"

#include "../base/idmap.h"
#include "symbol_file.h"

enum {
    TAIL_DEPTH = 4,      // longest chain of functions that only jump to the next one
    TAIL_STEPS = 4096,   // largest number of instructions decoded for one call
    UNNAMED_VENEER = 16, // size in bytes of a linker veneer without a symbol
    REGISTER_LR = 14,
    REGISTER_PC = 15
};

enum reach { REACH_NO, REACH_UNKNOWN, REACH_YES };

struct search {
    const struct tk_symbol_file *file;
    uint32_t callee; // index of the function to reach; TK_NONE: code that is in no function of the file
    uint32_t steps;  // number of instructions that may still be decoded
};

// ---- Code --------------------------------------------------------------------------------------

static bool read_half(const struct tk_symbol_file *file, uint64_t address, uint32_t *out_half) {
    const uint8_t *at;
    if (tk_symbol_file_bytes(file, address, &at) < 2) return false;
    *out_half = at[0] | (uint32_t)at[1] << 8;
    return true;
}

static bool read_word(const struct tk_symbol_file *file, uint64_t address, uint32_t *out_word) {
    uint32_t low, high;
    if (!read_half(file, address, &low) || !read_half(file, address + 2, &high)) return false;
    *out_word = low | high << 16;
    return true;
}

static bool is_wide(uint32_t first) { return (first & 0xF800) >= 0xE800; }

static uint32_t sign_extend(uint32_t value, unsigned bits) {
    uint32_t sign = 1u << (bits - 1);
    return (value ^ sign) - sign;
}

// Returns the target of BL, BLX or B.W, whose offset has 25 bits.
static uint32_t far_target(uint32_t address, uint32_t first, uint32_t second) {
    uint32_t sign = first >> 10 & 1, i1 = ~(second >> 13 ^ sign) & 1, i2 = ~(second >> 11 ^ sign) & 1;
    uint32_t offset = sign << 24 | i1 << 23 | i2 << 22 | (first & 0x3FF) << 12 | (second & 0x7FF) << 1;
    return address + 4 + sign_extend(offset, 25);
}

// Decodes BL, and BLX to ARM code, whose target is a multiple of 4.
static bool direct_call(uint32_t address, uint32_t first, uint32_t second, uint32_t *out_target) {
    if ((first & 0xF800) != 0xF000 || (second & 0xC000) != 0xC000) return false;
    bool keeps_thumb = second & 0x1000;
    if (!keeps_thumb && second & 1) return false;
    *out_target = keeps_thumb ? far_target(address, first, second) : far_target(address & ~3u, first, second);
    return true;
}

// Returns true for BLX Rm and BLXNS Rm.
static bool is_indirect_call(uint32_t half) { return (half & 0xFF83) == 0x4780 && (half >> 3 & 15) != REGISTER_PC; }

// ---- Functions ---------------------------------------------------------------------------------

static uint32_t owner_of(const struct tk_symbol_file *file, uint64_t address) {
    uint32_t index = tk_symbol_table_find(&file->functions, address);
    return index == TK_NONE ? TK_NONE : file->functions.entries[index].owner;
}

static bool is_start(const struct tk_symbol_file *file, uint64_t address) {
    uint32_t index = tk_symbol_table_find(&file->functions, address);
    return index != TK_NONE && file->functions.entries[index].start == address;
}

// Returns true if a function is the handler of exactly one exception.
static bool is_handler(const struct tk_symbol_file *file, uint32_t function) {
    return tk_symbol_file_vectors_of(file, function) == 1;
}

// ---- Tail calls and veneers ------------------------------------------------------------------------

struct jump {
    bool is_jump, is_computed;
    uint32_t target;
};

static struct jump jump_to(uint32_t target) { return (struct jump){ .is_jump = true, .target = target }; }

static struct jump narrow_jump(uint32_t address, uint32_t half) {
    uint32_t source = half >> 3 & 15;
    bool to_register = (half & 0xFF80) == 0x4700 || (half & 0xFF87) == 0x4687; // BX Rm, MOV PC, Rm
    if ((half & 0xF800) == 0xE000) return jump_to(address + 4 + sign_extend((half & 0x7FF) << 1, 12));
    if ((half & 0xF000) == 0xD000 && (half >> 8 & 15) < 14)
        return jump_to(address + 4 + sign_extend((half & 0xFF) << 1, 9));
    return (struct jump){ .is_computed = to_register && source != REGISTER_LR };
}

// Decodes LDR.W PC: with a literal next to the code, as in linker veneers, it is a jump to a known target; with another
// base register the target is computed. A load from the stack is a return.
static struct jump load_jump(const struct tk_symbol_file *file, uint32_t address, uint32_t first, uint32_t second) {
    enum { STACK = 13 };
    uint32_t offset = second & 0xFFF, base = (address + 4) & ~3u, word;
    if ((first & 0xFF70) != 0xF850 || second >> 12 != REGISTER_PC || (first & 15) == STACK) return (struct jump){ 0 };
    bool is_literal = (first & 15) == REGISTER_PC;
    if (!is_literal || !read_word(file, first & 0x80 ? base + offset : base - offset, &word))
        return (struct jump){ .is_computed = true };
    return jump_to(word & ~1u);
}

static struct jump wide_jump(const struct tk_symbol_file *file, uint32_t address, uint32_t first, uint32_t second) {
    if ((first & 0xF800) != 0xF000) return load_jump(file, address, first, second);
    if ((second & 0xD000) == 0x9000) return jump_to(far_target(address, first, second));
    if ((second & 0xD000) != 0x8000 || (first >> 6 & 15) >= 14) return (struct jump){ 0 };
    uint32_t offset = (first >> 10 & 1) << 20 | (second >> 11 & 1) << 19 | (second >> 13 & 1) << 18 |
                      (first & 0x3F) << 12 | (second & 0x7FF) << 1;
    return jump_to(address + 4 + sign_extend(offset, 21));
}

static uint64_t end_of_code(const struct tk_symbol_file *file, uint32_t from) {
    uint32_t index = tk_symbol_table_find(&file->functions, from);
    if (index == TK_NONE) return (uint64_t)from + UNNAMED_VENEER;
    return file->functions.entries[index].start + file->functions.entries[index].size;
}

static enum reach follow(struct search *search, uint32_t from, unsigned depth);

static enum reach follow_jump(struct search *search, struct jump jump, uint32_t own, unsigned depth) {
    if (jump.is_computed) return REACH_UNKNOWN;
    if (!jump.is_jump) return REACH_NO;
    uint32_t owner = owner_of(search->file, jump.target);
    if (owner == TK_NONE && search->callee == TK_NONE) return REACH_UNKNOWN;
    if (owner == search->callee && is_start(search->file, jump.target)) return REACH_YES;
    bool stays = owner != TK_NONE && owner == own;
    return stays || depth + 1 == TAIL_DEPTH ? REACH_NO : follow(search, jump.target, depth + 1);
}

// Returns whether the code from here to the end of its function can jump to the callee, so that the callee returns to
// its caller.
static enum reach follow(struct search *search, uint32_t from, unsigned depth) {
    const struct tk_symbol_file *file = search->file;
    uint64_t end = end_of_code(file, from);
    uint32_t own = owner_of(file, from), first, second = 0;
    enum reach best = REACH_NO;
    for (uint64_t at = from; at < end && best != REACH_YES;) {
        if (!search->steps || !read_half(file, at, &first)) return REACH_UNKNOWN;
        bool wide = is_wide(first);
        if (wide && !read_half(file, at + 2, &second)) return REACH_UNKNOWN;
        search->steps--;
        struct jump jump = wide ? wide_jump(file, (uint32_t)at, first, second) : narrow_jump((uint32_t)at, first);
        enum reach reach = follow_jump(search, jump, own, depth);
        if (reach > best) best = reach;
        at += wide ? 4 : 2;
    }
    return best;
}

static enum tk_call_verdict reaches(const struct tk_symbol_file *file, uint32_t from, uint32_t callee) {
    static const enum tk_call_verdict verdicts[] = {
        [REACH_NO] = TK_CALL_CONTRADICTS, [REACH_UNKNOWN] = TK_CALL_UNPROVEN, [REACH_YES] = TK_CALL_AGREES
    };
    struct search search = { file, callee, TAIL_STEPS };
    return verdicts[follow(&search, from, 0)];
}

// ---- Checks ------------------------------------------------------------------------------------

enum tk_call_verdict tk_symbol_file_check_call(const struct tk_symbol_file *file, uint64_t point,
                                               uint64_t return_address) {
    uint32_t after = (uint32_t)return_address & ~1u, callee = owner_of(file, point & ~(uint64_t)1), first, second,
             target;
    if (!file->thumb || after < 4 || !read_half(file, after - 2, &second)) return TK_CALL_UNPROVEN;
    if (is_indirect_call(second)) return callee == TK_NONE ? TK_CALL_UNPROVEN : TK_CALL_AGREES;
    if (!read_half(file, after - 4, &first)) return TK_CALL_UNPROVEN;
    if (!direct_call(after - 4, first, second, &target)) // an RTOS lets a task return to the start of a function
        return is_start(file, after) ? TK_CALL_UNPROVEN : TK_CALL_CONTRADICTS;
    if (owner_of(file, target) == callee) {
        if (callee == TK_NONE) return TK_CALL_UNPROVEN;
        if (is_start(file, target)) return TK_CALL_AGREES;
    }
    // A trace point in the middle of a function: an earlier call may have changed LR.
    if (owner_of(file, after - 1) == callee) return TK_CALL_UNPROVEN;
    return reaches(file, target, callee);
}

enum tk_call_verdict tk_symbol_file_check_vector(const struct tk_symbol_file *file, uint32_t vector, uint64_t point) {
    uint32_t callee = owner_of(file, point & ~(uint64_t)1), handler, users;
    if (!file->thumb || callee == TK_NONE || !tk_symbol_file_vector(file, vector, &handler, &users))
        return TK_CALL_UNPROVEN;
    const struct tk_symbol_entry *entry = &file->functions.entries[handler];
    if (entry->owner == callee) return TK_CALL_AGREES;
    // A handler shared by several vectors is a default that the target replaces at run time, or it calls the others.
    // The target does not replace it by the handler of another interrupt.
    if (users > 1) return is_handler(file, callee) ? TK_CALL_CONTRADICTS : TK_CALL_UNPROVEN;
    return reaches(file, (uint32_t)entry->start, callee);
}

enum tk_call_verdict tk_symbol_file_check_context(const struct tk_symbol_file *file, uint32_t vector) {
    enum tk_has_vector has = tk_symbol_file_has_vector(file, vector);
    if (has == TK_VECTOR_UNKNOWN || !file->summary.checks.interrupts_agree) return TK_CALL_UNPROVEN;
    return has == TK_VECTOR_PRESENT ? TK_CALL_AGREES : TK_CALL_CONTRADICTS;
}

enum tk_call_verdict tk_symbol_file_check_thread_entry(const struct tk_symbol_file *file, uint64_t point) {
    uint32_t callee = owner_of(file, point & ~(uint64_t)1);
    return file->thumb && callee != TK_NONE && is_handler(file, callee) ? TK_CALL_CONTRADICTS : TK_CALL_UNPROVEN;
}
