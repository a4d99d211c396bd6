// SPDX-License-Identifier: MIT
#include "source.h"

#include "bytes.h"
#include "message.h"
#include "tonkopf.h"

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

static bool add_source(struct source_list *list, char *path, int32_t core) {
    struct source *items = path ? realloc(list->items, (list->count + 1) * sizeof *items) : NULL;
    if (!items) {
        free(path);
        message_error("out of memory");
        return false;
    }
    list->items = items;
    bool is_stdin = strcmp(path, "-") == 0;
    struct source *source = &items[list->count++];
    *source = (struct source){ .path = path, .name = is_stdin ? "standard input" : plat_base_name(path), .core = core };
    source->is_file =
        is_stdin ? plat_fd_identity(PLAT_STDIN, &source->identity) : plat_path_identity(path, &source->identity);
    return true;
}

static void remove_source(struct source_list *list, size_t index) {
    free(list->items[index].path);
    list->count--;
    memmove(list->items + index, list->items + index + 1, (list->count - index) * sizeof *list->items);
}

static void make_names_unique(struct source_list *a, struct source_list *b) {
    size_t count = a->count + b->count;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            struct source *x = i < a->count ? &a->items[i] : &b->items[i - a->count],
                          *y = j < a->count ? &a->items[j] : &b->items[j - a->count];
            if (strcmp(plat_base_name(x->path), plat_base_name(y->path)) != 0 || strcmp(x->path, "-") == 0) continue;
            x->name = x->path;
            y->name = y->path;
        }
    }
}

// Length of the path before "@N"; *out_core -1 when there is none. A file that really ends so is not split.
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
    struct source_list *list;
    const char *folder, *pattern; // pattern NULL: every name
    const char *rest;             // the rest of the path after a pattern, which then matches folders; NULL: none
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

// Allocated; NULL: no memory.
static char *join_path(const char *folder, const char *name) {
    size_t folder_len = strlen(folder);
    bool has_slash = folder_len > 0 && strchr("/\\", folder[folder_len - 1]);
    struct bytes path = { 0 };
    bool ok = bytes_append(&path, folder, folder_len) && (has_slash || bytes_append(&path, "/", 1)) &&
              bytes_append(&path, name, strlen(name) + 1);
    if (!ok) bytes_release(&path);
    return (char *)path.data;
}

static void take_from_folder(void *ctx, const char *name);

// A folder that cannot be read hides recordings: that is no empty folder.
static bool walk_folder(struct folder_walk *walk) {
    if (plat_list_folder(walk->folder, take_from_folder, walk)) return true;
    message_error("%s: the folder cannot be read: %s", walk->folder, plat_error());
    return false;
}

// Links to folders are not followed: they may lead back up.
static void take_folder(struct folder_walk *walk, const char *path) {
    struct folder_walk below = { .list = walk->list, .folder = path, .recursive = true };
    if (!walk->recursive || plat_is_link(path)) return;
    if (!walk_folder(&below) || below.failed) walk->failed = true;
}

static bool is_input_name(const struct folder_walk *walk, const char *name) {
    if (ends_with(name, ".pftrace") || ends_with(name, ".pftrace.gz")) return false;
    return !walk->pattern || matches(walk->pattern, name);
}

static bool walk_pattern(struct source_list *list, const char *path);

// Adds a folder that a pattern matches, after appending the rest of the path to it.
static void take_rest(struct folder_walk *walk, const char *folder) {
    char *path = join_path(folder, walk->rest);
    if (path && strpbrk(path, wildcards)) {
        if (!walk_pattern(walk->list, path)) walk->failed = true;
    } else if (path && plat_path_kind(path) == PLAT_FILE) {
        if (!add_source(walk->list, path, -1)) walk->failed = true;
        return; // it is the list's now
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

// Expands a path whose first part with a pattern may be followed by further patterns.
static bool walk_pattern(struct source_list *list, const char *path) {
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

static int add_several(struct source_list *list, const char *path, bool is_folder, bool recursive) {
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

// One reader for standard input, whatever it is called.
static bool is_stdin_path(const char *path) {
    static const char *const names[] = { "-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(path, names[i]) == 0) return true;
    }
    return false;
}

static int add_named(struct source_list *list, const char *text, bool recursive) {
    size_t len;
    int32_t core;
    if (!split_core(text, &len, &core)) return EXIT_USAGE;
    char *path = copy_text(text, len);
    if (!path) return EXIT_INPUT;
    bool is_stdin = is_stdin_path(path);
    if (is_stdin) memcpy(path, "-", 2);
    enum plat_kind kind = is_stdin ? PLAT_STREAM : plat_path_kind(path);
    if (kind == PLAT_FOLDER || (kind == PLAT_MISSING && strpbrk(path, wildcards))) {
        int result = core < 0 ? add_several(list, path, kind == PLAT_FOLDER, recursive) : EXIT_USAGE;
        if (core >= 0) message_error("%s: a core is a file, and that may be several", text);
        free(path);
        return result;
    }
    return add_source(list, path, core) ? EXIT_FINE : EXIT_INPUT;
}

static int find(const struct text_list *inputs, bool recursive, struct source_list *out_list) {
    int all = EXIT_FINE;
    for (size_t i = 0; i < inputs->count; i++) {
        int result = add_named(out_list, inputs->items[i], recursive);
        if (result == EXIT_USAGE) return result;
        if (result != EXIT_FINE) all = result;
    }
    return all;
}

// ---- Sources -------------------------------------------------------------------------------------

static bool cores_are_different(const struct source_list *sources) {
    for (size_t i = 0; i < sources->count; i++) {
        for (size_t j = 0; j < i; j++) {
            const struct source *a = &sources->items[j], *b = &sources->items[i];
            if (b->core < 0 || a->core != b->core) continue;
            message_error("%s and %s are both named as core %d; give each its own number", a->name, b->name,
                          (int)b->core);
            return false;
        }
    }
    return true;
}

static size_t count_stdin(const struct source_list *sources) {
    size_t count = 0;
    for (size_t i = 0; i < sources->count; i++) count += strcmp(sources->items[i].path, "-") == 0;
    return count;
}

static bool stdin_is_named_once(const struct sources *sources) {
    bool ok = count_stdin(&sources->inputs) + count_stdin(&sources->sides) <= 1;
    if (!ok) message_error("standard input (-) can be read only once");
    return ok;
}

// ---- The same file twice -------------------------------------------------------------------------

static bool is_same_file(const struct plat_identity *a, const struct plat_identity *b) {
    return a->volume == b->volume && a->file == b->file;
}

static struct source *find_same(const struct source_list *list, size_t count, const struct source *source) {
    for (size_t i = 0; i < count; i++) {
        struct source *other = &list->items[i];
        if (source->is_file && other->is_file && is_same_file(&source->identity, &other->identity)) return other;
    }
    return NULL;
}

// One file cannot be two cores, and is read once otherwise.
static bool drop_repeated(struct sources *sources) {
    for (size_t i = 0; i < sources->inputs.count; i++) {
        const struct source *source = &sources->inputs.items[i], *same = find_same(&sources->inputs, i, source);
        if (!same) continue;
        if (source->core >= 0 || same->core >= 0) {
            message_error("%s and %s are the same file; a core has a file of its own", same->path, source->path);
            return false;
        }
        message_warn("%s and %s are the same file; it is read once", same->path, source->path);
        remove_source(&sources->inputs, i--);
    }
    for (size_t i = 0; i < sources->sides.count; i++) {
        if (!find_same(&sources->inputs, sources->inputs.count, &sources->sides.items[i])) continue;
        message_warn("--with %s: that is an input itself and has nothing to add", sources->sides.items[i].path);
        remove_source(&sources->sides, i--);
    }
    return true;
}

bool sources_have_output(const struct sources *sources, const char *path) {
    struct source out = { 0 };
    bool is_stdout = !path || strcmp(path, "-") == 0;
    out.is_file = is_stdout ? plat_fd_identity(PLAT_STDOUT, &out.identity) : plat_path_identity(path, &out.identity);
    const struct source *same = find_same(&sources->inputs, sources->inputs.count, &out);
    if (!same) same = find_same(&sources->sides, sources->sides.count, &out);
    if (same)
        message_error("%s is an input%s%s; --output has to name another file", is_stdout ? "standard output" : path,
                      is_stdout ? ": " : "", is_stdout ? same->path : "");
    return same != NULL;
}

// ---- All of it -----------------------------------------------------------------------------------

int sources_find(const struct settings *settings, struct sources *out_sources) {
    if (settings->inputs.count == 0) {
        message_error("no input named; - stands for standard input");
        return EXIT_USAGE;
    }
    int result = find(&settings->inputs, settings->recursive, &out_sources->inputs);
    if (result == EXIT_INPUT) out_sources->some_are_missing = true, result = EXIT_FINE;
    if (result == EXIT_FINE) result = find(&settings->with, settings->recursive, &out_sources->sides);
    if (result != EXIT_FINE) return result;
    bool ok = stdin_is_named_once(out_sources) && drop_repeated(out_sources) &&
              cores_are_different(&out_sources->inputs) && !sources_have_output(out_sources, settings->output);
    if (!ok) return EXIT_USAGE;
    make_names_unique(&out_sources->inputs, &out_sources->sides);
    return EXIT_FINE;
}

static void release(struct source_list *list) {
    for (size_t i = 0; i < list->count; i++) free(list->items[i].path);
    free(list->items);
}

void sources_release(struct sources *sources) {
    release(&sources->inputs);
    release(&sources->sides);
}
