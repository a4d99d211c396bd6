// SPDX-License-Identifier: MIT
// A file of its own, loaded into the worker with the first packed file. As the entry of a file it can export nothing.
import { gunzip, inflate } from '../../../wasm/gunzip.js';

Object.assign(globalThis, { tonkopfUnpack: { gunzip, inflate } });
