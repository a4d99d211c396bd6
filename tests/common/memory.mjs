// SPDX-License-Identifier: MIT
//
// The memory that the program needs for a recording that it reads from standard input while it is generated.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { TOOL, ended } from '../cli/tool.mjs';
import { big_chunks } from '../generator/big.mjs';

// Runs a program, and prints the peak of its resident memory (KiB) to standard error. The figure contains the peak of Python itself, about 10 MiB.
const MEASURE = `import resource, subprocess, sys
code = subprocess.call(sys.argv[1:])
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)
sys.exit(code)`;

/** Reads a recording of 100 tasks. Returns its report, and the peak of the resident memory in MiB. @param {number} bytes of the recording */
export async function memory_of_many_tasks(bytes) {
  const child = spawn('python3', ['-c', MEASURE, TOOL, 'info', '--json', '-'], { stdio: ['pipe', 'pipe', 'pipe'] });
  const end = ended(child);
  for (const { chunk } of big_chunks({ bytes, mode: 'many-tasks' }))
    if (!child.stdin.write(chunk.slice())) await once(child.stdin, 'drain'); // a chunk is valid until the next one
  child.stdin.end();
  const { code, text, errors } = await end;
  if (code !== 0) throw new Error(`the program ended with ${code}: ${errors}`);
  return { report: JSON.parse(text), mib: Number(/(\d+)\s*$/.exec(errors)?.[1]) / 1024 };
}
