// SPDX-License-Identifier: MIT
#include "source.h"

#include "archive.h"
#include "message.h"

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

static bool add_source(struct source_list *list, char *path, int32_t core, bool from_folder) {
    struct source *items = path ? realloc(list->items, (list->count + 1) * sizeof *items) : NULL;
    if (!items) {
        free(path);
        message_error("out of memory");
        return false;
    }
    list->items = items;
    bool is_stdin = strcmp(path, "-") == 0;
    struct source *source = &items[list->count++];
    *source = (struct source){ .path = path,
                               .name = is_stdin ? "standard input" : plat_base_name(path),
                               .core = core,
                               .from_folder = from_folder,
                               .scratch = -1 };
    source->is_file =
        is_stdin ? plat_fd_identity(PLAT_STDIN, &source->identity) : plat_path_identity(path, &source->identity);
    return true;
}

void sources_remove(struct source_list *list, size_t index) {
    free(list->items[index].path);
    list->count--;
    memmove(list->items + index, list->items + index + 1, (list->count - index) * sizeof *list->items);
}

void sources_make_names_unique(struct source_list *a, struct source_list *b) {
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
    const char *rest;             // what stands behind the pattern, which then means folders; NULL: nothing
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

// The folder is one that a pattern means: what stands behind the pattern is looked for in it.
static void take_rest(struct folder_walk *walk, const char *folder) {
    char *path = join_path(folder, walk->rest);
    if (path && strpbrk(path, wildcards)) {
        if (!walk_pattern(walk->list, path)) walk->failed = true;
    } else if (path && plat_path_kind(path) == PLAT_FILE) {
        if (!add_source(walk->list, path, -1, true)) walk->failed = true;
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
        if (!add_source(walk->list, path, -1, true)) walk->failed = true;
    } else free(path);
}

static int by_path(const void *a, const void *b) {
    return strcmp(((const struct source *)a)->path, ((const struct source *)b)->path);
}

// One part of the path has a pattern, perhaps further ones behind it.
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
    return add_source(list, path, core, false) ? EXIT_FINE : EXIT_INPUT;
}

int sources_find(const struct text_list *inputs, bool recursive, struct source_list *out_list) {
    int all = EXIT_FINE;
    for (size_t i = 0; i < inputs->count; i++) {
        int result = add_named(out_list, inputs->items[i], recursive);
        if (result == EXIT_USAGE) return result;
        if (result != EXIT_FINE) all = result;
    }
    return all;
}

void sources_release(struct source_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        inflated_close(list->items[i].once);
        if (list->items[i].owns_scratch) plat_close(list->items[i].scratch);
        free(list->items[i].path);
        free(list->items[i].member_name);
    }
    free(list->items);
}

// ---- Looking -------------------------------------------------------------------------------------

static plain *open_inflated(struct source *source) {
    bool is_stdin = strcmp(source->path, "-") == 0;
    bool is_scratch = source->scratch >= 0;
    int fd = is_scratch ? source->scratch : is_stdin ? PLAT_STDIN : plat_open_read(source->path);
    if (fd < 0) {
        message_error("%s: %s", source->path, plat_error());
        return NULL;
    }
    uint64_t size = 0;
    bool is_file = plat_fd_kind(fd, &size) == PLAT_FILE;
    source->size = is_file && !is_stdin ? size : is_scratch ? size : 0;
    source->live = !is_scratch && (is_stdin || !is_file);
    plain *reader = inflated_open(fd, is_scratch, source->name, source->in_archive || source->damaged);
    if (reader && source->in_archive) {
        bool deflated = source->member.state == TK_MEMBER_DEFLATED;
        source->size = source->member.packed;
        reader =
            plain_part(reader, source->member.offset, source->member.packed, deflated, source->name, source->damaged);
    }
    if (!reader) message_error("%s: out of memory", source->name);
    return reader;
}

static void close_inflated(struct source *source, plain *reader) {
    if (reader && inflated_is_damaged(reader)) source->damaged = true;
    inflated_close(reader);
}

static bool named_encoding(const char *encoding, enum tk_encoding_kind *out_kind) {
    if (!encoding || strcmp(encoding, "auto") == 0) return false;
    *out_kind = strcmp(encoding, "bin") == 0   ? TK_ENCODING_BINARY
                : strcmp(encoding, "hex") == 0 ? TK_ENCODING_HEX
                                               : TK_ENCODING_BASE64;
    return true;
}

// A live line that is quiet for this long is looked at as far as it came.
enum { PATIENCE_MS = 200 };

static bool take_head(struct source *source, plain *reader, const char *encoding, size_t len, struct bytes *out_head,
                      char out_reason[160]) {
    const struct bytes *head = inflated_peek(reader, len, source->live ? PATIENCE_MS : -1);
    struct tk_encoding_probe probe = { .kind = TK_ENCODING_BINARY, .reason = "named by --format" };
    size_t probed = head->len < TK_PROBE_LEN ? head->len : TK_PROBE_LEN;
    if (!named_encoding(encoding, &probe.kind)) {
        if (tk_format_reads_text(head->data, probed))
            memcpy(probe.reason, "text that is read as it is", sizeof "text that is read as it is");
        else tk_encoding_probe(head->data, probed, &probe);
    }
    source->encoding = probe.kind;
    memcpy(out_reason, probe.reason, sizeof probe.reason);
    out_head->len = 0;
    bool ok = bytes_append(out_head, head->data, head->len);
    if (!ok) message_error("%s: out of memory", source->name);
    return ok;
}

plain *source_open_ranges(struct source *source) {
    if (source->live || source->in_archive || source->encoding != TK_ENCODING_BINARY || source->once) return NULL;
    plain *reader = open_inflated(source);
    inflated_read_at(reader, 0, &(uint8_t){ 0 }, 1);
    if (!inflated_is_gzip(reader)) return reader;
    inflated_close(reader);
    return NULL;
}

bool source_look(struct source *source, const char *encoding, struct bytes *out_head, char out_reason[160]) {
    plain *reader = source->unreadable ? NULL : source->once ? source->once : open_inflated(source);
    if (!reader) return false;
    bool ok = take_head(source, reader, encoding, TK_PROBE_LEN, out_head, out_reason);
    if (source->live) source->once = reader;
    else close_inflated(source, reader);
    return ok;
}

bool source_look_more(struct source *source, const char *encoding, struct bytes *head, char out_reason[160]) {
    size_t before = head->len;
    if (inflated_peek(source->once, before + 1, -1)->len == before) return false;
    return take_head(source, source->once, encoding, TK_PROBE_LEN, head, out_reason) && head->len > before;
}

const struct bytes *source_peek(struct source *source, size_t len) { return inflated_peek(source->once, len, -1); }

bool source_keep(struct source *source) {
    int fd = plat_open_scratch();
    if (fd < 0) {
        message_error("%s: no room for a temporary copy: %s", source->name, plat_error());
        return false;
    }
    bool ok = true;
    size_t len;
    for (const uint8_t *piece; ok && (piece = inflated_next(source->once, &len)) && len > 0;)
        ok = plat_write_all(fd, piece, len);
    if (!ok) message_error("%s: no room for a temporary copy: %s", source->name, plat_error());
    close_inflated(source, source->once);
    source->once = NULL;
    source->scratch = fd;
    source->owns_scratch = true;
    return ok;
}

// ---- Archives ------------------------------------------------------------------------------------

// A line or pipe is copied when it brings an archive, since its parts are read in any order. False: a message was
// printed.
static bool keep_archive(struct source *source, plain *reader) {
    const struct bytes *head = inflated_peek(reader, 512, PATIENCE_MS);
    source->once = reader;
    return tk_archive_probe(head->data, head->len) == TK_ARCHIVE_NONE || source_keep(source);
}

static bool unpack(struct source_list *to, struct source *source) {
    bool is_archive = false;
    plain *reader = open_inflated(source);
    source->unreadable = !reader;
    if (reader && source->live) {
        if (!keep_archive(source, reader)) return false;
        reader = source->scratch >= 0 ? open_inflated(source) : NULL;
    }
    bool ok = !reader || archive_list(to, source, reader, &is_archive);
    close_inflated(source, reader); // what it told of damage is told once
    if (!ok) return false;
    if (is_archive) {
        free(source->path);
        return true;
    }
    struct source *items = realloc(to->items, (to->count + 1) * sizeof *items);
    if (!items) return false;
    to->items = items;
    items[to->count++] = *source;
    return true;
}

bool sources_unpack(struct source_list *list) {
    struct source_list all = { 0 };
    bool ok = true;
    for (size_t i = 0; i < list->count; i++) ok = unpack(&all, &list->items[i]) && ok;
    free(list->items);
    *list = all;
    return ok;
}

// ---- Streams -------------------------------------------------------------------------------------

struct stream {
    struct source *source;
    uint32_t block;
    plain *bytes;
    tk_encoding *decoder; // NULL: binary
    struct bytes decoded;
    bool finished, no_memory;
};

static bool on_block(void *ctx, uint32_t block, int32_t core, const char *title, size_t title_len) {
    (void)ctx, (void)block, (void)core, (void)title, (void)title_len;
    return true;
}

static bool on_decoded(void *ctx, uint32_t block, const uint8_t *bytes, size_t len) {
    stream *self = ctx;
    if (block != self->block) return true;
    self->no_memory = !bytes_append(&self->decoded, bytes, len);
    return !self->no_memory;
}

stream *stream_open(struct source *source, uint32_t block) {
    stream *self = calloc(1, sizeof *self);
    if (!self) {
        message_error("%s: out of memory", source->name);
        return NULL;
    }
    self->source = source;
    self->block = block;
    self->bytes = source->once ? source->once : open_inflated(source);
    source->once = NULL;
    struct tk_encoding_sink sink = { .ctx = self, .begin = on_block, .data = on_decoded };
    bool ok = self->bytes && (source->encoding == TK_ENCODING_BINARY ||
                              tk_encoding_new(tk_libc_allocator(), source->encoding, &sink, &self->decoder) == TK_OK);
    if (ok) return self;
    if (self->bytes) message_error("%s: out of memory", source->name);
    stream_close(self);
    return NULL;
}

static void tell_encoding(const stream *self, const struct tk_encoding_result *result) {
    if (self->block > 0 || self->source->text_told) return;
    self->source->text_told = true;
    if (result->bad_text[0]) {
        message_warn("%s: %s", self->source->name, result->bad_text);
        self->source->damaged = true;
    }
    if (self->source->live && result->blocks > 1)
        message_warn("%s: only the first of %u blocks was read; put the text into a file to read all",
                     self->source->name, (unsigned)result->blocks);
}

static void finish_encoding(stream *self) {
    struct tk_encoding_result result;
    self->finished = true;
    if (tk_encoding_finish(self->decoder, &result) == TK_OK) tell_encoding(self, &result);
    else self->no_memory = true;
}

static const uint8_t *next_decoded(stream *self, size_t *out_len) {
    self->decoded.len = 0;
    while (self->decoded.len == 0 && !self->finished && !self->no_memory) {
        size_t len;
        const uint8_t *text = inflated_next(self->bytes, &len);
        if (len == 0) finish_encoding(self);
        else if (tk_encoding_feed(self->decoder, text, len) != TK_OK) self->no_memory = true;
        else if (self->source->head_suffices && tk_encoding_detect_now(self->decoder) != TK_OK) self->no_memory = true;
    }
    if (self->no_memory) {
        message_error("%s: out of memory", self->source->name);
        self->source->read_failed = true;
    }
    *out_len = self->decoded.len;
    return self->decoded.data;
}

const uint8_t *stream_next(stream *self, size_t *out_len) {
    const uint8_t *piece = self->decoder ? next_decoded(self, out_len) : inflated_next(self->bytes, out_len);
    if (*out_len == 0 && inflated_failed(self->bytes)) self->source->read_failed = true;
    return piece;
}

bool stream_has_more(const stream *self) { return inflated_has_more(self->bytes); }

uint64_t stream_came_ns(const stream *self) { return inflated_arrival_ns(self->bytes); }

uint64_t stream_raw_bytes(const stream *self) { return inflated_raw_bytes(self->bytes); }

void stream_close(stream *self) {
    if (!self) return;
    close_inflated(self->source, self->bytes);
    tk_encoding_free(self->decoder);
    bytes_release(&self->decoded);
    free(self);
}

bool source_each_block(struct source *source, const struct tk_encoding_sink *sink) {
    plain *reader = open_inflated(source);
    tk_encoding *decoder = NULL;
    bool ok = reader && tk_encoding_new(tk_libc_allocator(), source->encoding, sink, &decoder) == TK_OK;
    size_t len = 0;
    for (const uint8_t *text; ok && (text = inflated_next(reader, &len)) && len > 0;)
        ok = tk_encoding_feed(decoder, text, len) == TK_OK;
    struct tk_encoding_result result;
    ok = ok && tk_encoding_finish(decoder, &result) == TK_OK;
    if (!ok && reader) message_error("%s: out of memory", source->name);
    tk_encoding_free(decoder);
    close_inflated(source, reader);
    return ok;
}
