// @ts-check
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBrowser } from '../vscode/browser.mjs';
import { testQuery } from '../vscode/commandLine.mjs';
import { extensionCommand } from '../vscode/extensionCommands.mjs';
import { repository, screenshots } from '../vscode/paths.mjs';
import { freePort } from '../vscode/ports.mjs';
import { startServer } from '../vscode/server.mjs';
import { runTestsIn } from '../vscode/testWindow.mjs';
import { expectGone } from './extensionProcesses.mjs';

/** Time limit for the suites of one window, in seconds. */
const timeLimit = 180;

/** VS Code from npm with installed extensions. It keeps its data from one window to the next. */
export class InstalledVsCode {
  /**
   * @param {import('../vscode/versions.mjs').NpmVsCode} pinned
   * @param {string} folder for its data
   * @param {string} workspace
   */
  constructor(pinned, folder, workspace) {
    this.pinned = pinned;
    this.folder = folder;
    this.workspace = workspace;
    this.extensions = join(folder, 'extensions');
    /** The file through which suites pass results to later ones and to us (test/suites/installed/facts.ts). */
    this.facts = join(folder, 'facts.json');
    mkdirSync(folder, { recursive: true });
    writeFileSync(this.facts, '{}');
  }

  /** @param {string[]} args */
  manage(...args) {
    return extensionCommand(this.pinned, this.folder, args);
  }

  /** @param {string[]} expected `id@version` */
  async expectInstalled(...expected) {
    const printed = await this.manage('--list-extensions', '--show-versions');
    const found = printed.split('\n').filter((line) => /^[\w-]+\.[\w-]+@/.test(line));
    if (found.join() !== expected.join()) {
      throw new Error(`Expected ${expected.join(', ') || 'nothing'} to be installed, found:\n${printed}`);
    }
  }

  /**
   * Opens a window that runs suites, which leave an agent running. Then VS Code ends the extension host, as when a window
   * is closed, and no process of the extension may remain although the server keeps running.
   * @param {string[]} suites of test/suites/installed
   * @param {NodeJS.ProcessEnv} env
   */
  async runSuites(suites, env) {
    const compiled = join(repository, 'out', 'suites');
    const debuggingPort = await freePort();
    const server = await startServer({
      pinned: this.pinned,
      dataFolder: this.folder,
      flags: { 'enable-smoke-test-driver': true, 'disable-workspace-trust': true },
      env: {
        ...env,
        AGENT_LOGS_CDP: `http://127.0.0.1:${debuggingPort}`,
        AGENT_LOGS_EXTENSIONS: this.extensions,
        XDG_STATE_HOME: join(this.folder, 'state'), // not the developer's own tap journals
        AGENT_LOGS_FACTS: this.facts,
        AGENT_LOGS_SCREENSHOTS: screenshots,
        AGENT_LOGS_SUITES: JSON.stringify(suites.map((name) => join(compiled, 'installed', `${name}.test.js`))),
      },
    });
    const page = await openBrowser(debuggingPort, join(this.folder, 'chromium'));
    const extension = this.emptyExtension();
    const tests = join(compiled, 'index.js');
    const query = testQuery({ extension, tests, folder: this.workspace, userDataFolder: this.folder }, server.port);
    const code = await runTestsIn(page, server, { query, version: this.pinned.version, timeLimit });
    if (code !== 0) throw new Error(`Some tests of ${suites.join(', ')} failed.`);

    await expectGone(this.noted('processes'));
    await page.context().close();
    await server.stop();
  }

  /** @returns {readonly string[]} files that must survive, as listed by the suites */
  kept() {
    const files = this.noted('kept');
    if (files.length === 0) throw new Error('The suites listed no files that must survive.');
    return files;
  }

  /**
   * @template {'processes' | 'kept'} Name
   * @param {Name} name
   * @returns {import('../../test/suites/installed/facts').Facts[Name]}
   */
  noted(name) {
    /** @type {unknown} */
    const parsed = JSON.parse(readFileSync(this.facts, 'utf8'));
    return /** @type {import('../../test/suites/installed/facts').Facts} */ (parsed)[name];
  }

  /** Only windows that develop an extension run tests, so this one develops an empty one. */
  emptyExtension() {
    const folder = join(this.folder, 'empty');
    mkdirSync(folder, { recursive: true });
    const manifest = { name: 'empty', publisher: 'agent-logs-test', version: '1.0.0', engines: { vscode: '^1.105.0' } };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    return folder;
  }
}
