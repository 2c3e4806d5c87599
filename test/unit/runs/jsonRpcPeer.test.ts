import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { JsonRpcPeer } from '../../../src/runs/jsonRpcPeer';
import { Backlog } from '../../../src/wire/backlog';
import { lineFraming } from '../../../src/wire/framing';
import { JsonRpcReader } from '../../../src/wire/jsonRpcReader';
import { JsonRpcWriter } from '../../../src/wire/jsonRpcWriter';

/** A peer whose agent answers with these lines, in one piece. */
function answered(...lines: readonly string[]): Promise<unknown> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const backlog = new Backlog();
  const common = { framing: lineFraming, now: () => 0, onMessage: () => undefined, backlog };
  const reader = new JsonRpcReader(input, {
    ...common,
    maxLineBytes: 1e6,
    onSlice: () => undefined,
    forClient: () => undefined,
  });
  const peer = new JsonRpcPeer({ reader, writer: new JsonRpcWriter(output, common), backlog }, 'Agent');
  peer.connection.listen();
  output.once('data', () => input.write(`${lines.join('\n')}\n`));
  return peer.request('session/new').finally(() => peer.dispose());
}

describe('an answer', () => {
  it('is the first one to its request, whatever else comes with it', async () => {
    const right = '{"id":0,"result":"right"}';
    assert.equal(await answered(right, '{"id":0,"error":{"code":1,"message":"again"}}'), 'right');
    assert.equal(await answered(right, '{"id":"0","result":"a text"}'), 'right');
    assert.equal(await answered('{"id":"0","result":"a text"}', right), 'right');
  });
});
