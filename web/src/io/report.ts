// SPDX-License-Identifier: MIT
// What turns reports into text, Markdown and CSV and compares them: an instance of the core, opened with the first result.
import { useEffect, useState } from 'preact/hooks';
import { ReportCore } from '../../../wasm/tonkopf.js';
import { tonkopfModule } from './module.js';

let opening: Promise<ReportCore> | null = null;

function reportCore(): Promise<ReportCore> {
  opening ??= tonkopfModule()
    .then((module) => ReportCore.open(module))
    .catch((error: unknown) => {
      opening = null; // a later try may find the network again
      throw error;
    });
  return opening;
}

/** Null until it is there, so that a click finds it: a browser lets only the click itself write to the clipboard. */
export function useReportCore(): ReportCore | null {
  const [core, setCore] = useState<ReportCore | null>(null);
  useEffect(() => {
    let wanted = true;
    reportCore().then(
      (opened) => wanted && setCore(opened),
      () => {},
    );
    return () => {
      wanted = false;
    };
  }, []);
  return core;
}
