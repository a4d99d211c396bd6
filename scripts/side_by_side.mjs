// SPDX-License-Identifier: MIT
// Runs the stages of a test command, several at the same time if their dependencies allow it.

/**
 * @typedef {object} Ties dependencies of a stage
 * @property {string[]} [needs] stages that run before this stage, even if the command line does not name them
 * @property {string[]} [after] stages that run before this stage if they are run
 * @property {string} [builds] build folder of the stage: two stages with the same build folder never run at the same time
 */

/** @typedef {[name: string, what: string, run: () => Promise<any>, ties?: Ties]} Stage */

/**
 * Calls `run` for each stage in the order of the list, for up to `lanes` stages at the same time. If a stage has to wait for
 * another one, later stages may start before it.
 * @param {Stage[]} stages
 * @param {number} lanes
 * @param {(stage: Stage) => Promise<void>} run
 */
export async function sideBySide(stages, lanes, run) {
  const unfinished = new Set(stages.map(([name]) => name));
  const waiting = new Set(stages);
  /** @type {Map<Stage, Promise<void>>} */
  const running = new Map();
  /** @param {Stage} stage */
  const mayStart = ([, , , { needs = [], after = [], builds } = {}]) =>
    ![...needs, ...after].some((name) => unfinished.has(name)) &&
    !(builds && [...running.keys()].some(([, , , ties]) => ties?.builds === builds));
  while (waiting.size || running.size) {
    for (const stage of waiting) {
      if (running.size === lanes || !mayStart(stage)) continue;
      waiting.delete(stage);
      const end = () => {
        running.delete(stage);
        unfinished.delete(stage[0]);
      };
      running.set(stage, run(stage).finally(end));
    }
    if (!running.size) throw new Error(`stages wait for each other: ${[...waiting].map(([name]) => name).join(', ')}`);
    await Promise.race(running.values());
  }
}
