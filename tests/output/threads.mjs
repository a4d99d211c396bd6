// SPDX-License-Identifier: MIT
// SQL conditions that distinguish the threads of a trace: tasks, idle time, and time of a core that was not recorded.

/** Id of the thread for unrecorded time of core 0; each further core has one less. All tasks have higher ids. */
export const UNRECORDED_TID = 299;

/** Conditions on the threads with an alias. @param {string} thread */
export const conditions = (thread) => {
  const is_idle = `coalesce(${thread}.is_idle, 0)`;
  const is_unrecorded = `${thread}.name is 'not recorded'`;
  return { is_idle, is_unrecorded, is_task: `(not ${is_idle} and ${thread}.tid > ${UNRECORDED_TID})` };
};

/** Of a row of sched_slice, which has the core: the thread is that of the unrecorded time of this core. @param {string} thread */
export const is_unrecorded_on_core = (thread) =>
  `(${conditions(thread).is_unrecorded} and ${thread}.tid = ${UNRECORDED_TID} - cpu)`;
