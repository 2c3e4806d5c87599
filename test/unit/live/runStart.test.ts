import { verbatim } from '../../../src/text/translator';
import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import type { Run } from '../../../src/live/run';
import type { Protocol } from '../../../src/wire/protocol';
import { Cancelled } from '../../../src/time/waiting';
import { isWindows } from '../../support/platform';
import { useFolder } from '../../support/tempFolder';
import { startNoting } from '../../support/wireNotes';
import { human, ended, isAlive, linesOf, recordOf, start, TestRuns } from '../../support/testRun';

describe('a starting run', () => {
  const runs = TestRuns.ofSuite();
  const folder = useFolder();
  /** An agent that runs this script. */
  const running = (script: string): { spec: { args: string[] } } => ({ spec: { args: ['-e', script] } });
  const startsOf = (run: Run): number => linesOf(run).filter((line) => line.includes('started ')).length;

  it('is running once initialize is answered', async () => {
    const run = await runs.start('ignoresCancel');
    assert.equal(run.state.type, 'running');
    const [greeting] = run.log.store.query({ kinds: ['lifecycle'], text: 'initialized' });
    assert.match(greeting?.message ?? '', /^initialized in [\d.]+ m?s: fake 0, protocol version 1$/);
  });

  it('declares the level twice, and no logging if the level is off', async () => {
    const declared = async (level: 'debug' | 'off'): Promise<unknown> => {
      const { wire } = await startNoting(runs.create('levelDeaf', { level }));
      return wire.sent('initialize')[0]?.params?.['clientCapabilities'];
    };
    const fs = { readTextFile: false, writeTextFile: false };
    const common = { fs, terminal: false, session: { notices: {}, compaction: {} }, subagents: {} };
    const logging = { level: 'debug' };
    const asked = { ...common, logging, _meta: { 'agent-logs': { logging } } };
    assert.deepEqual([await declared('debug'), await declared('off')], [asked, common]);
  });

  it('reports that the command was not found', async () => {
    const run = runs.create('silent', { spec: { command: 'no-such-agent' } });
    await assert.rejects(start(run), human(/^The command 'no-such-agent' was not found\. Install it/));
    assert.equal(run.state.type, 'ended');
    assert.deepEqual(linesOf(run, 'lifecycle').length, 1);
  });

  it("reports that the folder doesn't exist", async () => {
    const run = runs.create('silent', { spec: { cwd: '/no/such/folder' } });
    await assert.rejects(start(run), human(/^The folder \/no\/such\/folder doesn't exist\. Correct `cwd`/));
  });

  it("reports that the file isn't executable", async () => {
    const file = folder.in('agent');
    writeFileSync(file, '#!/bin/sh\n');
    chmodSync(file, 0o600);
    const remedy = isWindows
      ? /isn't executable\. .*in agentLogs\.agents, set the program that runs it\.$/
      : /isn't executable\. .*the program that runs it in agentLogs\.agents\.$/;
    await assert.rejects(start(runs.create('silent', { spec: { command: file } })), human(remedy));
  });

  it('reports how an agent exited immediately, and its last output', async () => {
    const run = runs.create('crashesAtOnce');
    const how = human(/^crashesAtOnce exited with code 3 before it answered `initialize`\. Last output: \S/);
    await assert.rejects(start(run), how);
    assert.equal(run.state.type === 'ended' && run.state.termination.reason, 'error');
    assert.equal(startsOf(run), 1);
  });

  it('reports the reason that an agent printed before it exited, also in its termination', async () => {
    const run = runs.create('silent', running('console.log("Error: no disk"); process.exitCode = 1'));
    const how = human(/^silent exited with code 1 before it answered `initialize`\. Output: "Error: no disk"\.$/);
    await assert.rejects(start(run), how);
    const cause = { what: verbatim('Error: no disk'), by: 'stdout' };
    assert.deepEqual(run.state.type === 'ended' && run.state.termination.cause, cause);
  });

  it('reports how an agent exited that gave no reason', async () => {
    const how = /^silent exited with code 0 before it answered `initialize`\. It printed nothing to stderr\. Run the/;
    await assert.rejects(start(runs.create('silent', running(''))), human(how));
  });

  it('says what it is waiting for, and stops an agent that never answers', async () => {
    const run = runs.create('silent', { limits: { initializeTimeout: 300, waitingNotice: 100 } });
    const waited: number[] = [];
    const token = new CancellationTokenSource().token;
    const starting = run.start({ token, onWaiting: (ms) => waited.push(ms) });
    await assert.rejects(starting, human(/didn't answer `initialize` within 300 ms/));
    assert.deepEqual(waited.slice(0, 2), [100, 200]);
    assert.ok(linesOf(run).includes('notice still waiting for the answer to initialize, for 100 ms'));
    assert.equal(run.state.type, 'ended');
    assert.equal(isAlive(run.pid!), false);
  });

  it("stops waiting if the response can't be read, and says what is wrong with it", async () => {
    const answer = (id: string, ...layout: string[]): string =>
      `JSON.stringify({ jsonrpc: "2.0", id: ${id}, result: {} }${layout.join('')})`;
    const answers: [string, RegExp][] = [
      [answer('m.id', ', null, 2'), /: its message spans several lines\. Bug/],
      [answer('m.id + 7'), /: its answer has the ID \d+, which no request has/],
      [answer('String(m.id)'), /: its answer has the ID "\d+", which no/],
      [
        '"Content-Length: 40\\r\\n\\r\\n{"',
        /: it puts a header before its messages, as language servers do\. If it is/,
      ],
    ];
    const failing = answers.map(async ([printed, why]) => {
      const script = `process.stdin.on('data', (d) => { const m = JSON.parse(String(d).split('\\n')[0]); console.log(${printed}); })`;
      const run = runs.create('silent', running(script));
      const message = new RegExp(`^silent answered \`initialize\`, but the answer can't be read.*${why.source}`);
      await assert.rejects(start(run), human(message));
      assert.equal(run.state.type, 'ended');
    });
    await Promise.all(failing);
  });

  it('tolerates an agent that is only noisy before it answers', async () => {
    const script = `process.stdin.once('data', (d) => {
      const { id } = JSON.parse(String(d).split('\\n')[0]);
      console.log('{\\n  "level": "info"\\n}');
      console.log(JSON.stringify({ jsonrpc: '2.0', id: 'other', result: {} }));
      setTimeout(() => console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { protocolVersion: 1 } })), 300);
    })`;
    const run = await runs.start('silent', running(script));
    assert.equal(run.state.type, 'running');
  });

  it('ends when the user cancels, and notifies the agent', async () => {
    const run = runs.create('silent');
    const source = new CancellationTokenSource();
    const starting = start(run, source);
    await recordOf(run, ({ message }) => message.startsWith('started'));
    source.cancel();
    await assert.rejects(starting, Cancelled);
    assert.ok(linesOf(run).some((line) => line.includes('cancel asked for: initialize')));
    assert.equal(run.state.type, 'ended');
  });

  it('ends when it is stopped while starting', async () => {
    const run = runs.create('silent');
    const starting = start(run);
    const stopped = run.stop();
    await assert.rejects(starting, Cancelled);
    assert.equal((await stopped).terminatedBy, 'client');
  });

  it('reports that the agent uses another version', async () => {
    const run = runs.create('wrongVersion', { client: { version: 1 } });
    const how = human(/speaks version 2 of the Agent Client Protocol; Agent Logs speaks version 1/);
    await assert.rejects(start(run), how);
    assert.equal(run.state.type, 'ended');
  });

  for (const how of ['error', 'hang', 'refuse', 'exit', 'crash']) {
    it(`works with an agent that knows only version 1 and one initialize: ${how}`, async () => {
      const run = await runs.start('onlyVersion1', { args: [how] });
      assert.equal(run.state.type, 'running');
      assert.equal(run.canCloseSessions, true);
      assert.deepEqual(await run.prompt(await run.newSession(), 'Go.'), { stopReason: 'end_turn' });
      const isRestarted = how === 'exit' || how === 'crash';
      const problems = run.log.store.query({ kinds: ['diagnosis'] }).map(({ level, logger }) => [level, logger]);
      assert.deepEqual(problems, isRestarted ? [['notice', 'agent-ended']] : []);
      const warnings = run.log.store.query({ minLevel: 'warning', kinds: ['activity'] });
      assert.equal(warnings.length, how === 'crash' ? 1 : 0);
      assert.equal(linesOf(run).filter((line) => /exited /i.test(line)).length, isRestarted ? 2 : 0);
      assert.equal((await run.stop()).reason, 'completed');
    });
  }

  it('starts an agent once if it exits with code 0 before it answers the repeated initialize', async () => {
    const run = runs.create('onlyVersion1', { args: ['done'] });
    const states: string[] = [];
    run.onDidChangeState(({ type }) => states.push(type));
    await start(run);
    const { reason, exitCode } = await ended(run);
    assert.deepEqual([reason, exitCode, states], ['completed', 0, ['running', 'ended']]);
    assert.equal(startsOf(run), 1);
    assert.deepEqual(run.log.store.query({ kinds: ['diagnosis'] }), []);
  });

  const confusions: [string, Protocol, string, Protocol][] = [
    ['mcp-official', 'acp', 'an MCP server', 'mcp'],
    ['mcp-server', 'acp', 'an MCP server', 'mcp'],
    ['ignoresCancel', 'mcp', 'an ACP agent', 'acp'],
  ];
  for (const [fake, protocol, what, right] of confusions) {
    it(`recognizes an agent of another protocol: ${fake} as ${protocol}`, async () => {
      const run = runs.create(fake, { protocol });
      const message = `${fake} seems to be ${what}. Set "protocol": "${right}" in agentLogs.agents.`;
      await assert.rejects(start(run), { name: 'WrongProtocol', message, remedies: ['settings', 'output'] });
      assert.equal(run.state.type, 'ended');
    });
  }

  it('accepts a slow response, a duplicate one, or split bytes', async () => {
    await runs.start('slowInitialize', { args: ['50'] });
    for (const fake of ['slowInitialize', 'answersTwice', 'crlf']) {
      assert.equal((await runs.start(fake, { args: ['50'] })).state.type, 'running');
    }
    const split = await runs.start('splitUtf8');
    await split.prompt(await split.newSession(), 'Hi');
    assert.ok(linesOf(split).every((line) => !line.includes('\ufffd')));
  });
});
