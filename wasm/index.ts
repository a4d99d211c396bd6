// SPDX-License-Identifier: MIT
// The library for Node: files or bytes in, a Perfetto trace and a report out. The same core as in the page.
import type { Library } from './api.js';
import { library } from './node.js';

export * from './api.js';
export const {
  convert,
  convertAll,
  startConversion,
  resumeConversion,
  inspect,
  describe,
  reportSchema,
  reportText,
  reportMarkdown,
  reportCsv,
  compareReports,
  isReport,
  checkExpectation,
  expectation,
}: Library = library;
