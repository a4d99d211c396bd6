// SPDX-License-Identifier: MIT
import { launch } from './firefox.mjs';
import { describePage } from './suite.mjs';

describePage('Firefox', launch);
