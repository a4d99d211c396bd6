// SPDX-License-Identifier: MIT
import type { Browser, BrowserContext, Page } from 'playwright-core';

export const VIEWER_URL: string;
export function launchChromium(): Promise<Browser>;
export function serveViewer(context: BrowserContext, url?: string): Promise<void>;
export function traceLoaded(viewer: Page, timeout?: number): Promise<void>;
export function viewerIdle(viewer: Page): Promise<void>;
export function viewerQuery(viewer: Page, sql: string): Promise<Record<string, string | number | bigint | null>[]>;
export function shoot(page: Page, file: string): Promise<string>;
export function openTrace(
  context: BrowserContext,
  trace: Uint8Array,
  parameters?: Record<string, string>,
): Promise<Page>;
export function newViewerContext(browser: Browser, size?: { width: number; height: number }): Promise<BrowserContext>;
export function hostViewer(): Promise<{ url: string; close(): void }>;
export function isLoaded(): boolean;
export function askEngine(sql: string): Promise<Record<string, string | number | bigint | null>[]>;
