// SPDX-License-Identifier: MIT
#include "base/relocate.h"
#include "formats/tonbandgeraet/image.h"
#include "formats/tracealyzer/order.h"
#include "support.h"

static uint8_t now[64];

// Blocks of 16 bytes at 1000 and 1016, and one at 2000: those that touch are two, as allocators without heads in front
// of blocks give them out.
static struct tk_relocation three(struct tk_relocated_block blocks[3]) {
    blocks[0] = (struct tk_relocated_block){ 2000, 16, now + 40 };
    blocks[1] = (struct tk_relocated_block){ 1016, 16, now + 20 };
    blocks[2] = (struct tk_relocated_block){ 1000, 16, now };
    return (struct tk_relocation){ .blocks = blocks, .count = 3 };
}

static void pointers_follow(void **unused) {
    (void)unused;
    struct tk_relocated_block blocks[3];
    struct tk_relocation move = three(blocks);
    assert_true(tk_relocation_begin(&move));
    assert_ptr_equal(tk_relocate(&move, (void *)1000, 16), now);
    assert_ptr_equal(tk_relocate(&move, (void *)1016, 16), now + 20);
    assert_ptr_equal(tk_relocate(&move, (void *)1020, 12), now + 24);
    assert_ptr_equal(tk_relocate(&move, (void *)2004, 4), now + 44);
    assert_ptr_equal(tk_relocate_array(&move, (void *)1000, 4, 4, 4), now);
    assert_null(tk_relocate(&move, NULL, 0));
    assert_false(move.refused);
}

static void what_leads_out_of_its_block_is_refused(void **unused) {
    (void)unused;
    const struct {
        uintptr_t old;
        size_t size;
    } wrong[] = { { 1000, 17 }, { 1015, 2 }, { 999, 1 }, { 1040, 1 }, { 0, 1 } };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct tk_relocated_block blocks[3];
        struct tk_relocation move = three(blocks);
        assert_true(tk_relocation_begin(&move));
        assert_null(tk_relocate(&move, (void *)wrong[i].old, wrong[i].size));
        assert_true(move.refused);
    }
}

static void blocks_that_overlap_are_refused(void **unused) {
    (void)unused;
    struct tk_relocated_block blocks[3];
    struct tk_relocation move = three(blocks);
    blocks[2].size = 17;
    assert_false(tk_relocation_begin(&move));
}

static void arrays_hold_no_more_than_they_have_room_for(void **unused) {
    (void)unused;
    const struct {
        size_t count, capacity, size;
    } wrong[] = { { 5, 4, 4 }, { 0, SIZE_MAX / 2, 4 }, { 0, 5, 4 } };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct tk_relocated_block blocks[3];
        struct tk_relocation move = three(blocks);
        assert_true(tk_relocation_begin(&move));
        assert_null(tk_relocate_array(&move, (void *)1000, wrong[i].count, wrong[i].capacity, wrong[i].size));
        assert_true(move.refused);
    }
}

// States that somebody made: with the right sum, but with counts that no decoder writes.
static void forged_counts_are_refused(void **unused) {
    (void)unused;
    struct tk_relocation move = { 0 }, cores = { 0 };
    static struct tb_image image;
    struct psf_order order = { .count = 1 };
    psf_order_moved(&order, &move);
    assert_true(move.refused);
    image.core_count = UINT32_MAX;
    tb_image_moved(&image, &cores);
    assert_true(cores.refused);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pointers_follow),
        cmocka_unit_test(what_leads_out_of_its_block_is_refused),
        cmocka_unit_test(blocks_that_overlap_are_refused),
        cmocka_unit_test(arrays_hold_no_more_than_they_have_room_for),
        cmocka_unit_test(forged_counts_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
