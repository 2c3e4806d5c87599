import assert from 'node:assert/strict';
import type { AcpClientOptions } from '../../../src/live/acp/acpClient';
import type { Run } from '../../../src/live/run';
import type { LogRecord } from '../../../src/text/record';
import { linesOf, recordOf, TestRuns } from '../../support/testRun';

/** An agent that answers `initialize`, then writes what its argument says. */
const writer = `
const { createInterface } = require('node:readline');
const send = (fields) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...fields }) + '\\n');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method !== 'initialize') return;
  send({ id, result: { protocolVersion: 1 } });
  eval(process.argv[1]);
});`;

describe('a run of a hostile agent', () => {
  const runs = TestRuns.ofSuite();

  const start = (script: string, askPermission?: AcpClientOptions['askPermission']): Promise<Run> =>
    runs.start('silent', {
      spec: { args: ['-e', writer, script] },
      client: { version: 1, ...(askPermission && { askPermission }) },
    });
  const isAfter = ({ message }: LogRecord): boolean => message === 'after';

  it('continues after an endlessly nested line', async () => {
    const run = await start(`
      const deep = '['.repeat(9000) + ']'.repeat(9000);
      const content = '{"type":"content","content":'.repeat(9000) + '{}' + '}'.repeat(9000);
      process.stdout.write('{"id":7,"error":' + deep + '}\\n' + '{"method":"log","params":{"message":"m","data":' + deep + '}}\\n');
      process.stdout.write('{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","content":[' + content + ']}}}\\n');
      send({ method: 'log', params: { message: 'after' } });`);
    await recordOf(run, isAfter);
    assert.equal((await run.stop()).reason, 'completed');
  });

  it('continues with a response and a request over the log limit, and distinguishes nested IDs', async () => {
    let input: unknown;
    const askPermission: AcpClientOptions['askPermission'] = (request) => {
      ({ input } = request);
      return Promise.resolve('yes');
    };
    const run = await runs.start('longAnswers', { client: { askPermission } });
    assert.deepEqual(await run.prompt(await run.newSession(), 'Go.'), { stopReason: 'end_turn' });
    assert.deepEqual(input, { text: 'x'.repeat(2 * 1024 * 1024) });
    assert.deepEqual(run.log.requests, []);
    assert.ok(linesOf(run).some((line) => line.includes('{"outcome":{"outcome":"selected","optionId":"yes"}}')));
    assert.deepEqual(linesOf(run, 'diagnosis'), []);
  });

  it('answers a request over the message limit with an error, and fails on such a response', async () => {
    const limits = { maxLineBytes: 64 * 1024, maxMessageBytes: 1024 * 1024 };
    const run = await runs.start('longAnswers', { limits });
    const sent: string[] = [];
    run.onEvent((event) => event.dir === 'c2a' && sent.push(event.line));
    const over = /has 2097\d{3} bytes, over the limit of 1048576 bytes/;
    await assert.rejects(run.prompt(await run.newSession(), 'Go.'), over);
    const [refusal = ''] = sent.filter((line) => line.includes('"error"'));
    assert.match(refusal, over);
    assert.equal((JSON.parse(refusal) as { id: unknown }).id, 1);
    assert.deepEqual(run.log.requests, []);
  });

  it('lets no notification settle its own request, however long or nested', async () => {
    const run = await start(`
      send({ method: 'log', params: { data: { id: 42 }, message: 'x'.repeat(1100000) } });
      send({ method: 'log', params: { message: 'after' } });`);
    const sent: unknown[] = [];
    run.onEvent((event) => event.dir === 'c2a' && sent.push(event.msg));
    await recordOf(run, isAfter);
    await new Promise(setImmediate);
    assert.deepEqual(sent, []);
  });

  it('bounds sessions, and files the rest together', async () => {
    const run = await start(`
      for (let i = 0; i < 3000; i++) send({ method: 'log', params: { sessionId: 's' + i, message: 'm' } });
      send({ method: 'log', params: { sessionId: 'x'.repeat(10000), message: 'after' } });`);
    await recordOf(run, isAfter);
    assert.equal(run.log.sessions.length, 1001);
    assert.equal(run.log.find('other sessions')?.counts.info, 2001);
  });

  it('bounds the questions shown to the user, and keeps none of them', async () => {
    let asked = 0;
    const script = `
      const options = [{ optionId: 'no', name: 'No', kind: 'reject_once' }];
      for (let id = 0; id < 500; id++) send({ id, method: 'session/request_permission', params: { sessionId: 's', options } });
      send({ method: 'log', params: { message: 'after' } });`;
    const run = await start(script, () => {
      asked++;
      return new Promise(() => undefined);
    });
    await recordOf(run, isAfter);
    assert.equal(asked, 20);
  });

  it('shows what an agent says even if it never ends its message', async () => {
    const run = await start(`
      const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'thinking' } };
      send({ method: 'session/update', params: { sessionId: 's', update } });`);
    await recordOf(run, ({ message }) => message === 'thinking');
    assert.ok(linesOf(run).includes('info agent: thinking'));
  });
});
