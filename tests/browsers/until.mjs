// SPDX-License-Identifier: MIT
const PATIENCE_MS = 300_000;

/** Polls until the answer is true; a busy machine only takes longer. `what` is in the error after the timeout. */
export async function untilTrue(ask, what) {
  const end = Date.now() + PATIENCE_MS;
  while (!(await ask())) {
    if (Date.now() > end) throw new Error(`still not so after ${PATIENCE_MS / 1000} s: ${what}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}
