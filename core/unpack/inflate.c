// SPDX-License-Identifier: MIT
//
// Deflate within zlib and gzip. Its state holds no pointers and no window: it goes on at any bit, also as a copy elsewhere; matches are taken
// from what was unpacked.
#include "unpack_parts.h"

enum { MAX_BITS = 15, FAST_BITS = 9, LITERALS = 288, DISTANCES = 30, LENGTH_CODES = 19, END_OF_BLOCK = 256, SHORTEST = 3 };
enum { NOT_YET = -1, WRONG = -2 };

enum state {
    HEAD, HEAD_FIXED, EXTRA_LENGTH, EXTRA, NAME, COMMENT, HEAD_SUM,
    BLOCK, STORED_LENGTH, STORED, TABLE_SIZES, LENGTH_LENGTHS, LENGTHS, REPEAT,
    SYMBOL, LENGTH_MORE, DISTANCE, DISTANCE_MORE, MATCH, SUM, TOTAL, ENDED
};

// A canonical code: how many have each length, and their symbols in order. Short ones are found at once.
struct code {
    uint16_t count[MAX_BITS + 1], symbols[LITERALS];
    uint16_t fast[1 << FAST_BITS]; // symbol << 4 | length; 0: longer, or none
};

struct inflater {
    uint64_t bits;     // that were read and not used, the next one lowest
    uint8_t bit_count;
    uint8_t flags;     // of gzip
    bool is_last;      // the block at hand
    uint16_t literals, distances, lengths_known, at; // of the tables
    uint8_t repeats;   // symbol of the repetition at hand
    uint8_t lengths[LITERALS + 32];
    uint32_t sum, total;
    struct code literal, distance; // literal: also that of the lengths
};

// ---- Bits --------------------------------------------------------------------------------------

static void fill_bits(struct inflater *inflater, struct tk_unpack_io *io) {
    for (; inflater->bit_count <= 56 && io->in_len; inflater->bit_count += 8) inflater->bits |= (uint64_t)tk_unpack_byte(io) << inflater->bit_count;
}

static bool has_bits(const struct inflater *inflater, unsigned count) { return inflater->bit_count >= count; }

static uint32_t take_bits(struct inflater *inflater, unsigned count) {
    uint32_t value = (uint32_t)(inflater->bits & (((uint64_t)1 << count) - 1));
    inflater->bits >>= count;
    inflater->bit_count = (uint8_t)(inflater->bit_count - count);
    return value;
}

static void align(struct inflater *inflater) { take_bits(inflater, inflater->bit_count % 8); }

// ---- Codes -------------------------------------------------------------------------------------

static unsigned reversed(unsigned code, unsigned len) {
    unsigned result = 0;
    for (; len; len--, code >>= 1) result = result << 1 | (code & 1);
    return result;
}

static void fill_fast(struct code *code, const uint8_t *lengths, unsigned symbols) {
    unsigned next[MAX_BITS + 2] = { 0 };
    memset(code->fast, 0, sizeof code->fast);
    for (unsigned len = 1; len <= MAX_BITS; len++) next[len + 1] = (next[len] + code->count[len]) << 1;
    for (unsigned symbol = 0; symbol < symbols; symbol++) {
        unsigned len = lengths[symbol];
        if (!len || len > FAST_BITS) continue;
        for (unsigned at = reversed(next[len]++, len); at < 1 << FAST_BITS; at += 1u << len) code->fast[at] = (uint16_t)(symbol << 4 | len);
    }
}

// Returns how many codes of the longest length are not given: 0 of a complete code; < 0: there are too many.
static int build_code(struct code *code, const uint8_t *lengths, unsigned symbols) {
    uint16_t offsets[MAX_BITS + 2] = { 0 };
    int left = 1;
    memset(code->count, 0, sizeof code->count);
    for (unsigned symbol = 0; symbol < symbols; symbol++) code->count[lengths[symbol]]++;
    code->count[0] = 0;
    for (unsigned len = 1; len <= MAX_BITS && left >= 0; len++) left = left * 2 - code->count[len];
    if (left < 0) return left;
    for (unsigned len = 1; len <= MAX_BITS; len++) offsets[len + 1] = (uint16_t)(offsets[len] + code->count[len]);
    for (unsigned symbol = 0; symbol < symbols; symbol++)
        if (lengths[symbol]) code->symbols[offsets[lengths[symbol]]++] = (uint16_t)symbol;
    fill_fast(code, lengths, symbols);
    return left;
}

// Bit by bit, for codes that are long or cut by the end of what there is.
static int take_long_symbol(struct inflater *inflater, const struct code *code) {
    unsigned bits = 0, first = 0, index = 0;
    for (unsigned len = 1; len <= MAX_BITS; len++) {
        if (len > inflater->bit_count) return NOT_YET;
        bits |= inflater->bits >> (len - 1) & 1;
        if (bits - first < code->count[len]) {
            take_bits(inflater, len);
            return code->symbols[index + bits - first];
        }
        index += code->count[len];
        first = (first + code->count[len]) << 1;
        bits <<= 1;
    }
    return WRONG;
}

static inline int take_symbol(struct inflater *inflater, const struct code *code) {
    unsigned entry = code->fast[inflater->bits & ((1 << FAST_BITS) - 1)], len = entry & 15;
    if (!len || len > inflater->bit_count) return take_long_symbol(inflater, code);
    take_bits(inflater, len);
    return (int)(entry >> 4);
}

static void build_fixed(struct inflater *inflater) {
    for (unsigned i = 0; i < LITERALS; i++) inflater->lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    build_code(&inflater->literal, inflater->lengths, LITERALS);
    memset(inflater->lengths, 5, DISTANCES);
    build_code(&inflater->distance, inflater->lengths, DISTANCES);
}

// A code may be incomplete where it has one symbol.
static bool is_usable(const struct code *code, int left) {
    unsigned used = 0;
    for (unsigned len = 1; len <= MAX_BITS; len++) used += code->count[len];
    return left == 0 || (left > 0 && used <= 1 && used == code->count[1]);
}

static bool build_told(struct inflater *inflater) {
    const uint8_t *lengths = inflater->lengths;
    if (!lengths[END_OF_BLOCK]) return false;
    int left = build_code(&inflater->literal, lengths, inflater->literals);
    if (!is_usable(&inflater->literal, left)) return false;
    left = build_code(&inflater->distance, lengths + inflater->literals, inflater->distances);
    return is_usable(&inflater->distance, left);
}

// ---- Steps: each returns the next state, NOT_YET or WRONG ---------------------------------------

static int after_flags(const struct inflater *inflater, unsigned from) {
    static const struct { uint8_t flag, state; } parts[] = { { 4, EXTRA_LENGTH }, { 8, NAME }, { 16, COMMENT }, { 2, HEAD_SUM } };
    for (unsigned i = from; i < 4; i++)
        if (inflater->flags & parts[i].flag) return parts[i].state;
    return BLOCK;
}

static int read_zlib_head(struct inflater *inflater) {
    enum { DEFLATE = 8, DICTIONARY = 0x20 };
    if (!has_bits(inflater, 16)) return NOT_YET;
    uint32_t method = take_bits(inflater, 8), flags = take_bits(inflater, 8);
    bool is_right = (method & 15) == DEFLATE && method >> 4 <= 7 && !(flags & DICTIONARY) && (method << 8 | flags) % 31 == 0;
    inflater->sum = 1;
    return is_right ? BLOCK : WRONG;
}

static int read_head(struct tk_unpack *unpack, struct inflater *inflater) {
    if (unpack->method == TK_UNPACK_ZLIB) return read_zlib_head(inflater);
    if (!has_bits(inflater, 32)) return NOT_YET;
    if (take_bits(inflater, 24) != 0x088B1F) return WRONG;
    inflater->flags = (uint8_t)take_bits(inflater, 8);
    return inflater->flags & 0xE0 ? WRONG : HEAD_FIXED;
}

static int read_gzip_part(struct inflater *inflater, enum state state) {
    unsigned needed = state == HEAD_FIXED ? 48 : state == EXTRA_LENGTH || state == HEAD_SUM ? 16 : 8;
    if (!has_bits(inflater, needed)) return NOT_YET;
    if (state == HEAD_FIXED) return take_bits(inflater, 24), take_bits(inflater, 24), after_flags(inflater, 0);
    uint32_t value = take_bits(inflater, needed);
    if (state == EXTRA_LENGTH) return inflater->total = value, value ? EXTRA : after_flags(inflater, 1);
    if (state == EXTRA) return --inflater->total ? EXTRA : after_flags(inflater, 1);
    if (state == HEAD_SUM) return BLOCK;
    return value ? (int)state : after_flags(inflater, state == NAME ? 2 : 3);
}

static int read_block(struct inflater *inflater) {
    if (!has_bits(inflater, 3)) return NOT_YET;
    inflater->is_last = take_bits(inflater, 1);
    switch (take_bits(inflater, 2)) {
    case 0: return align(inflater), STORED_LENGTH;
    case 1: return build_fixed(inflater), SYMBOL;
    case 2: return TABLE_SIZES;
    default: return WRONG;
    }
}

static int after_block(struct inflater *inflater) {
    if (!inflater->is_last) return BLOCK;
    align(inflater);
    return SUM;
}

static int read_stored_length(struct tk_unpack *unpack, struct inflater *inflater) {
    if (!has_bits(inflater, 32)) return NOT_YET;
    uint32_t len = take_bits(inflater, 16), check = take_bits(inflater, 16);
    unpack->left = len;
    return (len ^ check) == 0xFFFF ? STORED : WRONG;
}

static int read_table_sizes(struct inflater *inflater) {
    if (!has_bits(inflater, 14)) return NOT_YET;
    inflater->literals = (uint16_t)(take_bits(inflater, 5) + 257);
    inflater->distances = (uint16_t)(take_bits(inflater, 5) + 1);
    inflater->lengths_known = (uint16_t)(take_bits(inflater, 4) + 4);
    inflater->at = 0;
    memset(inflater->lengths, 0, sizeof inflater->lengths);
    return inflater->literals <= 286 && inflater->distances <= DISTANCES ? LENGTH_LENGTHS : WRONG;
}

static int read_length_length(struct inflater *inflater) {
    static const uint8_t order[LENGTH_CODES] = { 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15 };
    if (!has_bits(inflater, 3)) return NOT_YET;
    inflater->lengths[order[inflater->at++]] = (uint8_t)take_bits(inflater, 3);
    if (inflater->at < inflater->lengths_known) return LENGTH_LENGTHS;
    if (build_code(&inflater->literal, inflater->lengths, LENGTH_CODES)) return WRONG;
    memset(inflater->lengths, 0, sizeof inflater->lengths);
    inflater->at = 0;
    return LENGTHS;
}

static int after_length(struct inflater *inflater) {
    if (inflater->at < inflater->literals + inflater->distances) return LENGTHS;
    return build_told(inflater) ? SYMBOL : WRONG;
}

static int read_length(struct inflater *inflater) {
    int symbol = take_symbol(inflater, &inflater->literal);
    if (symbol < 0) return symbol;
    inflater->repeats = (uint8_t)symbol;
    if (symbol >= 16) return REPEAT;
    inflater->lengths[inflater->at++] = (uint8_t)symbol;
    return after_length(inflater);
}

static int read_repeat(struct inflater *inflater) {
    unsigned kind = inflater->repeats - 16u, bits = kind == 0 ? 2 : kind == 1 ? 3 : 7;
    if (!has_bits(inflater, bits)) return NOT_YET;
    unsigned count = take_bits(inflater, bits) + (kind == 2 ? 11 : 3);
    if ((kind == 0 && !inflater->at) || inflater->at + count > (unsigned)inflater->literals + inflater->distances) return WRONG;
    memset(inflater->lengths + inflater->at, kind ? 0 : inflater->lengths[inflater->at - 1], count);
    inflater->at = (uint16_t)(inflater->at + count);
    return after_length(inflater);
}

static int read_symbol(struct tk_unpack *unpack, struct inflater *inflater, struct tk_unpack_io *io) {
    for (;;) {
        fill_bits(inflater, io);
        if (io->at == io->end) return NOT_YET;
        int symbol = take_symbol(inflater, &inflater->literal);
        if (symbol < 0) return symbol;
        if (symbol == END_OF_BLOCK) return after_block(inflater);
        unpack->left = (uint32_t)symbol - END_OF_BLOCK - 1;
        if (symbol > END_OF_BLOCK) return unpack->left < 29 ? LENGTH_MORE : WRONG;
        *io->at++ = (uint8_t)symbol;
    }
}

static int read_length_more(struct tk_unpack *unpack, struct inflater *inflater) {
    unsigned code = unpack->left, bits = code < 8 || code == 28 ? 0 : code / 4 - 1;
    if (!has_bits(inflater, bits)) return NOT_YET;
    unpack->left = code == 28 ? 258 : code < 8 ? code + SHORTEST : ((4 + code % 4) << bits) + SHORTEST + take_bits(inflater, bits);
    return DISTANCE;
}

static int read_distance(struct tk_unpack *unpack, struct inflater *inflater) {
    int symbol = take_symbol(inflater, &inflater->distance);
    if (symbol < 0) return symbol;
    unpack->distance = (uint32_t)symbol;
    return DISTANCE_MORE;
}

static int read_distance_more(struct tk_unpack *unpack, struct inflater *inflater, const struct tk_unpack_io *io) {
    unsigned code = unpack->distance, bits = code < 4 ? 0 : code / 2 - 1;
    if (!has_bits(inflater, bits)) return NOT_YET;
    unpack->distance = code < 4 ? code + 1 : ((2 + code % 2) << bits) + 1 + take_bits(inflater, bits);
    return tk_unpack_reaches(unpack, io) ? MATCH : WRONG;
}

// What was read ahead comes first.
static int copy_stored(struct tk_unpack *unpack, struct inflater *inflater, struct tk_unpack_io *io) {
    for (; unpack->left && inflater->bit_count && io->at < io->end; unpack->left--) *io->at++ = (uint8_t)take_bits(inflater, 8);
    if (inflater->bit_count && unpack->left) return NOT_YET;
    return !unpack->left || tk_unpack_literals(unpack, io) ? after_block(inflater) : NOT_YET;
}

// ---- Sums --------------------------------------------------------------------------------------

static uint32_t adler(uint32_t sum, const uint8_t *at, size_t len) {
    enum { PRIME = 65521, ROUND = 5552 }; // so many additions fit into 32 bits
    uint32_t low = sum & 0xFFFF, high = sum >> 16;
    while (len) {
        size_t part = len < ROUND ? len : ROUND;
        len -= part;
        for (; part; part--) high += low += *at++;
        low %= PRIME;
        high %= PRIME;
    }
    return high << 16 | low;
}

static uint32_t crc(uint32_t sum, const uint8_t *at, size_t len) {
    static const uint32_t table[16] = {
        0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4, 0x4DB26158, 0x5005713C,
        0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C, 0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C
    };
    sum = ~sum;
    for (; len; len--) {
        sum ^= *at++;
        sum = sum >> 4 ^ table[sum & 15];
        sum = sum >> 4 ^ table[sum & 15];
    }
    return ~sum;
}

static void add_up(const struct tk_unpack *unpack, struct inflater *inflater, const uint8_t *from, const uint8_t *to) {
    size_t len = (size_t)(to - from);
    inflater->sum = unpack->method == TK_UNPACK_ZLIB ? adler(inflater->sum, from, len) : crc(inflater->sum, from, len);
    inflater->total += (uint32_t)len;
}

static int check_sum(const struct tk_unpack *unpack, struct inflater *inflater) {
    if (!has_bits(inflater, 32)) return NOT_YET;
    uint32_t told = 0;
    for (unsigned i = 0; i < 4; i++) {
        uint32_t byte = take_bits(inflater, 8);
        told = unpack->method == TK_UNPACK_ZLIB ? told << 8 | byte : told | byte << 8 * i;
    }
    if (told != inflater->sum) return WRONG;
    return unpack->method == TK_UNPACK_ZLIB ? ENDED : TOTAL;
}

static int check_total(struct inflater *inflater) {
    if (!has_bits(inflater, 32)) return NOT_YET;
    return take_bits(inflater, 32) == inflater->total ? ENDED : WRONG;
}

// ---- The whole ---------------------------------------------------------------------------------

static int step(struct tk_unpack *unpack, struct inflater *inflater, struct tk_unpack_io *io) {
    switch ((enum state)unpack->state) {
    case HEAD: return read_head(unpack, inflater);
    case BLOCK: return read_block(inflater);
    case STORED_LENGTH: return read_stored_length(unpack, inflater);
    case STORED: return copy_stored(unpack, inflater, io);
    case TABLE_SIZES: return read_table_sizes(inflater);
    case LENGTH_LENGTHS: return read_length_length(inflater);
    case LENGTHS: return read_length(inflater);
    case REPEAT: return read_repeat(inflater);
    case SYMBOL: return read_symbol(unpack, inflater, io);
    case LENGTH_MORE: return read_length_more(unpack, inflater);
    case DISTANCE: return read_distance(unpack, inflater);
    case DISTANCE_MORE: return read_distance_more(unpack, inflater, io);
    case MATCH: return tk_unpack_match(unpack, io) ? SYMBOL : NOT_YET;
    case SUM: return check_sum(unpack, inflater);
    case TOTAL: return check_total(inflater);
    case ENDED: return inflater->bit_count || io->in_len ? WRONG : NOT_YET;
    default: return read_gzip_part(inflater, (enum state)unpack->state);
    }
}

bool tk_inflate_begin(struct tk_unpack *unpack) {
    unpack->inflate = tk_alloc_zero(unpack->alloc, sizeof(struct inflater));
    return unpack->inflate;
}

bool tk_inflate_run(struct tk_unpack *unpack, struct tk_unpack_io *io) {
    struct inflater *inflater = unpack->inflate;
    const uint8_t *from = io->at;
    for (;;) {
        fill_bits(inflater, io);
        if (unpack->state == SUM) {
            add_up(unpack, inflater, from, io->at);
            from = io->at;
        }
        int next = step(unpack, inflater, io);
        if (next == WRONG) return false;
        if (next == NOT_YET) break;
        unpack->state = (uint8_t)next;
    }
    add_up(unpack, inflater, from, io->at);
    return true;
}

bool tk_inflate_is_complete(const struct tk_unpack *unpack) { return unpack->state == ENDED; }

void tk_inflate_moved(struct tk_unpack *unpack, struct tk_move *move) { unpack->inflate = tk_follow(move, unpack->inflate, unpack->inflate ? sizeof(struct inflater) : 0); }

void tk_inflate_end(struct tk_unpack *unpack) {
    tk_alloc_free(unpack->alloc, unpack->inflate, sizeof(struct inflater));
    unpack->inflate = NULL;
}
