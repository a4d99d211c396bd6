// SPDX-License-Identifier: MIT
// Turns reports into text, Markdown and CSV and compares them, with an instance of the core that is created with the first result.
import { useEffect, useState } from 'preact/hooks';
import { ReportCore } from '../../../wasm/reports.js';
import { tonkopfModule } from './module.js';

let opening: Promise<ReportCore> | null = null;

function reportCore(): Promise<ReportCore> {
  opening ??= tonkopfModule()
    .then((module) => ReportCore.open(module))
    .catch((error: unknown) => {
      opening = null; // a later attempt may succeed
      throw error;
    });
  return opening;
}

/** Null until it is needed and loaded. Synchronous, because a browser allows clipboard writes only in the click's event handler. */
export function useReportCore(isNeeded = true): ReportCore | null {
  const [core, setCore] = useState<ReportCore | null>(null);
  useEffect(() => {
    if (!isNeeded) return;
    let wanted = true;
    reportCore().then(
      (opened) => wanted && setCore(opened),
      () => {},
    );
    return () => {
      wanted = false;
    };
  }, [isNeeded]);
  return core;
}
