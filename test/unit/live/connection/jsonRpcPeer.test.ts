import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { JsonRpcPeer } from '../../../../src/live/connection/jsonRpcPeer';
import { FlowControl } from '../../../../src/wire/flowControl';
import { lineFraming } from '../../../../src/wire/lines/framing';
import { JsonRpcReader } from '../../../../src/wire/jsonRpcReader';
import { JsonRpcWriter } from '../../../../src/wire/jsonRpcWriter';

/** A peer, and the pipes of its agent. */
function piped(): { readonly peer: JsonRpcPeer; readonly input: PassThrough; readonly output: PassThrough } {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const flow = new FlowControl();
  const common = { framing: lineFraming, now: () => 0, onMessage: () => undefined, flow };
  const reader = new JsonRpcReader(input, {
    ...common,
    maxLineBytes: 1e6,
    maxMessageBytes: 1e6,
    onSlice: () => undefined,
    forClient: () => undefined,
    refuse: () => undefined,
    onLineError: (error) => {
      throw error;
    },
  });
  const peer = new JsonRpcPeer({ reader, writer: new JsonRpcWriter(output, common), flow }, 'Agent');
  peer.connection.listen();
  return { peer, input, output };
}

/** The response that a peer accepts when its agent sends these lines in one chunk. */
function answered(lines: readonly string[], method = 'session/new', params?: object): Promise<unknown> {
  const { peer, input, output } = piped();
  output.once('data', () => input.write(`${lines.join('\n')}\n`));
  return peer.request(method, params).finally(() => peer.dispose());
}

describe('responses of an agent', () => {
  it('are the first for their request, whatever else arrives', async () => {
    const right = '{"id":0,"result":"right"}';
    const text = '{"id":"0","result":"a text"}';
    const again = '{"id":0,"error":{"code":1,"message":"again"}}';
    const chunks = [`${right}|${again}`, `${right}|${text}`, `${text}|${right}`];
    for (const lines of chunks) assert.equal(await answered(lines.split('|')), 'right');
  });

  it('show the reason of an error even if only its data has it', async () => {
    const error = { code: -32603, message: 'Internal error', data: { details: 'the process\nexited' } };
    await assert.rejects(answered([JSON.stringify({ id: 0, error })]), {
      name: 'AgentError',
      message: 'Agent refused session/new: the process exited',
      code: -32603,
      agentMessage: 'Internal error',
    });
  });

  it('shorten a session ID that an error repeats', async () => {
    const sessionId = '01a2028a-3c04-7de2-96c3-2eb5b93b6146';
    const error = { code: -32603, message: `no rollout found for thread id ${sessionId}` };
    const resumed = answered([JSON.stringify({ jsonrpc: '2.0', id: 0, error })], 'session/resume', { sessionId });
    const message = 'Agent refused session/resume: no rollout found for thread id …b93b6146';
    await assert.rejects(resumed, { message });
  });
});

describe('requests of an agent', () => {
  it('fail if the response is nested too deeply to be sent', async () => {
    const { peer, input, output } = piped();
    let deep: unknown = 1;
    for (let n = 0; n < 20_000; n++) deep = [deep];
    peer.connection.onRequest('ask', () => deep);
    const answer = new Promise<Buffer>((resolve) => output.once('data', resolve));
    input.write('{"jsonrpc":"2.0","id":"a","method":"ask"}\n');
    const error = { code: -32603, message: 'The message is nested too deep to be sent.' };
    assert.deepEqual(JSON.parse((await answer).toString()), { jsonrpc: '2.0', id: 'a', error });
    await assert.rejects(peer.request('session/new', deep), /nested too deep to be sent/);
    peer.dispose();
  });

  it('are answered with their own ID, number or string', async () => {
    const { peer, input, output } = piped();
    peer.connection.onRequest('echo', ({ text }: { text: string }) => text);
    const answers: string[] = [];
    output.on('data', (data: Buffer) => {
      for (const line of data.toString().trim().split('\n')) {
        const { id, result } = JSON.parse(line) as { id: unknown; result: unknown };
        answers.push(`${JSON.stringify(id)} ${String(result)}`);
      }
    });
    const ask = (id: unknown, text: string): boolean =>
      input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'echo', params: { text } })}\n`);
    for (const [n, id] of [1, '1', 2, '2', '2', 1].entries()) ask(id, `${n}`);
    while (answers.length < 4) await new Promise((resolve) => setImmediate(resolve));
    ask('1', 'again');
    while (answers.length < 5) await new Promise((resolve) => setImmediate(resolve));
    peer.dispose();
    // The second "2" and the second 1 arrived while the first were still pending.
    assert.deepEqual(answers.slice(0, 4).sort(), ['"1" 1', '"2" 3', '1 0', '2 2']);
    assert.equal(answers[4], '"1" again');
  });
});
