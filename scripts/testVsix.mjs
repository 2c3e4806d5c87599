// @ts-check
// `npm run test:vsix`: installs the packaged extension into VS Code over an older version, and uninstalls it while an agent runs.
// Requires VS Code from npm, which runs on Linux.
//
//   AGENT_LOGS_HOST=npm   also runs on other systems; `desktop` skips the test
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkVsix } from './package/checks.mjs';
import { buildProduction, makeVsix, ownVersion } from './package/vsix.mjs';
import { InstalledVsCode } from './vsix/installedVsCode.mjs';
import { chromiumPath } from './vscode/chromium.mjs';
import { forgetOuterVsCode } from './vscode/environment.mjs';
import { step } from './vscode/exec.mjs';
import { install } from './vscode/install.mjs';
import { repository } from './vscode/paths.mjs';
import { endAll } from './vscode/processes.mjs';
import { newest } from './vscode/versions.mjs';

const id = 'agent-logs.agent-logs';
const previousVersion = '0.0.1';

/** The reason to skip the test, if there is one. */
function whyNot() {
  const host = process.env['AGENT_LOGS_HOST'] ?? '';
  if (host === 'desktop') return 'AGENT_LOGS_HOST is desktop';
  if (host === '' && process.platform !== 'linux') {
    return `on ${process.platform} it is used only with AGENT_LOGS_HOST=npm`;
  }
  return undefined;
}

/**
 * @param {string} folder
 * @returns {Promise<void>}
 */
async function testIn(folder) {
  const previous = join(folder, 'previous.vsix');
  const current = join(folder, 'current.vsix');
  await step(`Packaging ${ownVersion()}, and the same as ${previousVersion}`, async () => {
    await buildProduction();
    await makeVsix(previous, { version: previousVersion });
    await makeVsix(current);
  });
  const problems = await checkVsix(current);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const workspace = join(folder, 'bookshop');
  cpSync(join(repository, 'test', 'workspace'), workspace, { recursive: true });
  const vsCode = new InstalledVsCode(newest, join(folder, 'vscode'), workspace);

  await step(`Installing ${previousVersion}`, () => vsCode.manage('--install-extension', previous));
  await vsCode.expectInstalled(`${id}@${previousVersion}`);
  await vsCode.runSuites(['previous'], { AGENT_LOGS_VERSION: previousVersion });
  const kept = vsCode.kept();
  const before = kept.map((file) => readFileSync(file, 'utf8'));

  await step(`Upgrading to ${ownVersion()}`, () => vsCode.manage('--install-extension', current));
  await vsCode.expectInstalled(`${id}@${ownVersion()}`);
  await vsCode.runSuites(['upgraded', 'recorded', 'uninstalled'], { AGENT_LOGS_VERSION: ownVersion() });
  await vsCode.expectInstalled();
  for (const [index, file] of kept.entries()) {
    if (readFileSync(file, 'utf8') !== before[index]) throw new Error(`${file} is no longer what it was.`);
  }
  console.log(`No process was left, and these files are unchanged:\n  ${kept.join('\n  ')}`);
}

async function main() {
  const reason = whyNot();
  if (reason !== undefined) {
    console.log(`Skipped the test of the installed VSIX: it requires VS Code from npm, and ${reason}.`);
    return;
  }
  forgetOuterVsCode();
  await chromiumPath();
  await install(newest);
  const folder = mkdtempSync(join(tmpdir(), 'agent-logs-vsix-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  // Sockets and browser files are deleted with the folder.
  process.env['TMPDIR'] = join(folder, 'tmp');
  mkdirSync(process.env['TMPDIR']);
  await testIn(folder);
}

try {
  await main();
  await endAll(0);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  await endAll(1);
}
