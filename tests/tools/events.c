// SPDX-License-Identifier: MIT
//
// events: prints docs/EVENTS.md, the kinds of events that a format passes to the model, from
// core/model/event/events.def.
#include "model/event/event.h"

#include <stdio.h>
#include <string.h>

static const struct {
    enum tk_owner owner;
    const char *kind, *family, *title, *words;
} kinds[] = {
#define TK_EVENT(owner, kind, family, subject, title, words) { TK_OWNER_##owner, #kind, #family, title, words },
#include "model/event/events.def"
#undef TK_EVENT
};

static const struct {
    const char *family, *name, *words;
} fields[] = {
#define TK_FAMILY(family)
#define TK_FIELD(family, type, name, slot, words) { #family, #name, words },
#define TK_MORE(family, type, name, words) { #family, #name, words },
#define TK_FAMILY_END
#include "model/event/events.def"
};

static const char *const owners[TK_OWNERS] = {
    [TK_OWNER_RECORDING] = "The recording",
    [TK_OWNER_SYMBOLS] = "Symbols",
    [TK_OWNER_RTOS] = "RTOS (`tk_tracker_rtos`)",
    [TK_OWNER_ACTIVE_OBJECTS] = "Active objects (`tk_tracker_active_objects`)",
    [TK_OWNER_CALLS] = "Calls (`tk_tracker_calls`)",
    [TK_OWNER_TRACKS] = "Tracks of the format (`tk_tracker_tracks`)",
    [TK_OWNER_MARKERS] = "Markers and values (`tk_tracker_markers`)",
};

static void print_kind(size_t i) {
    printf("| %s | %s | ", kinds[i].kind, kinds[i].title);
    const char *between = "";
    for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) {
        if (strcmp(fields[k].family, kinds[i].family) != 0) continue;
        printf("%s`%s.%s`: %s", between, fields[k].family, fields[k].name, fields[k].words);
        between = "<br>";
    }
    printf(" | %s |\n", kinds[i].words);
}

int main(void) {
    printf("# Events of the model\n\n"
           "A decoder puts these events into its event streams; the trackers draw and count them. [A new format]"
           "(NEW_FORMAT.md) explains\nhow. `build/native/tests/tool_events > docs/EVENTS.md` writes this page from "
           "`core/model/event/events.def`.\n\n"
           "Each event has a kind, a time (`timed`, `ticks`), a core, its place in the input, and the fields of its "
           "family, such as\n`event->task.task`. Some have the text `str` or named `values`. A field that the decoder "
           "does not set is 0.\n");
    for (int owner = 0; owner < TK_OWNERS; owner++) {
        printf("\n## %s\n\n| kind | title | fields | notes |\n|---|---|---|---|\n", owners[owner]);
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            if ((int)kinds[i].owner == owner) print_kind(i);
    }
    return 0;
}
