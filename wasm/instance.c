// SPDX-License-Identifier: MIT
#include "instance.h"

struct instance *tkw_open(void);
void tkw_close(struct instance *instance);

struct instance *tkw_open(void) { return tkw_instance_new(sizeof(struct instance)); }

void tkw_close(struct instance *instance) {
    if (instance->handle) instance->free_handle(instance->handle);
    tkw_bytes_free(&instance->probes);
    tkw_instance_free(&instance->at, sizeof *instance);
}
