import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redactor } from '../../../src/redact/redactor';
import type { ProtocolWait } from '../../../src/cli/tap/journal/tapJournal';
import { TapJournal } from '../../../src/cli/tap/journal/tapJournal';
import type { FromThread, StreamName, ToThread } from '../../../src/cli/tap/journal/threadMessage';
import type { ProcessEvent } from '../../../src/wire/wireEvent';
import type { JournalHeader } from '../../../src/wire/journal/journalLine';
import { useFolder } from '../../support/tempFolder';

const wait: ProtocolWait = { beforeFirst: 1e6, afterFirst: 1e6, chunks: 20, held: 100_000 };
const init = '{"type":"system","subtype":"init","cwd":"/","session_id":"abcdefghijkl","tools":[],"model":"m"}\n';

function chunk(dir: StreamName, text: string): ToThread {
  return { type: 'chunk', dir, t: 1, bytes: new Uint8Array(Buffer.from(text)) };
}

const spec = { agent: 'A', command: ['a'], cwd: '/', pid: 1, startedAt: 0 } as const;

describe('tap: recognises the protocol if none is given', () => {
  const folder = useFolder();

  /** The protocol in the header after these messages. */
  async function found(options: Partial<ProtocolWait>, ...batches: readonly ToThread[][]): Promise<string> {
    const path = join(mkdtempSync(folder.in('one-')), 'journal.ndjson');
    const told = await new Promise<FromThread>((resolve) => {
      const place = { type: 'file', path } as const;
      const onMessage = (message: FromThread): unknown => /taken|opened/.test(message.type) || resolve(message);
      const journal = new TapJournal({ ...spec, place }, new Redactor(), onMessage, { ...wait, ...options });
      const tell = async (): Promise<void> => {
        for (const batch of batches) {
          journal.accept(batch);
          await new Promise((next) => setTimeout(next, 60));
        }
        journal.accept([{ type: 'close' }]);
      };
      void tell();
    });
    assert.deepEqual(told, { type: 'closed' });
    const [header = ''] = readFileSync(path, 'utf8').split('\n');
    return (JSON.parse(header) as JournalHeader).protocol;
  }

  const initialize = (params: object): string =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  for (const [protocol, input] of [
    ['acp', `${initialize({ protocolVersion: 1 })}\n`],
    ['mcp', `${initialize({ protocolVersion: '2025-06-18', capabilities: {} })}\n`],
    ['lsp', `Content-Length: ${initialize({}).length}\r\n\r\n${initialize({})}`],
    ['stream-json', init],
    ['', 'anything\n'],
    ['', ''],
  ] as const) {
    it(`${protocol || 'none'} in ${JSON.stringify(input)}, which comes back`, async () => {
      assert.equal(await found({}, [chunk('c2a', input), chunk('a2c', input)]), protocol);
    });
  }

  it('waits for messages, even if there is output on standard error', async () => {
    const stderr = Array.from({ length: 50 }, (_, n) => chunk('err', `step ${n}\n`));
    assert.equal(await found({ afterFirst: 1 }, stderr, [chunk('a2c', init)]), 'stream-json');
  });

  it('is left open where nothing that was said tells it, and where too much has to be held', async () => {
    const other = Array.from({ length: 20 }, () => chunk('a2c', '{"x":1}\n'));
    assert.equal(await found({}, other, [chunk('a2c', init)]), '');
    assert.equal(await found({ afterFirst: 1 }, other.slice(0, 1), [chunk('a2c', init)]), '');
    assert.equal(await found({}, [chunk('err', 'x'.repeat(100_000))], [chunk('a2c', init)]), '');
    assert.equal(await found({ beforeFirst: 1 }, [], [chunk('a2c', init)]), '');
    assert.equal(await found({}, [chunk('err', 'x\n')]), '');
  });
});

describe('tap: a probe is no run of its own', () => {
  const folder = useFolder();

  const event = (one: ProcessEvent): ToThread => ({ type: 'event', t: 1, event: one });
  const spawned = event({ ev: 'spawn', pid: 2, command: ['a'], cwd: '/' });
  const ended = [event({ ev: 'signal', signal: 'SIGTERM' }), event({ ev: 'exit', code: null, signal: 'SIGTERM' })];
  const discover = '{"jsonrpc":"2.0","id":0,"method":"server/discover","params":{}}\n';
  const answer = chunk('a2c', '{"jsonrpc":"2.0","id":0,"result":{"supportedVersions":["2026-07-28"]}}\n');

  const asked = [spawned, chunk('c2a', discover)];
  const halves = [spawned, chunk('c2a', discover.slice(0, 20)), chunk('c2a', discover.slice(20))];
  const refusal = chunk('a2c', '{"jsonrpc":"2.0","id":0,"error":{"code":-32601,"message":"Method not found"}}\n');
  const list = chunk('c2a', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n');
  for (const [what, place, kept, ...messages] of [
    ['if the client only asks what the server speaks', 'folder', 0, ...asked, answer, ...ended],
    ['whatever the server answers', 'folder', 0, ...asked, refusal, chunk('err', 'hello\n'), ...ended],
    ['in any pieces', 'folder', 0, ...halves, answer, event({ ev: 'stdin-close' }), ...ended],
    ['unless something else was sent, too', 'folder', 1, ...asked, answer, list, ...ended],
    ['unless something else was sent', 'folder', 1, spawned, list, ...ended],
    ['unless nothing was sent', 'folder', 1, spawned, ...ended],
    ['unless the server ended by itself', 'folder', 1, ...asked, event({ ev: 'exit', code: 1, signal: null })],
    ['unless the user named the journal', 'file', 1, ...asked, answer, ...ended],
  ] as readonly (readonly [string, 'folder' | 'file', number, ...ToThread[]])[]) {
    it(what, async () => {
      const path = place === 'file' ? folder.in('j.ndjson') : folder.path;
      await new Promise<void>((resolve) => {
        const own = { ...spec, protocol: 'mcp', place: { type: place, path, runId: '1' } } as const;
        const journal = new TapJournal(own, new Redactor(), ({ type }) => type === 'closed' && resolve(), wait);
        journal.accept([...messages, { type: 'close' }]);
      });
      assert.equal(readdirSync(folder.path).filter((name) => name.endsWith('.ndjson')).length, kept);
    });
  }
});
