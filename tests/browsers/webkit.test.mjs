// SPDX-License-Identifier: MIT
import { available, launch } from './webkit.mjs';
import { describePage } from './suite.mjs';

describePage('WebKit', launch, available);
