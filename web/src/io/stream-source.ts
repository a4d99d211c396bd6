// SPDX-License-Identifier: MIT
// The answer of a server that sends what it receives, as `tonkopf record --live` does.
import { type ByteSource, type SourceListener, textOf } from './byte-source.js';

export class StreamSource implements ByteSource {
  constructor(private readonly address: string) {}

  async run(listener: SourceListener, signal: AbortSignal): Promise<void> {
    let reason = '';
    listener.onState('waiting', '');
    try {
      const response = await fetch(this.address, { signal, cache: 'no-store' });
      if (!response.ok || !response.body) throw new Error(`the server answers ${response.status}`);
      const reader = response.body.getReader();
      listener.onState('running', '');
      for (let step = await reader.read(); !step.done; step = await reader.read()) await listener.onBytes(step.value);
      reason = 'the program that records has ended';
    } catch (error) {
      if (!signal.aborted) reason = textOf(error);
    }
    listener.onState('ended', reason);
  }
}
