import { registered } from '../../../../support/vscodeStub';
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commandLink } from '../../../../../src/text/markdown';
import { t } from '../../../../../src/text/translator';
import { HumanError } from '../../../../../src/text/humanError';
import { Cancelled, Dismissed } from '../../../../../src/time/waiting';
import { agentTarget } from '../../../../../src/ui/kit/commandTarget';
import type { CommandServices } from '../../../../../src/ui/surfaces/commands/commandContext';
import { registerCommands } from '../../../../../src/ui/surfaces/commands/registerCommands';
import { commandIds } from '../../../../../src/ui/manifest/commands';

describe('commands', () => {
  const failure = new HumanError(t('It failed.'));
  let outcome: (arg: unknown) => Promise<unknown>;
  let reported: unknown[];
  const services = {
    runs: { latestOf: () => undefined },
    levels: { onDidTakeFromGear: () => ({ dispose: () => undefined }) },
    errors: { report: (error: unknown) => Promise.resolve(void reported.push(error)) },
  } as unknown as CommandServices;
  const commands = registerCommands(services, () => Promise.resolve((_id: string, arg: unknown) => outcome(arg)));
  after(() => commands.dispose());
  beforeEach(() => {
    reported = [];
    outcome = () => Promise.reject(failure);
  });

  const call = async (...args: readonly unknown[]): Promise<unknown> => {
    const run = registered.get(commandIds.openFile) ?? assert.fail();
    return await run(...args);
  };
  const file = vscode.Uri.file('/a.ndjson');
  const row = agentTarget('Mine');
  const clicks: readonly (readonly [what: string, ...args: readonly unknown[]])[] = [
    ['the palette'],
    ['a shortcut without a row', null],
    ['a row', row, undefined],
    ['rows that are selected', row, [row, agentTarget('Other')]],
    ['a file in the Explorer', file, [file]],
    ['the tab of an editor', file, { groupId: 0, editorIndex: 0 }],
    ['the title of a page', vscode.Uri.from({ scheme: 'webview-panel', path: '/x' }), { groupId: 0 }],
    ['a link in a tooltip', ...argumentsOf(commandLink('Open', commandIds.openFile, { runId: 'x' }))],
    ['a row of a page', { webview: 'agentLogs.explorer', webviewSection: 'record', seq: 1 }],
  ];

  it('show their errors if they were started by a click', async () => {
    for (const [what, ...args] of clicks) {
      assert.equal(await call(...args), undefined, what);
      assert.deepEqual(reported.splice(0), [failure], what);
    }
  });

  it('act on the target of a row', async () => {
    outcome = (arg) => Promise.resolve(arg);
    assert.equal(await call({ id: 'agent:Mine', target: row }, undefined), row);
    const others = [{ target: 'Mine' }, file];
    for (const arg of others) assert.equal(await call(arg), arg);
  });

  it('throw their errors to a caller with an argument of its own', async () => {
    for (const arg of [file, { runId: 'x' }, 'Mine', { uri: file }]) await assert.rejects(call(arg), failure);
    assert.deepEqual(reported, []);
    outcome = () => Promise.reject(new Cancelled());
    await assert.rejects(call({ runId: 'x' }), Cancelled);
  });

  it('end without an error if the user closes a picker', async () => {
    outcome = () => Promise.reject(new Dismissed());
    for (const args of [[], [row], [file, [file]], [file], [{ agent: 'Mine' }], ['Mine']]) {
      assert.equal(await call(...args), undefined);
    }
    assert.deepEqual(reported, []);
  });

  it('open each of several files, and report those that fail', async () => {
    const files = ['/a', '/b', '/c'].map((path) => vscode.Uri.file(path));
    outcome = (arg) => (arg === files[1] ? Promise.reject(failure) : Promise.resolve((arg as vscode.Uri).path));
    assert.deepEqual(await call(files[0], files), ['/a', undefined, '/c']);
    assert.deepEqual(reported, [failure]);
  });
});

/** What VS Code passes to the command of a link. */
function argumentsOf(link: string): readonly unknown[] {
  const [, query = ''] = /\?(.*)\)$/.exec(link) ?? assert.fail(link);
  return JSON.parse(decodeURIComponent(query)) as unknown[];
}
