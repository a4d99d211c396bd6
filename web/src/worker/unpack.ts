// SPDX-License-Identifier: MIT
// A file of its own, loaded into the worker with the first gzip file. As the entry of a file it can export nothing.
import { gunzip } from '../../../wasm/gunzip.js';

Object.assign(globalThis, { tonkopfGunzip: gunzip });
