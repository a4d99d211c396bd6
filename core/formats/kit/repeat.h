// SPDX-License-Identifier: MIT
//
// Finds a block of bytes that was received twice, as when a driver delivers a serial buffer again. A decoder asks at a
// frame that cannot follow the frame before it. A block repeats when the bytes from there on equal the bytes
// directly before, over the whole distance between both copies, and the frame after the second copy continues the
// frame at the end of the first copy. A target that restarts sends other bytes, or continues with another restart.
#ifndef TK_FORMATS_KIT_REPEAT_H
#define TK_FORMATS_KIT_REPEAT_H

#include "../../base/account.h"
#include "../../base/carry.h"
#include "../../base/diag.h"

enum {
    TK_REPEAT_MAX = 16 * 1024,   // bytes of the longest block
    TK_REPEAT_MIN = 32,          // bytes of the shortest block
    TK_REPEAT_MIN_FRAMES = 3,    // frames that prove a block: each with a time or a sequence number
    TK_REPEAT_MAX_FRAME = 1024,  // no block is found at a longer frame
    TK_REPEAT_NO_DELIMITER = -1, // frames without delimiters
    TK_REPEAT_MAX_AFTER = 1024   // bytes after a block in which the decoder searches the frame that continues
};

enum tk_repeat_verdict { TK_REPEAT_NO, TK_REPEAT_MORE, TK_REPEAT_YES }; // MORE: later bytes decide

// A frame that cannot follow the frame before it. The bytes before it were kept.
struct tk_repeat_frame {
    uint64_t offset;
    const uint8_t *bytes; // without its delimiter
    size_t len;
    uint32_t key;    // index of a byte that differs between most frames
    bool is_damaged; // it may begin with the cut end of the first copy; `len` includes its delimiter then
    uint32_t before; // bytes before it in which the second copy may begin, in a frame that was decoded
    int delimiter;   // byte that ends each frame, or TK_REPEAT_NO_DELIMITER, which needs `before` 0
};

// Zero-initialised is empty.
struct tk_repeat {
    uint8_t *ring;     // the latest bytes, without second copies; allocated when first needed
    uint32_t at, kept; // index after the newest byte; number of bytes
    uint64_t end;      // offset in the input after the newest byte
    // The frame in question.
    uint8_t *history; // copy of the bytes before the frame, in order; allocated when first needed
    uint32_t len;     // of them
    uint64_t offset;
    uint64_t examined; // no frame before this offset is examined again
    uint64_t paid;     // offset up to which searches are paid for
    uint32_t before, key;
    int delimiter;
    uint32_t head;        // length of a frame in question that may consist of parts of both copies, else 0
    uint32_t copy;        // index in the history of the earlier copy of the bytes after `head`; `len`: none yet
    uint32_t back;        // bytes before `copy` that belong to the first copy
    uint32_t border;      // bytes before `offset` to the start of the frame in which the second copy begins
    uint32_t same;        // bytes from `copy` on that were compared
    uint32_t seen;        // bytes that the decoder saw when it needed more to decide; 0: not asked
    uint32_t candidates;  // copies compared so far
    bool is_open;         // the question is not decided yet
    struct tk_carry held; // bytes from the frame in question on, of decoders that use tk_repeat_decode
};

// Keeps bytes of the input that the decoder has consumed, which begin at `offset`. Bytes that were kept before are
// ignored, and so are those from a frame in question on.
void tk_repeat_keep(struct tk_repeat *repeat, struct tk_alloc *alloc, uint64_t offset, const uint8_t *bytes,
                    size_t len);
// Forgets the bytes before `offset`: a run of the target begins there, whose first frames may equal those of another.
void tk_repeat_forget(struct tk_repeat *repeat, uint64_t offset);
// Asks whether a block repeats from a frame on. Returns false if no block can; otherwise `is_open` is set.
bool tk_repeat_ask(struct tk_repeat *repeat, struct tk_alloc *alloc, const struct tk_repeat_frame *frame);

// Decides whether `block` bytes are the second copy, from what the decoder knows about its frames: both begin at a
// frame, and the block is followed by the bytes up to `len`. ended: no later bytes exist.
typedef enum tk_repeat_verdict tk_repeat_judge(void *decoder, const uint8_t *bytes, size_t block, size_t len,
                                               bool ended);
// Decides with the bytes from the frame in question on. *out_len: length of the second copy, for YES. Ends the question
// unless it returns MORE.
enum tk_repeat_verdict tk_repeat_decide(struct tk_repeat *repeat, const uint8_t *bytes, size_t len, bool ended,
                                        tk_repeat_judge *judge, void *decoder, size_t *out_len);
// What a decoder of delimited frames does, for the two functions below.
struct tk_repeat_decoder {
    tk_repeat_judge *judge;
    // Decodes frames until a batch is full, the bytes are used up or a question is open. Then the frame in question is
    // not consumed, except for its bytes of an earlier chunk, which the decoder puts into `held`.
    size_t (*decode)(void *decoder, const uint8_t *bytes, size_t len);
    void (*skip)(void *decoder, const uint8_t *block, size_t len); // reports a second copy and continues after it
    uint64_t (*events)(const void *decoder);                       // number of events in the batches
};

// Decodes a chunk as tk_decoder.decode does. Bytes from a frame in question on are held until the question is decided.
size_t tk_repeat_decode(struct tk_repeat *repeat, struct tk_alloc *alloc, const struct tk_repeat_decoder *calls,
                        void *decoder, const uint8_t *bytes, size_t len);
// Ends the input. Returns true when no held bytes are left; otherwise decodes some and returns false: call again.
bool tk_repeat_end(struct tk_repeat *repeat, const struct tk_repeat_decoder *calls, void *decoder);

// Accounts for a second copy and reports it.
void tk_repeat_report(struct tk_diag *diag, struct tk_account *account, const struct tk_source_pos *pos, uint64_t len);

// Returns how often a byte occurs, such as the delimiter of the frames of a block.
uint64_t tk_repeat_count(const uint8_t *bytes, size_t len, uint8_t byte);

#endif
