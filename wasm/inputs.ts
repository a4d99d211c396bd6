// SPDX-License-Identifier: MIT
// Reads the descriptions of formats and inputs from structs of the core.
import { Out } from './module.js';
import type { Module } from './module.js';
import { FORMAT, INPUT, INPUT_MORE, OPTION, PLAN, PROBE, structSize } from './structs.js';
import type { Values } from './structs.js';
import type { Catalogue, DetectedInput, FormatInfo, Member, OptionInfo, Plan, Probe, Role } from './types.js';

export const ROLES: readonly (Role | 'none')[] = ['recording', 'names', 'symbols', 'times', 'none'];
export const ENCODINGS = ['binary', 'hex', 'base64', 'json'] as const;
const CONTENTS = ['', 'trace', 'symbols', 'times', 'other'] as const;
const NO_GROUP = 2 ** 32 - 1;
const UNKNOWN_SIZE = 2 ** 64; // UINT64_MAX, rounded to a number
const CORES = Array.from({ length: 32 }, (_, core) => core);

// ---- Formats

function optionsAt(module: Module, address: number, count: number): OptionInfo[] {
  const options: OptionInfo[] = [];
  for (let index = 0; index < count; index++) {
    const { key, label, help, choices, fallback } = module.read(OPTION, address + index * structSize(OPTION));
    options.push({ key: key!, label: label!, help: help!, choices: choices?.split('|') ?? null, fallback: fallback! });
  }
  return options;
}

function formatsOf(module: Module): FormatInfo[] {
  return Array.from({ length: module.call('tk_format_count') }, (_, index) => {
    const format = module.read(FORMAT, module.call('tk_format_at', index));
    return {
      name: format.name!,
      title: format.title!,
      pieces: format.pieces!,
      text: format.isText,
      cores: format.joinsCores,
      outlined: format.isOutlined,
      original: format.hasVendorDump,
      options: optionsAt(module, format.options, format.optionCount),
    };
  });
}

export function catalogueOf(module: Module): Catalogue {
  const count = new Out(),
    options = module.call('tk_common_options', count);
  return { common: optionsAt(module, options, module.number(count.address)), formats: formatsOf(module) };
}

// ---- Inputs of a conversion at the request `plan`

function probeAt(module: Module, address: number, formats: FormatInfo[]): Probe {
  const probe = module.read(PROBE, address);
  const { format, confidence, mode, reason, namesTick, hasEvents } = probe;
  return {
    format,
    title: formats.find(({ name }) => name === format)?.title ?? '',
    confidence,
    mode,
    reason,
    looked: probe.looked,
    ...(probe.isDump && { from: probe.from }),
    frames: probe.frames,
    valid: probe.valid,
    textBytes: probe.textBytes,
    namesTick,
    tickNs: String(probe.tickNs),
    hasEvents,
    goesOn: module.call('tk_probe_can_continue', address) !== 0,
    cores: CORES.filter((core) => (probe.coresMask >>> core) & 1),
    content: CONTENTS[probe.content]!,
  };
}

function memberOf({ member }: Values<typeof INPUT>, more: Values<typeof INPUT_MORE>): Member | null {
  const { path, offset, packed, isDeflated, reason, problem } = more;
  if (path === null) return null;
  return { number: member, path, offset, packed, deflated: isDeflated, reason: reason!, problem: problem! };
}

interface Planned {
  address: number;
  plan: Values<typeof PLAN>;
}

/** Returns the recordings that an input may be assigned to. `apart`: why a recording of its format is not one of them. */
function partnersOf(module: Module, planned: readonly Planned[], index: number): Pick<Plan, 'partners' | 'apart'> {
  const { address, plan } = planned[index]!;
  const partners: number[] = [];
  let apart = '';
  for (const [other, { address: otherAddress, plan: otherPlan }] of planned.entries()) {
    if (other === index || ROLES[otherPlan.outRole] !== 'recording') continue;
    const conflict = module.call('tk_plan_conflict', address, otherAddress);
    if (!conflict) partners.push(other);
    else if (ROLES[plan.outRole] === 'recording' && plan.outFormat === otherPlan.outFormat)
      apart = module.textAt(conflict);
  }
  return { partners, apart };
}

function planOf(module: Module, planned: readonly Planned[], groups: readonly number[], index: number): Plan {
  const { outRole, outFormat, outGroup, outCore, outOrder, outReason } = planned[index]!.plan;
  const [first] = planned;
  return {
    role: ROLES[outRole]!,
    format: outFormat,
    group: outGroup === NO_GROUP ? null : outGroup,
    core: outCore < 0 ? null : outCore,
    order: outOrder,
    serves: groups.filter((number) => module.call('tk_plan_serves', first!.address, planned.length, index, number)),
    ...partnersOf(module, planned, index),
    reason: outReason,
  };
}

export function inputsOf(module: Module, conversion: number): DetectedInput[] {
  const room = new Out(structSize(INPUT)),
    roomOfMore = new Out(structSize(INPUT_MORE)),
    count = module.call('tk_conversion_input_count', conversion);
  const inputs = Array.from({ length: count }, (_, index) => {
    module.call('tk_conversion_input', conversion, index, room);
    const input = module.read(INPUT, room.address);
    module.call('tkw_describe_input', conversion, index, roomOfMore);
    return { ...input, more: module.read(INPUT_MORE, roomOfMore.address) };
  });
  const formats = formatsOf(module),
    planned = inputs.map(({ plan: address }) => ({ address, plan: module.read(PLAN, address) })),
    groups = [...new Set(planned.map(({ plan }) => plan.outGroup))].filter((group) => group !== NO_GROUP);
  return inputs.map(({ more, ...input }, index) => {
    const { probe: address, foundCore } = planned[index]!.plan;
    const probe = probeAt(module, address, formats);
    return {
      source: input.source,
      member: memberOf(input, more),
      block: input.block,
      name: input.name!,
      encoding: ENCODINGS[input.encoding]!,
      gzip: input.isGzip,
      encodingReason: input.encodingReason!,
      bytes: input.size === UNKNOWN_SIZE ? probe.looked : input.size,
      cut: more.damage || null,
      core: foundCore < 0 ? null : foundCore,
      probe,
      plan: planOf(module, planned, groups, index),
    };
  });
}
