// SPDX-License-Identifier: MIT
const PATIENCE_MS = 300_000;

/** Asks until the answer is yes: a busy machine only takes longer. `what` is named when it never comes. */
export async function untilTrue(ask, what) {
  const end = Date.now() + PATIENCE_MS;
  while (!(await ask())) {
    if (Date.now() > end) throw new Error(`still not so after ${PATIENCE_MS / 1000} s: ${what}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}
