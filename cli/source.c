// SPDX-License-Identifier: MIT
#include "source.h"

#include "message.h"
#include "tonkopf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Finding -------------------------------------------------------------------------------------

static char *copy_text(const char *text, size_t len) {
    char *copy = malloc(len + 1);
    if (!copy) return NULL;
    memcpy(copy, text, len);
    copy[len] = 0;
    return copy;
}

static bool add_source(struct sources *list, char *path, int32_t core) {
    struct source *items = path ? realloc(list->items, (list->count + 1) * sizeof *items) : NULL;
    if (!items) {
        free(path);
        message_error("out of memory");
        return false;
    }
    list->items = items;
    bool is_stdin = strcmp(path, "-") == 0;
    struct source *source = &items[list->count++];
    *source = (struct source){
        .path = path, .name = is_stdin ? "standard input" : plat_base_name(path), .core = core, .fd = -1, .copy = -1
    };
    source->is_file =
        is_stdin ? plat_fd_identity(PLAT_STDIN, &source->identity) : plat_path_identity(path, &source->identity);
    return true;
}

static void remove_source(struct sources *list, size_t index) {
    free(list->items[index].path);
    list->count--;
    memmove(list->items + index, list->items + index + 1, (list->count - index) * sizeof *list->items);
}

static bool is_stdin(const struct source *source) { return strcmp(source->path, "-") == 0; }

static void make_names_unique(struct sources *list) {
    for (size_t i = 0; i < list->count; i++) {
        for (size_t j = 0; j < i; j++) {
            struct source *x = &list->items[i], *y = &list->items[j];
            if (strcmp(plat_base_name(x->path), plat_base_name(y->path)) != 0 || is_stdin(x)) continue;
            x->name = x->path;
            y->name = y->path;
        }
    }
}

// Splits PATH@N: sets *out_len to the length of PATH and *out_core to N, or to -1 without "@N". Does not split the name
// of an existing file. Returns false after a message if N is too large.
static bool split_core(const char *text, size_t *out_len, int32_t *out_core) {
    const char *at = strrchr(text, '@');
    *out_len = strlen(text);
    *out_core = -1;
    if (!at || at == text || !at[1] || strspn(at + 1, "0123456789") != strlen(at + 1) ||
        plat_path_kind(text) != PLAT_MISSING)
        return true;
    long core = strtol(at + 1, NULL, 10);
    if (core >= TK_MAX_CORES) {
        message_error("%s: core %s is out of range; cores are numbered from 0 to %d", text, at + 1, TK_MAX_CORES - 1);
        return false;
    }
    *out_len = (size_t)(at - text);
    *out_core = (int32_t)core;
    return true;
}

static const char wildcards[] = "*?";

struct folder_walk {
    struct sources *list;
    const char *folder, *pattern; // pattern NULL: every name
    const char *rest;             // part of the path after the pattern, which then matches only folders; NULL: none
    bool recursive, failed;
};

static bool ends_with(const char *name, const char *end) {
    size_t len = strlen(name), end_len = strlen(end);
    return len >= end_len && strcmp(name + len - end_len, end) == 0;
}

static bool matches(const char *pattern, const char *name) {
    if (*pattern == '*') return matches(pattern + 1, name) || (*name && matches(pattern, name + 1));
    if (!*pattern || !*name) return *pattern == *name;
    return (*pattern == '?' || *pattern == *name) && matches(pattern + 1, name + 1);
}

// Returns FOLDER/NAME. Allocated; NULL: no memory.
static char *join_path(const char *folder, const char *name) {
    size_t len = strlen(folder), room = len + strlen(name) + 2;
    bool has_slash = len > 0 && strchr("/\\", folder[len - 1]);
    char *path = malloc(room);
    if (path) snprintf(path, room, "%s%s%s", folder, has_slash ? "" : "/", name);
    return path;
}

static void take_from_folder(void *ctx, const char *name);

// Adds the files of a folder. Returns false after a message if the folder cannot be read, because it may contain
// recordings.
static bool walk_folder(struct folder_walk *walk) {
    if (plat_list_folder(walk->folder, take_from_folder, walk)) return true;
    message_error("%s: the folder cannot be read: %s", walk->folder, plat_error());
    return false;
}

// Adds the files of a subfolder if the walk is recursive. Does not follow links to folders, because they may form a
// loop.
static void take_folder(struct folder_walk *walk, const char *path) {
    struct folder_walk below = { .list = walk->list, .folder = path, .recursive = true };
    if (!walk->recursive || plat_is_link(path)) return;
    if (!walk_folder(&below) || below.failed) walk->failed = true;
}

static bool is_input_name(const struct folder_walk *walk, const char *name) {
    if (ends_with(name, ".pftrace") || ends_with(name, ".pftrace.gz")) return false;
    return !walk->pattern || matches(walk->pattern, name);
}

static bool walk_pattern(struct sources *list, const char *path);

// Appends the rest of the path to a folder that the pattern matches, and adds the files that the resulting path names.
static void take_rest(struct folder_walk *walk, const char *folder) {
    char *path = join_path(folder, walk->rest);
    if (path && strpbrk(path, wildcards)) {
        if (!walk_pattern(walk->list, path)) walk->failed = true;
    } else if (path && plat_path_kind(path) == PLAT_FILE) {
        if (!add_source(walk->list, path, -1)) walk->failed = true;
        return; // the list owns the path
    }
    free(path);
}

static void take_from_folder(void *ctx, const char *name) {
    struct folder_walk *walk = ctx;
    if (name[0] == '.') return;
    char *path = join_path(walk->folder, name);
    enum plat_kind kind = path ? plat_path_kind(path) : PLAT_FILE;
    if (kind == PLAT_FOLDER && walk->rest && matches(walk->pattern, name)) take_rest(walk, path);
    if (kind == PLAT_FOLDER) take_folder(walk, path);
    if (kind == PLAT_FILE && !walk->rest && is_input_name(walk, name)) {
        if (!add_source(walk->list, path, -1)) walk->failed = true;
    } else free(path);
}

static int by_path(const void *a, const void *b) {
    return strcmp(((const struct source *)a)->path, ((const struct source *)b)->path);
}

// Adds the files that a path with patterns matches. The path may contain patterns in several folders. Returns false on
// failure.
static bool walk_pattern(struct sources *list, const char *path) {
    size_t wild = strcspn(path, wildcards);
    char *folder = copy_text(path, wild), *pattern = NULL;
    size_t start = folder ? (size_t)(plat_base_name(folder) - folder) : 0, len = strcspn(path + start, "/\\");
    if (folder) pattern = copy_text(path + start, len);
    if (folder) folder[start] = 0;
    struct folder_walk walk = { .list = list,
                                .folder = start ? folder : ".",
                                .pattern = pattern,
                                .rest = path[start + len] ? path + start + len + 1 : NULL };
    bool ok = pattern && walk_folder(&walk) && !walk.failed;
    free(pattern);
    free(folder);
    return ok;
}

static int add_several(struct sources *list, const char *path, bool is_folder, bool recursive) {
    size_t before = list->count;
    struct folder_walk walk = { .list = list, .folder = path, .recursive = recursive };
    bool ok = is_folder ? walk_folder(&walk) && !walk.failed : walk_pattern(list, path);
    if (!ok) return EXIT_INPUT;
    if (list->count == before) {
        message_error("%s: no input there", path);
        return EXIT_INPUT;
    }
    qsort(list->items + before, list->count - before, sizeof *list->items, by_path);
    return EXIT_FINE;
}

// Returns true if a path is one of the names of standard input. The caller replaces them by "-", so that one source
// reads it.
static bool is_stdin_path(const char *path) {
    static const char *const names[] = { "-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(path, names[i]) == 0) return true;
    }
    return false;
}

static int add_named(struct sources *list, const char *text, bool recursive) {
    size_t len;
    int32_t core;
    if (!split_core(text, &len, &core)) return EXIT_USAGE;
    char *path = copy_text(text, len);
    if (!path) return EXIT_INPUT;
    if (is_stdin_path(path)) memcpy(path, "-", 2);
    enum plat_kind kind = strcmp(path, "-") == 0 ? PLAT_STREAM : plat_path_kind(path);
    if (kind == PLAT_FOLDER || (kind == PLAT_MISSING && strpbrk(path, wildcards))) {
        int result = core < 0 ? add_several(list, path, kind == PLAT_FOLDER, recursive) : EXIT_USAGE;
        if (core >= 0) message_error("%s: a core is a file, and that may be several", text);
        free(path);
        return result;
    }
    return add_source(list, path, core) ? EXIT_FINE : EXIT_INPUT;
}

static int find(const struct text_list *inputs, bool recursive, struct sources *out_list) {
    int all = EXIT_FINE;
    for (size_t i = 0; i < inputs->count; i++) {
        int result = add_named(out_list, inputs->items[i], recursive);
        if (result == EXIT_USAGE) return result;
        if (result != EXIT_FINE) all = result;
    }
    return all;
}

// ---- Sources -------------------------------------------------------------------------------------

static bool cores_are_different(const struct sources *sources) {
    for (size_t i = 0; i < sources->count; i++) {
        for (size_t j = 0; j < i; j++) {
            const struct source *a = &sources->items[j], *b = &sources->items[i];
            if (b->core < 0 || a->core != b->core || a->is_side) continue;
            message_error("%s and %s are both named as core %d; give each its own number", a->name, b->name,
                          (int)b->core);
            return false;
        }
    }
    return true;
}

static bool stdin_is_named_once(const struct sources *sources) {
    size_t count = 0;
    for (size_t i = 0; i < sources->count; i++) count += is_stdin(&sources->items[i]);
    if (count > 1) message_error("standard input (-) can be read only once");
    return count <= 1;
}

// ---- The same file twice -------------------------------------------------------------------------

static bool is_same_file(const struct plat_identity *a, const struct plat_identity *b) {
    return a->volume == b->volume && a->file == b->file;
}

bool names_same_file(const char *a, const char *b) {
    struct plat_identity of_a, of_b;
    if (!a || !b) return false;
    if (!strcmp(a, b)) return true;
    return plat_path_identity(a, &of_a) && plat_path_identity(b, &of_b) && is_same_file(&of_a, &of_b);
}

// Returns the first source before index `end` that is the same file as `source`; NULL: none.
static const struct source *find_same(const struct sources *sources, size_t end, const struct source *source) {
    for (size_t i = 0; i < end; i++) {
        const struct source *other = &sources->items[i];
        if (source->is_file && other->is_file && is_same_file(&source->identity, &other->identity)) return other;
    }
    return NULL;
}

// Removes sources that are the same file as another source, with a warning. Returns false after a message if one of
// them is assigned to a core: each core needs a separate file.
static bool drop_repeated(struct sources *sources) {
    for (size_t i = 0; i < sources->count; i++) {
        const struct source *source = &sources->items[i], *same = find_same(sources, i, source);
        if (!same || source->is_side) continue;
        if (same->is_side) {
            message_warn("--with %s: that is an input itself and has nothing to add", same->path);
            remove_source(sources, (size_t)(same - sources->items));
            i -= 2; // the source moved to index i - 1, and is compared again
            continue;
        }
        if (source->core >= 0 || same->core >= 0) {
            message_error("%s and %s are the same file; a core has a file of its own", same->path, source->path);
            return false;
        }
        message_warn("%s and %s are the same file; it is read once", same->path, source->path);
        remove_source(sources, i--);
    }
    return true;
}

bool sources_have_output(const struct sources *sources, const char *path) {
    struct source out = { 0 };
    bool is_stdout = !path || strcmp(path, "-") == 0;
    out.is_file = is_stdout ? plat_fd_identity(PLAT_STDOUT, &out.identity) : plat_path_identity(path, &out.identity);
    const struct source *same = find_same(sources, sources->count, &out);
    if (same)
        message_error("%s is an input%s%s; name another file for what is written", is_stdout ? "standard output" : path,
                      is_stdout ? ": " : "", is_stdout ? same->path : "");
    return same != NULL;
}

// ---- All sources ---------------------------------------------------------------------------------

int sources_find(const struct settings *settings, struct sources *out_sources) {
    if (settings->inputs.count == 0) {
        message_error("no input named; - stands for standard input");
        return EXIT_USAGE;
    }
    int result = find(&settings->with, settings->recursive, out_sources);
    if (result != EXIT_FINE) return result;
    for (size_t i = 0; i < out_sources->count; i++) out_sources->items[i].is_side = true;
    result = find(&settings->inputs, settings->recursive, out_sources);
    out_sources->some_are_missing = result == EXIT_INPUT;
    bool ok = result != EXIT_USAGE && stdin_is_named_once(out_sources) && drop_repeated(out_sources) &&
              cores_are_different(out_sources) && !sources_have_output(out_sources, settings->output) &&
              !(settings->junit && sources_have_output(out_sources, settings->junit)) &&
              !(settings->sarif && sources_have_output(out_sources, settings->sarif));
    if (!ok) return EXIT_USAGE;
    make_names_unique(out_sources);
    return EXIT_FINE;
}

void sources_release(struct sources *sources) {
    for (size_t i = 0; i < sources->count; i++) free(sources->items[i].path);
    free(sources->items);
}
