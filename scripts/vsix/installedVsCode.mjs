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

/** Seconds that the suites of one window may take. */
const timeLimit = 180;

/** A VS Code from npm, into which extensions are installed as a person does; it keeps what it wrote from one window to the next. */
export class InstalledVsCode {
  /**
   * @param {import('../vscode/versions.mjs').NpmVsCode} pinned
   * @param {string} folder for whatever it writes
   * @param {string} workspace
   */
  constructor(pinned, folder, workspace) {
    this.pinned = pinned;
    this.folder = folder;
    this.workspace = workspace;
    this.extensions = join(folder, 'extensions');
    /** What suites tell those after them, and us: test/suites/installed/facts.ts. */
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
      throw new Error(`Installed should be ${expected.join(', ') || 'nothing'}, and is:\n${printed}`);
    }
  }

  /**
   * Opens a window that runs suites; they leave an agent running. After its tests VS Code ends the extension host, as it does when a window
   * is closed: nothing of the extension may be left, although the server goes on.
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
        XDG_STATE_HOME: join(this.folder, 'state'), // what the taps of whoever runs this have written is theirs
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
    if (code !== 0) throw new Error(`Not all of the suites ${suites.join(', ')} passed.`);

    await expectGone(this.noted('processes'));
    await page.context().close();
    await server.stop();
  }

  /** @returns {readonly string[]} the files that suites say must be kept */
  kept() {
    const files = this.noted('kept');
    if (files.length === 0) throw new Error('The suites named no file that must be kept.');
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

  /** Only a window that develops an extension runs tests: it develops one that does nothing. */
  emptyExtension() {
    const folder = join(this.folder, 'empty');
    mkdirSync(folder, { recursive: true });
    const manifest = { name: 'empty', publisher: 'agent-logs-test', version: '1.0.0', engines: { vscode: '^1.100.0' } };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    return folder;
  }
}
