// SPDX-License-Identifier: MIT
//
// unit NAME: runs the tests of the file NAME.c. CMake renames the main of each file to the name of the file.
#include <stdio.h>
#include <string.h>

#define NAME(name) int name(void);
#include "unit.def"
#undef NAME

static const struct {
    const char *name;
    int (*run)(void);
} files[] = {
#define NAME(name) { #name, name },
#include "unit.def"
};

int main(int argc, char **argv) {
    for (size_t i = 0; argc == 2 && i < sizeof files / sizeof *files; i++)
        if (!strcmp(files[i].name, argv[1])) return files[i].run();
    fprintf(stderr, "usage: unit NAME; the names are:\n");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) fprintf(stderr, "%s\n", files[i].name);
    return 2;
}
