import assert from 'node:assert/strict';
import type { Run } from '../../../../src/live/run';
import type { JournalWriter } from '../../../../src/wire/journal/journalWriter';
import { McpHttpServer } from '../../../support/mcpHttpServer';
import type { TestRunOptions } from '../../../support/testRun';
import { ended, start, TestRuns } from '../../../support/testRun';
import { textOf } from '../../../support/wireNotes';

/** A journal with a bug: every call fails. */
function brokenJournal(): JournalWriter {
  const fail = (): never => {
    throw new Error('a bug on a line with hunter22');
  };
  const rest = { stopWaiting: () => undefined, isBehind: false, close: () => Promise.resolve() };
  return { ...rest, write: fail } as Partial<JournalWriter> as JournalWriter;
}

describe('an internal error during a run', () => {
  const runs = TestRuns.ofSuite();
  let faults: Error[];
  let options: TestRunOptions;
  beforeEach(() => {
    faults = [];
    options = { journal: brokenJournal(), onFault: (error) => faults.push(error) };
  });

  /** Checks that each place is reported once, with what failed. */
  function check(...places: readonly string[]): void {
    const told = faults.map(({ message }) => /failed to handle (.+) \S+\. The run goes on/.exec(message)?.[1]);
    assert.deepEqual(told.sort(), [...places].sort());
    assert.ok(faults.every(({ cause }) => /^Error: a bug on a line with .*\n +at /.test(String(cause))));
  }

  it('is reported once per place, and an ACP agent still gets its answers', async () => {
    const run = await runs.start('setsLevel', options);
    assert.deepEqual(await run.prompt(await run.newSession(), 'Go.'), { stopReason: 'end_turn' });
    check('process events of', 'messages from', 'messages to');
  });

  it("doesn't block responses of an MCP server, over stdio and HTTP", async () => {
    const run = await runs.start('mcp-server', options);
    assert.equal(textOf(await run.callTool('echo', { text: 'a' })), '{"text":"a"}');
    check('process events of', 'messages from', 'messages to');
    faults = [];
    const server = await McpHttpServer.start();
    const remote: Run = runs.createRemote(server.url, options);
    await start(remote);
    assert.equal(textOf(await remote.callTool('echo', { text: 'a' })), '{"text":"a"}');
    check('process events of', 'messages from', 'messages to');
    await remote.stop();
    await server.close();
  });

  it('is reported for a stream and for stderr', async () => {
    const script = 'console.log("{}\\n{}"); console.error("a\\nb")';
    const run = runs.create('stream-claude', { ...options, spec: { args: ['-e', script] } });
    await start(run);
    if (run.state.type !== 'ended') await ended(run);
    check('process events of', 'messages from', 'standard error of');
  });

  it('is reported without secrets', async () => {
    const redactor = { line: (text: string): string => text.replaceAll('hunter22', '[redacted]') };
    await runs.start('setsLevel', { ...options, redactor });
    assert.ok(faults.length > 0 && faults.every(({ cause }) => String(cause).includes('with [redacted]')));
  });
});
