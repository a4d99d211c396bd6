// SPDX-License-Identifier: MIT
// build/native: the command line tool, the C tests and their tools.
import { buildNative } from './builds.mjs';

buildNative();
