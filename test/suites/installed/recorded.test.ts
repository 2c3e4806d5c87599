import * as assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Run } from '../../../api/agent-logs';
import { sharedData } from '../../support/sharedData';
import { agentLogs, execute } from '../support';
import { assertInstalled, id, startSample } from './installed';

/** Sent by **Start Sample Agent**. */
const prompt = 'Hello';

interface Result {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the package's command line as a terminal does, without anything of VS Code. */
function inTerminal(args: readonly string[], input = ''): Promise<Result> {
  const program = join(vscode.extensions.getExtension(id)?.extensionPath ?? '', 'dist', 'cli.js');
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [program, ...args], { env: { PATH, HOME, ELECTRON_RUN_AS_NODE: '1' } });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** The client's prompts come when it sends them, so they are compared apart from what the agent said. */
function shown(run: Run): readonly (readonly string[])[] {
  const records = run.records({ kinds: ['log', 'activity'] });
  const texts = (all: typeof records): string[] =>
    all.map(({ level, message }) => `${level} ${message.replace(/\d+ ms/, '')}`);
  const isPrompt = ({ logger }: { logger?: string }): boolean => logger === 'prompt';
  return [texts(records.filter(isPrompt)), texts(records.filter((record) => !isPrompt(record)))];
}

describe('The installed package, with a recorded run', () => {
  let recorded: Run;
  let journal: string;
  let folder: string;

  before(async () => {
    assertInstalled();
    folder = mkdtempSync(join(tmpdir(), 'recorded-'));
    recorded = await startSample();
    await recorded.stop();
    journal = recorded.journal?.fsPath ?? '';
  });

  after(() => rmSync(folder, { recursive: true }));

  it('shares it as an HTML file, in the window and in a terminal', async () => {
    const uri = vscode.Uri.file(join(folder, 'run.html'));
    const include = ['prompts', 'answers', 'tools', 'wire', 'stderr'];
    await execute('agentLogs.share', { runId: recorded.id, uri, include });
    const { code, stdout, stderr } = await inTerminal(['share', journal]);
    assert.deepEqual([code, stderr], [0, '']);
    for (const html of [readFileSync(uri.fsPath, 'utf8'), stdout]) {
      assert.match(html, /^<!DOCTYPE html>[^]*<\/html>\n/);
      assert.ok(sharedData(html).some((text) => text.includes(prompt)));
    }
  });

  it('replays it as an agent of the window', async () => {
    const runId = await execute<string>('agentLogs.replayRun', { runId: recorded.id });
    const run = (await agentLogs()).runs.find((one) => one.id === runId);
    assert.ok(run);
    const { stopReason } = await run.prompt(await run.newSession(), prompt);
    assert.equal(stopReason, 'end_turn');
    await run.stop();
    assert.deepEqual(shown(run), shown(recorded));
  });

  it('replays it in a terminal', async () => {
    const lines = readFileSync(journal, 'utf8').trimEnd().split('\n').slice(1);
    const events = lines.map((line) => JSON.parse(line) as { dir: string; msg?: { id?: unknown; result?: unknown } });
    const sent = events.flatMap(({ dir, msg }) => (dir === 'c2a' && msg ? [msg] : []));
    const input = sent.map((message) => `${JSON.stringify(message)}\n`).join('');
    const { code, stdout } = await inTerminal(['replay', journal, '--speed', 'max'], input);
    assert.equal(code, 0);
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id?: unknown; result?: unknown });
    const recordedAnswers = events.flatMap(({ dir, msg }) => (dir === 'a2c' && msg?.result !== undefined ? [msg] : []));
    assert.ok(recordedAnswers.length >= 3);
    for (const { id: answered, result } of recordedAnswers) {
      assert.deepEqual(answers.find((one) => one.id === answered && one.result !== undefined)?.result, result);
    }
    const other = { jsonrpc: '2.0', id: 1, method: 'session/list', params: {} };
    const refused = await inTerminal(['replay', journal, '--speed', 'max'], `${JSON.stringify(other)}\n`);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /Not in the recording: session\/list/);
  });

  it('checks it in a terminal', async () => {
    const checks = join(folder, 'agent-logs.checks.json');
    writeFileSync(checks, JSON.stringify({ run: journal, checks: [{ spans: 'kind:turn status:ok' }] }));
    const passed = await inTerminal(['check', checks]);
    assert.deepEqual([passed.code, passed.stderr], [0, '']);
    const failed = await inTerminal(['check', journal, '--spans', 'kind:turn', '--max', '0']);
    assert.equal(failed.code, 1);
    assert.match(failed.stdout, /1 of 1 check failed/);
  });
});
