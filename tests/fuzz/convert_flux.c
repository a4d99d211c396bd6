// SPDX-License-Identifier: MIT
#include "common/check.h"
#include "common/signals.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) { return signals_try("flux", data, len); }
