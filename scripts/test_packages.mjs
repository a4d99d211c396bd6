// SPDX-License-Identifier: MIT
// What takes too long for `npm test`: everything that is installed, as its user installs it. `npm run test:packages -- NAME...` runs
// only the stages named.
import { setup } from './setup.mjs';
import { runStages, vitest } from './stages.mjs';

const stages = [
  ['embed', 'the installed library in another C program', vitest('embed', 'packages/embed')],
  ['python', 'wheel in an environment of its own', vitest('python', 'packages/python')],
];

await runStages(stages, () => setup('packages'));
