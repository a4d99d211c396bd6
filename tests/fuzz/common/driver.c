// SPDX-License-Identifier: MIT
//
// seeded NAME SEED RUNS CRASH_FILE CORPUS_FOLDER|PACK|FILE ... : runs a fuzz target without libFuzzer. First every
// input unchanged, then mixtures of them, which are the same for a seed; RUNS 0: only the inputs. When a run fails, its
// input is in CRASH_FILE. A pack (*.pack) contains many inputs, each after its length in two bytes.
#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

enum { MAX_FILES = 16384, MAX_LEN = 16 * 1024 };

// The sanitizers end with a signal, so that the input can be saved.
const char *__asan_default_options(void);
const char *__ubsan_default_options(void);
const char *__asan_default_options(void) { return "abort_on_error=1"; }
const char *__ubsan_default_options(void) { return "abort_on_error=1:print_stacktrace=1"; }

struct file {
    uint8_t *bytes;
    size_t len;
};

static struct file files[MAX_FILES];
static size_t file_count;
static uint8_t input[MAX_LEN];
static size_t input_len;
static uint64_t random_state;
static const char *crash_name;

// CMake compiles each fuzz target with its own name for LLVMFuzzerTestOneInput.
typedef int target(const uint8_t *data, size_t len);
#define NAME(name) target fuzz_##name;
#include "fuzz.def"
#undef NAME
static const struct {
    const char *name;
    target *run;
} targets[] = {
#define NAME(name) { #name, fuzz_##name },
#include "fuzz.def"
};
static target *chosen;

static bool choose(const char *name) {
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        if (!strcmp(targets[i].name, name)) chosen = targets[i].run;
    return chosen;
}

static uint32_t draw(uint32_t below) { // xorshift64*
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return (uint32_t)((random_state * 0x2545F4914F6CDD1Du >> 32) % below);
}

// Up to `len` bytes as one input.
static void read_input(FILE *file, size_t len) {
    check(file_count < MAX_FILES);
    struct file *to = &files[file_count++];
    to->bytes = malloc(len);
    check(to->bytes);
    to->len = fread(to->bytes, 1, len, file);
}

static void read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    check(file);
    const char *dot = strrchr(path, '.');
    if (!dot || strcmp(dot, ".pack")) {
        read_input(file, MAX_LEN);
    } else {
        for (int low, high; (low = fgetc(file)) != EOF && (high = fgetc(file)) != EOF;)
            read_input(file, (size_t)(low | high << 8));
    }
    fclose(file);
}

static int by_name(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }

static void read_path(const char *path) {
    struct stat info;
    if (stat(path, &info) != 0) return; // not every target has a pack and a folder
    if (!S_ISDIR(info.st_mode)) {
        read_file(path);
        return;
    }
    struct dirent **entries;
    int count = scandir(path, &entries, NULL, by_name);
    check(count >= 0);
    for (int i = 0; i < count; i++) {
        char name[4096];
        snprintf(name, sizeof name, "%s/%s", path, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.') read_file(name);
        free(entries[i]);
    }
    free(entries);
}

static void remove_at(size_t at, size_t len) {
    memmove(input + at, input + at + len, input_len - at - len);
    input_len -= len;
}

static void insert_at(size_t at, const uint8_t *bytes, size_t len) {
    if (len > MAX_LEN - input_len) len = MAX_LEN - input_len;
    memmove(input + at + len, input + at, input_len - at);
    memcpy(input + at, bytes, len);
    input_len += len;
}

// Part of another input, often from one delimiter to the next.
static void splice(void) {
    const struct file *from = &files[draw((uint32_t)file_count)];
    if (!from->len) return;
    size_t start = draw((uint32_t)from->len), len = 1 + draw(64), at = draw((uint32_t)input_len + 1);
    if (draw(2)) {
        while (start && from->bytes[start - 1]) start--;
        while (at && at < input_len && input[at - 1]) at--;
    }
    if (len > from->len - start) len = from->len - start;
    insert_at(at, from->bytes + start, len);
}

static void mutate_once(void) {
    static const uint8_t telling[] = { 0x00, 0x01, 0x02, 0x7F, 0x80, 0xFF, 0xFE, 0x54, 0x0A, 0x30 };
    uint8_t random_bytes[8];
    for (size_t i = 0; i < sizeof random_bytes; i++) random_bytes[i] = (uint8_t)draw(256);
    size_t at = input_len ? draw((uint32_t)input_len) : 0;
    switch (input_len ? draw(8) : 4) {
    case 0: input[at] ^= (uint8_t)(1u << draw(8)); break;
    case 1: input[at] = telling[draw(sizeof telling)]; break;
    case 2: input[at] = (uint8_t)draw(256); break;
    case 3: remove_at(at, 1 + draw((uint32_t)(input_len - at < 40 ? input_len - at : 40))); break;
    case 4: insert_at(at, random_bytes, 1 + draw(sizeof random_bytes)); break;
    case 5: input_len = at; break;
    case 6: input[at] = (uint8_t)(input[at] + draw(35) - 17); break;
    default: splice(); break;
    }
}

static void make_input(void) {
    const struct file *from = &files[draw((uint32_t)file_count)];
    input_len = from->len;
    memcpy(input, from->bytes, input_len);
    for (uint32_t i = 1 + draw(4) * draw(4); i--;) mutate_once();
}

static void keep_input(int number) {
    FILE *file = fopen(crash_name, "wb");
    if (file) {
        fwrite(input, 1, input_len, file);
        fclose(file);
        fprintf(stderr, "the input is in %s\n", crash_name);
    }
    signal(number, SIG_DFL);
    raise(number);
}

static void run_input(void) {
    uint8_t *copy = malloc(input_len ? input_len : 1); // of exactly this size: reading beyond it is detected
    check(copy);
    memcpy(copy, input, input_len);
    chosen(copy, input_len);
    free(copy);
}

int main(int argc, char **argv) {
    if (argc < 6) return fprintf(stderr, "seeded NAME SEED RUNS CRASH_FILE CORPUS...\n"), 2;
    if (!choose(argv[1])) return fprintf(stderr, "there is no fuzz target %s\n", argv[1]), 2;
    random_state = strtoull(argv[2], NULL, 10) | 1;
    size_t runs = strtoull(argv[3], NULL, 10);
    crash_name = argv[4];
    for (int i = 5; i < argc; i++) read_path(argv[i]);
    check(file_count);
    signal(SIGABRT, keep_input);
    signal(SIGSEGV, keep_input);
    if (!runs) runs = file_count;
    for (size_t run = 0; run < runs; run++) {
        if (run < file_count) {
            input_len = files[run].len;
            memcpy(input, files[run].bytes, input_len);
        } else {
            make_input();
        }
        run_input();
    }
    for (size_t i = 0; i < file_count; i++) free(files[i].bytes);
    printf("%zu runs from %zu files\n", runs, file_count);
    return 0;
}
