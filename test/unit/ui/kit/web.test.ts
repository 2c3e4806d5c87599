import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleProgram } from '../../../support/bundle';

interface Manifest {
  readonly browser: string;
  readonly contributes: { readonly commands: readonly { command: string }[] };
}

interface WebExtension {
  readonly activate: (context: object) => void;
}

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
const commands = manifest.contributes.commands.map(({ command }) => command);

/** Runs the bundle for browsers with nothing but `vscode` to import. */
async function load(vscode: object): Promise<WebExtension> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-logs-web-'));
  const source = await readFile(await bundleProgram('web', folder), 'utf8');
  await rm(folder, { recursive: true });
  const module = { exports: {} };
  const require = (name: string): object => {
    assert.equal(name, 'vscode');
    return vscode;
  };
  runInNewContext(source, { module, exports: module.exports, require });
  return module.exports as WebExtension;
}

describe('in a browser', () => {
  it('is packaged under the name of the manifest', () => {
    assert.equal(manifest.browser, './dist/web.js');
    assert.ok(readFileSync('.vscodeignore', 'utf8').split('\n').includes('!dist/web.js'));
  });

  it('says once what it needs, and again for every command', async () => {
    const told: string[] = [];
    const registered = new Map<string, () => void>();
    const memory = new Map<string, unknown>();
    const { activate } = await load({
      l10n: { t: (text: string) => text },
      window: {
        showInformationMessage: (text: string): Promise<undefined> => {
          told.push(text);
          return Promise.resolve(undefined);
        },
      },
      commands: { registerCommand: (id: string, run: () => void) => registered.set(id, run) },
    });
    const begin = (): void =>
      activate({
        extension: { packageJSON: manifest },
        globalState: {
          get: (key: string) => memory.get(key),
          update: (key: string, value: unknown) => Promise.resolve(memory.set(key, value)),
        },
        subscriptions: [],
      });
    begin();
    assert.equal(told.length, 1);
    assert.match(told[0] ?? '', /can't run agents in a browser\. Open this folder in VS Code on the desktop/);
    assert.deepEqual([...registered.keys()], commands);
    begin();
    assert.equal(told.length, 1, 'the person knows');
    registered.get('agentLogs.startSampleAgent')?.();
    assert.equal(told.length, 2);
  });
});
