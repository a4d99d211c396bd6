// SPDX-License-Identifier: MIT
// Runs the native converter on bytes or files and loads the result into trace_processor.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from './fetch.mjs';

export const tool = process.env.TONKOPF_CONVERT ?? path.join(root, 'build/native/tests/tool_convert');

/**
 * inputs: [{ bytes, core?, side? }]; options: { 'tick-ns': '1000' ... }.
 * Returns { trace, report }. Throws when the conversion ends with a fatal error.
 */
export function convert(inputs, options = {}) {
  if (!fs.existsSync(tool)) throw new Error(`${tool} is missing: npm run build:native`);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tonkopf-'));
  try {
    const files = [...inputs]
      .sort((a, b) => (b.side ? 1 : 0) - (a.side ? 1 : 0))
      .flatMap(({ bytes, core, side }, index) => {
        const file = path.join(folder, `input${index}`);
        fs.writeFileSync(file, bytes);
        return [...(side ? ['-s'] : []), core === undefined || core === null ? file : `${file}@${core}`];
      });
    const [trace, report] = ['trace', 'report'].map((name) => path.join(folder, name));
    const settings = Object.entries(options).map(([key, value]) => `${key}=${value}`);
    execFileSync(tool, [trace, report, ...settings, '--', ...files], { stdio: ['ignore', 'ignore', 'pipe'] });
    return { trace: fs.readFileSync(trace), report: JSON.parse(fs.readFileSync(report, 'utf8')) };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
