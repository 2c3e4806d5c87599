import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redactor } from '../../../src/redact/redactor';
import type { ProtocolWait } from '../../../src/cli/tap/journal/tapJournal';
import { TapJournal } from '../../../src/cli/tap/journal/tapJournal';
import type { FromThread, StreamName, ToThread } from '../../../src/cli/tap/journal/threadMessage';
import type { ProcessEvent } from '../../../src/wire/wireEvent';
import type { JournalHeader } from '../../../src/wire/journal/journalLine';

const wait: ProtocolWait = { beforeFirst: 1e6, afterFirst: 1e6, chunks: 20, held: 100_000 };
const init = '{"type":"system","subtype":"init","cwd":"/","session_id":"abcdefghijkl","tools":[],"model":"m"}\n';

function chunk(dir: StreamName, text: string): ToThread {
  return { type: 'chunk', dir, t: 1, bytes: new Uint8Array(Buffer.from(text)) };
}

describe('tap: recognises the protocol if none is given', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'agent-logs-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** The protocol in the header after these messages. */
  async function found(options: Partial<ProtocolWait>, ...batches: readonly ToThread[][]): Promise<string> {
    const path = join(mkdtempSync(join(folder, 'one-')), 'journal.ndjson');
    const told = await new Promise<FromThread>((resolve) => {
      const journal = new TapJournal(
        { agent: 'A', command: ['a'], cwd: '/', pid: 1, startedAt: 0, place: { type: 'file', path } },
        new Redactor(),
        (message) => message.type !== 'taken' && message.type !== 'opened' && resolve(message),
        { ...wait, ...options },
      );
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
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'agent-logs-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** How many journals are left after these messages. */
  async function left(messages: readonly ToThread[], place: 'folder' | 'file' = 'folder'): Promise<number> {
    const own = mkdtempSync(join(folder, 'one-'));
    const to =
      place === 'folder' ? { type: place, path: own, runId: '1' } : { type: place, path: join(own, 'j.ndjson') };
    await new Promise<void>((resolve) => {
      const spec = { agent: 'A', protocol: 'mcp', command: ['a'], cwd: '/', pid: 1, startedAt: 0, place: to } as const;
      const journal = new TapJournal(spec, new Redactor(), ({ type }) => type === 'closed' && resolve(), wait);
      journal.accept([...messages, { type: 'close' }]);
    });
    return readdirSync(own).filter((name) => name.endsWith('.ndjson')).length;
  }

  const event = (one: ProcessEvent): ToThread => ({ type: 'event', t: 1, event: one });
  const spawned = event({ ev: 'spawn', pid: 2, command: ['a'], cwd: '/' });
  const ended = [event({ ev: 'signal', signal: 'SIGTERM' }), event({ ev: 'exit', code: null, signal: 'SIGTERM' })];
  const discover = '{"jsonrpc":"2.0","id":0,"method":"server/discover","params":{}}\n';
  const answer = chunk('a2c', '{"jsonrpc":"2.0","id":0,"result":{"supportedVersions":["2026-07-28"]}}\n');

  it('if the client only asks what the server speaks, whatever it answers', async () => {
    const refusal = chunk('a2c', '{"jsonrpc":"2.0","id":0,"error":{"code":-32601,"message":"Method not found"}}\n');
    assert.equal(await left([spawned, chunk('c2a', discover), answer, ...ended]), 0);
    assert.equal(await left([spawned, chunk('c2a', discover), refusal, chunk('err', 'hello\n'), ...ended]), 0);
    const halves = [chunk('c2a', discover.slice(0, 20)), chunk('c2a', discover.slice(20))];
    assert.equal(await left([spawned, ...halves, answer, event({ ev: 'stdin-close' }), ...ended]), 0);
  });

  it('unless something else was sent, the server ended by itself, or the user named the journal', async () => {
    const list = chunk('c2a', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n');
    const crash = event({ ev: 'exit', code: 1, signal: null });
    assert.equal(await left([spawned, chunk('c2a', discover), answer, list, ...ended]), 1);
    assert.equal(await left([spawned, chunk('c2a', discover), crash]), 1);
    assert.equal(await left([spawned, list, ...ended]), 1);
    assert.equal(await left([spawned, ...ended]), 1);
    assert.equal(await left([spawned, chunk('c2a', discover), answer, ...ended], 'file'), 1);
  });
});
