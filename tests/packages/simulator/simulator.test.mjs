// SPDX-License-Identifier: MIT
// The comparison of simulated runs of `npm test` with many more recordings.
import { describe } from 'vitest';
import { test_format, test_formats, test_objects } from '../../simulator/suite.mjs';

/** 1000 recordings of Tonbandgeraet. */
describe('tonbandgeraet', () => test_format('tonbandgeraet', 500));
describe('tonbandgeraet with extensions', () => test_format('tonbandgeraet with extensions', 500));
describe('tracerecorder', () => test_format('tracerecorder', 300));
describe('two formats', () => test_formats(100));
describe('active objects', () => test_objects(100));
