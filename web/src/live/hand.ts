// SPDX-License-Identifier: MIT
// Opens the viewer with what a live recording contains so far, while it goes on.
import { limitOf } from '../../../wasm/report.js';
import type { Report } from '../../../wasm/types.js';
import { BlockStore } from '../io/block-store.js';
import { traceName } from '../io/download.js';
import { tonkopfModule } from '../io/module.js';
import { type Range, type Trace, anyView, closeWindow, handOver, viewerUrl } from '../io/perfetto.js';
import { getSettings } from '../io/settings.js';
import { Bridge } from '../worker/bridge.js';
import type { Recorded } from './messages.js';

/** Converts what was recorded like any other recording. part: the time range of the trace; null: everything. */
async function convert({ file, times }: Recorded, part: Range | null, report: Report): Promise<BlockStore> {
  const bridge = new Bridge(tonkopfModule);
  const store = new BlockStore();
  const sources = [file, ...(times ? [times] : [])].map((blob) => ({ name: blob.name, blob, encoding: null }));
  try {
    const { detectedInputs } = await bridge.inspect(sources, {});
    const choices = detectedInputs.flatMap((detected) => {
      const { role, core, group, serves } = detected.plan;
      return role !== 'none' && (group === 0 || serves.includes(0)) ? [{ detected, role, core }] : [];
    });
    const options = part
      ? { 'from-ns': limitOf(part.startNs, report), 'to-ns': limitOf(part.endNs, report) }
      : ({} as Record<string, string>);
    const { head } = await bridge.convert(
      { sources, choices, options },
      { onProgress: () => {}, onBlock: (block) => store.add(block) },
    );
    store.setHead(head);
    return store;
  } finally {
    bridge.stop();
  }
}

/** Resolves to what happened, as a sentence. Must be called in the click's event handler. */
export async function openLive(
  recorded: Promise<Recorded>,
  report: Report | null,
  range: Range | null,
  part: Range | null,
  onSay: (text: string) => void,
): Promise<string> {
  const address = getSettings().viewer;
  const viewer = window.open(viewerUrl(address, report?.view ?? anyView, range), '_blank');
  if (!viewer) return 'The browser blocked the new tab. Allow pop-ups for this page, then try again.';
  onSay('The viewer is open. It gets what was recorded up to your click.');
  const made = async (): Promise<Trace> => {
    const taken = await recorded;
    const { name } = taken.file;
    const store = await convert(taken, report && part, report!);
    return { buffer: () => store.toBuffer(), title: name, fileName: traceName(name) };
  };
  try {
    const outcome = await handOver(viewer, address, made(), new AbortController().signal, (isSilent) => {
      if (isSilent) onSay('The viewer has not answered for 30 seconds. Check the network connection.');
    });
    return outcome === 'handed'
      ? 'Handed over: the viewer in the other tab has the trace up to your click.'
      : 'The viewer’s tab was closed before it answered.';
  } catch (error) {
    closeWindow(viewer);
    return error instanceof Error ? error.message : String(error);
  }
}
