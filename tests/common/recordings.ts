// SPDX-License-Identifier: MIT
// The choices that a user makes who accepts the plan.
import type { DetectedInput, InputChoice } from '../../wasm/types.js';

/** The inputs of each trace, with what helps to read it. */
export function recordingsOf(detectedInputs: readonly DetectedInput[]): InputChoice[][] {
  const groups = [...new Set(detectedInputs.flatMap(({ plan }) => plan.group ?? []))];
  return groups.map((group) =>
    detectedInputs
      .flatMap((detected) => {
        const { role, core, ...plan } = detected.plan;
        return role !== 'none' && (plan.group === group || plan.serves.includes(group))
          ? [{ detected, role, core: role === 'recording' ? core : null }]
          : [];
      })
      .sort((a, b) => a.detected.plan.order - b.detected.plan.order),
  );
}
