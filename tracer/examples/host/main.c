/* SPDX-License-Identifier: MIT */
/* A PC program with two threads. It records into memory and writes a file: demo FILE && tonkopf conv FILE */
#include <pthread.h>
#include <stdio.h>

#include "tband.h"

enum { WORK = 1, LEFT = 2, STEPS = 50 };

static void *work(void *argument) {
    unsigned left = STEPS;
    for (volatile unsigned spin; left--;) {
        tband_evtmarker_begin(WORK, argument);
        for (spin = 0; spin < 20000; spin++) {}
        tband_valmarker(LEFT, left);
        tband_evtmarker_end(WORK);
    }
    return NULL;
}

static int save(const char *path) {
    FILE *file = fopen(path, "wb");
    if (!file) return 1;
    fwrite((const void *)tband_get_metadata_buf(0), 1, tband_get_metadata_buf_amnt(0), file);
    fwrite((const void *)tband_get_core_snapshot_buf(0), 1, tband_get_core_snapshot_buf_amnt(0), file);
    return fclose(file);
}

int main(int argc, char **argv) {
    pthread_t thread;
    if (argc != 2) return 2;
    tband_evtmarker_name(WORK, "work");
    tband_valmarker_name(LEFT, "steps left");
    tband_trigger_snapshot();
    pthread_create(&thread, NULL, work, "second");
    work("first");
    pthread_join(thread, NULL);
    tband_stop_snapshot();
    return save(argv[1]);
}
