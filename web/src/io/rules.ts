// SPDX-License-Identifier: MIT
// The file of rules that the user opened last. It judges all recordings that the user looks at.

export interface RulesFile {
  name: string;
  bytes: Uint8Array;
}

let opened: RulesFile | null = null;

export const openedRules = (): RulesFile | null => opened;

export const setOpenedRules = (rules: RulesFile | null): void => {
  opened = rules;
};

/** Setting of a conversion: its report counts the jobs that miss the deadlines of the rules. */
export const rulesSetting = (): Record<string, string> =>
  opened ? { rules: new TextDecoder().decode(opened.bytes) } : {};
