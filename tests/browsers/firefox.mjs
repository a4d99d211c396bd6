// SPDX-License-Identifier: MIT
// Firefox, driven by WebDriver BiDi without an additional driver program.
import puppeteer from 'puppeteer-core';
import { firefox } from '../../scripts/lib.mjs';
import { untilTrue } from './until.mjs';

class Tab {
  constructor(page) {
    this.page = page;
  }
  goto = (url) => this.page.goto(url, { waitUntil: 'domcontentloaded' });
  reload = () => this.page.reload({ waitUntil: 'domcontentloaded' });
  run = (task, ...values) => this.page.evaluate(task, ...values);
  until = (task, ...values) => untilTrue(() => this.run(task, ...values), `${task} ${values}`);
  find = (xpath) => this.page.waitForSelector(`::-p-xpath(${xpath})`, { timeout: 0 });
  async click(xpath) {
    await (await this.find(xpath)).click();
  }
  async choose(file) {
    await (await this.find('//input[@type="file"]')).uploadFile(file);
  }
  screenshot = (file) => this.page.screenshot({ path: file });
  close = () => this.page.close();
}

export async function launch() {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: firefox(),
    headless: true,
    timeout: 0,
    protocolTimeout: 0,
    extraPrefsFirefox: { 'dom.disable_open_during_load': true },
  });
  return {
    name: await browser.version(),
    async open() {
      const page = await browser.newPage();
      page.setDefaultTimeout(0);
      return new Tab(page);
    },
    /** The window that `act` opens. */
    async opened(act) {
      const before = new Set(browser.targets());
      await act();
      const isOpened = (target) => target.type() === 'page' && !before.has(target); // the page has workers, too
      const page = await (await browser.waitForTarget(isOpened, { timeout: 0 })).page();
      await untilTrue(() => page.url() !== 'about:blank', 'the window shows its page'); // messages of the page are lost meanwhile
      return new Tab(page);
    },
    close: () => browser.close(),
  };
}
