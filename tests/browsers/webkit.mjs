// SPDX-License-Identifier: MIT
// WebKitGTK, driven by its own WebDriver, on a virtual screen, because it has no headless mode.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { Builder, By } from 'selenium-webdriver';
import { webkitDriver, which } from '../../scripts/lib.mjs';
import { untilTrue } from './until.mjs';

class Tab {
  constructor(driver, handle) {
    Object.assign(this, { driver, handle });
  }
  /** A driver controls one window at a time. */
  async front() {
    await this.driver.switchTo().window(this.handle);
    return this.driver;
  }
  goto = async (url) => (await this.front()).get(url);
  reload = async () => (await this.front()).navigate().refresh();
  async run(task, ...values) {
    const driver = await this.front();
    const { value, error } = await driver.executeAsyncScript(
      `const done = arguments[arguments.length - 1];
       Promise.resolve().then(() => (${task})(...Array.from(arguments).slice(0, -1))).then((value) => done({ value }), (error) => done({ error: String(error) }));`,
      ...values,
    );
    if (error) throw new Error(error);
    return value;
  }
  until = (task, ...values) => untilTrue(() => this.run(task, ...values), `${task} ${values}`);
  async find(xpath) {
    const driver = await this.front();
    await untilTrue(async () => (await driver.findElements(By.xpath(xpath))).length > 0, xpath);
    return driver.findElement(By.xpath(xpath));
  }
  async click(xpath) {
    await (await this.find(xpath)).click();
  }
  async choose(file) {
    await (await this.find('//input[@type="file"]')).sendKeys(file);
  }
  screenshot = async (file) => writeFileSync(file, await (await this.front()).takeScreenshot(), 'base64');
  close = async () => (await this.front()).close();
}

/** Ends a child process and waits for its exit. */
const end = (child) =>
  new Promise((done) => {
    if (child.exitCode !== null || child.signalCode !== null) return done();
    child.once('exit', done);
    child.kill();
  });

/** A virtual screen with an unused number. */
async function screen() {
  const child = spawn(which('Xvfb'), ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const number = await new Promise((done, failed) => {
    child.stdio[3].once('data', (text) => done(String(text).trim()));
    child.once('exit', (code) => failed(new Error(`Xvfb ended with ${code}`)));
  });
  return { child, display: `:${number}` };
}

const freePort = () =>
  new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });

// Without the last tier of the compiler, which takes longer for the viewer's engine than a few queries do. Canvases are drawn without OpenGL, whose
// renderer in software crashes after many of them.
const settings = {
  GDK_BACKEND: 'x11',
  LIBGL_ALWAYS_SOFTWARE: '1',
  JSC_useOMGJIT: '0',
  WEBKIT_SKIA_ENABLE_CPU_RENDERING: '1',
};

/** Only the Linux port comes with a driver. */
export const available = process.platform === 'linux';

export async function launch() {
  const { child: xvfb, display } = await screen();
  const port = await freePort();
  const service = spawn(webkitDriver(), [`--port=${port}`, '--host=127.0.0.1'], {
    stdio: 'ignore',
    env: { ...process.env, ...settings, DISPLAY: display },
  });
  const url = `http://127.0.0.1:${port}`;
  await untilTrue(
    () =>
      fetch(`${url}/status`).then(
        (answer) => answer.ok,
        () => false,
      ),
    'WebKitWebDriver answers',
  );
  const driver = await new Builder()
    .usingServer(url)
    .withCapabilities({ browserName: 'MiniBrowser', 'webkitgtk:browserOptions': { args: ['--automation'] } })
    .build();
  await driver.manage().setTimeouts({ script: 300_000, pageLoad: 300_000 });
  const first = await driver.getWindowHandle();
  const handles = () => driver.getAllWindowHandles();
  return {
    name: `WebKitGTK ${(await driver.getCapabilities()).getBrowserVersion()}`,
    /** Always the first window: in further windows that the driver opens, this browser blocks pop-ups after a click too. */
    open: async () => new Tab(driver, first),
    async opened(act) {
      const before = await handles();
      await act();
      await untilTrue(async () => (await handles()).length > before.length, 'a window opens');
      const tab = new Tab(
        driver,
        (await handles()).find((handle) => !before.includes(handle)),
      );
      await untilTrue(
        async () => /^https?:/.test(await (await tab.front()).getCurrentUrl()),
        'the window shows its page',
      ); // messages of the page are lost meanwhile
      return tab;
    },
    async close() {
      await driver.quit();
      await end(service);
      await end(xvfb);
    },
  };
}
