// SPDX-License-Identifier: MIT
import demos, { levels } from 'virtual:demos';
import { addDemo } from '../effects.js';
import { Picture } from './picture.js';

export function Demos() {
  return (
    <section aria-labelledby="demos-title">
      <h2 id="demos-title" class="legend">
        No recording at hand? Play one of these
      </h2>
      <ul class="demos">
        {demos.map(({ rows, ...demo }) => (
          <li key={demo.id}>
            <button type="button" class="demo" onClick={() => void addDemo(demo)}>
              <span class="demo-strip">
                <Picture
                  rows={rows.map(({ kind, busy }) => ({
                    kind,
                    busy: [...busy].map((digit) => Number(digit) / levels),
                  }))}
                />
              </span>
              <b>{demo.title}</b>
              <span class="demo-text">{demo.sentence}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
