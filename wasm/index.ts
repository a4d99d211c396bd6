// SPDX-License-Identifier: MIT
// The library for Node: converts files or bytes to a Perfetto trace and a report, with the same core as the page.
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
