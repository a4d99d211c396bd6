// SPDX-License-Identifier: MIT
#include "repeat.h"

#include <string.h>

// A search costs about as much as decoding SEARCH_COST bytes. If every byte of the history equals the key, it compares
// up to TK_REPEAT_MIN bytes at each of them. Hostile input must not cause a search per frame, so a question pays for
// its first search, and causes at most MAX_CANDIDATES more.
enum { SEARCH_COST = 8 * 1024, SEARCHES_IN_A_ROW = 16, MAX_CANDIDATES = 4 };
enum { RING = 2 * TK_REPEAT_MAX }; // room also for the start of a frame that the end of a chunk cuts
enum { STEP = 1024 }; // bytes of a copy: the C library copies more by a string instruction, which begins slowly

static void put(struct tk_repeat *repeat, const uint8_t *bytes, size_t len) {
    while (len) {
        size_t room = RING - repeat->at, step = len < room ? len : room;
        if (step > STEP) step = STEP;
        memcpy(repeat->ring + repeat->at, bytes, step);
        repeat->at = (uint32_t)(repeat->at + step) % RING;
        bytes += step;
        len -= step;
    }
}

void tk_repeat_keep(struct tk_repeat *repeat, struct tk_alloc *alloc, uint64_t offset, const uint8_t *bytes,
                    size_t len) {
    if (repeat->is_open) return; // the frame in question is decoded again
    if (offset > repeat->end) tk_repeat_forget(repeat, offset);
    uint64_t known = repeat->end - offset;
    if (known >= len) return;
    bytes += known;
    len -= (size_t)known;
    if (!repeat->ring) repeat->ring = tk_alloc_zero(alloc, RING);
    if (!repeat->ring) return;
    repeat->end += len;
    if (len > RING) {
        bytes += len - RING;
        len = RING;
    }
    put(repeat, bytes, len);
    repeat->kept = repeat->kept + len < RING ? (uint32_t)(repeat->kept + len) : RING;
}

void tk_repeat_forget(struct tk_repeat *repeat, uint64_t offset) {
    uint64_t kept = offset < repeat->end ? repeat->end - offset : 0;
    if (offset > repeat->end) repeat->end = offset;
    if (kept < repeat->kept) repeat->kept = (uint32_t)kept;
}

// Returns the number of bytes in the ring from `offset` on: the start of a frame that the end of a chunk cut.
static uint32_t count_later(const struct tk_repeat *repeat, uint64_t offset) {
    uint64_t later = repeat->end - offset;
    return later < repeat->kept ? (uint32_t)later : repeat->kept;
}

// Removes the bytes from `offset` on from the ring.
static void cut_ring(struct tk_repeat *repeat, uint64_t offset) {
    uint32_t later = count_later(repeat, offset);
    repeat->end = offset;
    repeat->kept -= later;
    repeat->at = (repeat->at + RING - later) % RING;
}

// Copies the latest bytes before `offset` from the ring to the history. Returns false without memory.
static bool collect(struct tk_repeat *repeat, struct tk_alloc *alloc, uint64_t offset) {
    if (!repeat->history) repeat->history = tk_alloc_zero(alloc, TK_REPEAT_MAX);
    if (!repeat->history) return false;
    uint32_t later = count_later(repeat, offset), kept = repeat->kept - later,
             len = kept < TK_REPEAT_MAX ? kept : TK_REPEAT_MAX, from = (repeat->at + 2 * RING - later - len) % RING,
             first = len < RING - from ? len : RING - from;
    if (len) memcpy(repeat->history, repeat->ring + from, first);
    if (len) memcpy(repeat->history + first, repeat->ring, len - first);
    repeat->len = len;
    return true;
}

static bool pay_for_search(struct tk_repeat *repeat, uint64_t offset) {
    enum { CREDIT = SEARCH_COST * SEARCHES_IN_A_ROW };
    if (repeat->paid < offset) repeat->paid = offset;
    if (repeat->paid - offset > CREDIT - SEARCH_COST) return false;
    repeat->paid += SEARCH_COST;
    return true;
}

// Returns the index of the last copy of the bytes in history[0, end); `end`: there is none.
static uint32_t find_last(const uint8_t *history, uint32_t end, const uint8_t *bytes, size_t len, size_t key) {
    uint32_t last = end;
    if (len > end || key >= len) return end;
    const uint8_t *at = history + key, *keys_end = history + end - len + key + 1;
    while (at < keys_end && (at = memchr(at, bytes[key], (size_t)(keys_end - at)))) {
        const uint8_t *copy = at++ - key;
        if (!memcmp(copy, bytes, len)) last = (uint32_t)(copy - history);
    }
    return last;
}

bool tk_repeat_ask(struct tk_repeat *repeat, struct tk_alloc *alloc, const struct tk_repeat_frame *frame) {
    uint64_t offset = frame->offset;
    if (offset < repeat->examined || offset > repeat->end || !frame->len || frame->len > TK_REPEAT_MAX_FRAME)
        return false;
    repeat->examined = offset + 1;
    if (!pay_for_search(repeat, offset) || !collect(repeat, alloc, offset)) return false;
    uint32_t len = repeat->len;
    size_t searched = frame->len < TK_REPEAT_MIN ? frame->len : TK_REPEAT_MIN; // `compare` compares the others
    if (len < TK_REPEAT_MIN) return false;
    uint32_t head = frame->is_damaged ? (uint32_t)frame->len : 0;
    if (!head && find_last(repeat->history, len, frame->bytes, searched, frame->key) == len)
        head = (uint32_t)frame->len + 1; // both copies may have a part in it, which is a valid frame by chance
    cut_ring(repeat, offset);
    repeat->offset = offset;
    repeat->before = frame->before;
    repeat->delimiter = frame->delimiter;
    repeat->key = frame->key;
    repeat->head = head;
    repeat->copy = len;
    repeat->candidates = 0;
    repeat->seen = 0;
    return repeat->is_open = true;
}

// Returns the bytes before the frame in question from the start of the frame that contains the last `back` of them.
static uint32_t find_border(const struct tk_repeat *repeat, uint32_t back) {
    const uint8_t *end = repeat->history + repeat->len;
    while (back && back < repeat->before && back < repeat->len && end[-1 - (ptrdiff_t)back] != repeat->delimiter)
        back++;
    return back;
}

// Selects the last copy before the current one, and finds how many bytes before it repeat as well.
static bool next_candidate(struct tk_repeat *repeat, const uint8_t *bytes) {
    uint32_t len = repeat->len, head = repeat->head, limit = head ? head : repeat->before, back = 0;
    const uint8_t *history = repeat->history;
    // The last copy ends before the previous one does.
    uint32_t end = repeat->candidates ? repeat->copy + TK_REPEAT_MIN - 1 : len;
    if (repeat->candidates++ == MAX_CANDIDATES) return false;
    uint32_t copy = find_last(history, end, bytes + head, TK_REPEAT_MIN, repeat->key);
    if (copy == end) return false;
    while (back < limit && back < copy &&
           history[copy - 1 - back] == (back < head ? bytes[head - 1 - back] : history[len + head - 1 - back]))
        back++;
    repeat->copy = copy;
    repeat->back = back;
    repeat->border = 0;
    repeat->same = TK_REPEAT_MIN;
    repeat->seen = 0;
    return true;
}

// Compares the bytes with the selected copy. The second copy begins at the frame in question. If it is too short then,
// it begins in the decoded frames before that, as late as it can.
static enum tk_repeat_verdict compare(struct tk_repeat *repeat, const uint8_t *bytes, size_t len, bool ended) {
    uint32_t tail = repeat->len - repeat->copy, least = repeat->head + tail - repeat->back,
             most = repeat->head ? least : tail;
    const uint8_t *copy = repeat->history + repeat->copy, *at = bytes + repeat->head;
    size_t left = len - repeat->head;
    uint32_t same = repeat->same;
    while (same < most && same < left && at[same] == (same < tail ? copy[same] : bytes[same - tail])) same++;
    repeat->same = same;
    if (same < most && same == left && !ended) return TK_REPEAT_MORE;
    repeat->border = find_border(repeat, most - same);
    return same >= least ? TK_REPEAT_YES : TK_REPEAT_NO;
}

// Asks the decoder, unless it needed more bytes before and no frame has ended since.
static enum tk_repeat_verdict ask_judge(struct tk_repeat *repeat, const uint8_t *bytes, size_t block, size_t len,
                                        bool ended, tk_repeat_judge *judge, void *decoder) {
    bool is_last = len - block > TK_REPEAT_MAX_AFTER;
    size_t shown = is_last ? block + TK_REPEAT_MAX_AFTER : len, seen = repeat->seen;
    if (seen && !is_last && !ended && repeat->delimiter != TK_REPEAT_NO_DELIMITER &&
        !memchr(bytes + seen, repeat->delimiter, shown - seen))
        return TK_REPEAT_MORE;
    repeat->seen = (uint32_t)shown;
    enum tk_repeat_verdict verdict = judge(decoder, bytes, block, shown, ended && !is_last);
    return verdict == TK_REPEAT_MORE && is_last ? TK_REPEAT_NO : verdict;
}

enum tk_repeat_verdict tk_repeat_decide(struct tk_repeat *repeat, const uint8_t *bytes, size_t len, bool ended,
                                        tk_repeat_judge *judge, void *decoder, size_t *out_len) {
    enum tk_repeat_verdict verdict = ended ? TK_REPEAT_NO : TK_REPEAT_MORE;
    *out_len = 0;
    while (len >= repeat->head + TK_REPEAT_MIN) {
        if (repeat->copy == repeat->len && !next_candidate(repeat, bytes)) {
            verdict = TK_REPEAT_NO;
            break;
        }
        verdict = compare(repeat, bytes, len, ended);
        size_t distance = repeat->head + repeat->len - repeat->copy, block = distance - repeat->border;
        if (distance < TK_REPEAT_MIN + repeat->border) verdict = TK_REPEAT_NO;
        if (verdict == TK_REPEAT_YES) verdict = ask_judge(repeat, bytes, block, len, ended, judge, decoder);
        if (verdict == TK_REPEAT_YES) {
            *out_len = block;
            repeat->end = repeat->offset + block;
        }
        if (verdict != TK_REPEAT_NO) break;
        if (!next_candidate(repeat, bytes)) break;
    }
    repeat->is_open = verdict == TK_REPEAT_MORE;
    return verdict;
}

static void decide_held(struct tk_repeat *repeat, const struct tk_repeat_decoder *calls, void *decoder, bool ended) {
    struct tk_carry *held = &repeat->held;
    size_t len;
    if (tk_repeat_decide(repeat, tk_carry_bytes(held), tk_carry_len(held), ended, calls->judge, decoder, &len) !=
        TK_REPEAT_YES)
        return;
    calls->skip(decoder, tk_carry_bytes(held), len);
    tk_carry_drop(held, len);
}

static void decode_held(struct tk_repeat *repeat, const struct tk_repeat_decoder *calls, void *decoder) {
    struct tk_carry *held = &repeat->held;
    tk_carry_drop(held, calls->decode(decoder, tk_carry_bytes(held), tk_carry_len(held)));
}

size_t tk_repeat_decode(struct tk_repeat *repeat, struct tk_alloc *alloc, const struct tk_repeat_decoder *calls,
                        void *decoder, const uint8_t *bytes, size_t len) {
    enum { LIMIT = TK_REPEAT_MAX + 2 * TK_REPEAT_MAX_FRAME + TK_REPEAT_MAX_AFTER + 1 };
    size_t used = 0;
    while (!alloc->failed) {
        if (repeat->is_open) {
            used += tk_carry_fill(&repeat->held, alloc, LIMIT, bytes + used, len - used);
            decide_held(repeat, calls, decoder, tk_carry_len(&repeat->held) == LIMIT); // no question needs more
            if (repeat->is_open) break;
        }
        if (!tk_carry_len(&repeat->held)) {
            used += calls->decode(decoder, bytes + used, len - used);
            if (!repeat->is_open) break;
            continue;
        }
        uint64_t before = calls->events(decoder);
        decode_held(repeat, calls, decoder);
        if (calls->events(decoder) != before) break; // events may borrow from the held bytes
    }
    return alloc->failed ? len : used;
}

bool tk_repeat_end(struct tk_repeat *repeat, const struct tk_repeat_decoder *calls, void *decoder) {
    if (repeat->is_open) decide_held(repeat, calls, decoder, true);
    if (!tk_carry_len(&repeat->held)) return true;
    decode_held(repeat, calls, decoder);
    return false;
}

void tk_repeat_report(struct tk_diag *diag, struct tk_account *account, const struct tk_source_pos *pos, uint64_t len) {
    tk_account_skip(account, TK_DIAG_BYTES_REPEATED, len);
    tk_diag_note(diag, TK_DIAG_BYTES_REPEATED, pos, len);
}

uint64_t tk_repeat_count(const uint8_t *bytes, size_t len, uint8_t byte) {
    uint64_t count = 0;
    for (size_t i = 0; i < len; i++) count += bytes[i] == byte;
    return count;
}
