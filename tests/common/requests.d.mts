// SPDX-License-Identifier: MIT
export function recordRequests(): { take(): string[][]; stop(): void };
