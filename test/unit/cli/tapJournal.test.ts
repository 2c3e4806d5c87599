import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redactor } from '../../../src/redact/redactor';
import type { ProtocolWait } from '../../../src/cli/tap/journal/tapJournal';
import { TapJournal } from '../../../src/cli/tap/journal/tapJournal';
import type { FromThread, StreamName, ToThread } from '../../../src/cli/tap/journal/threadMessage';
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
