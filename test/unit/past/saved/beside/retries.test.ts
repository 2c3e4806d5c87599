import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Line } from '../../../../../src/text/bytes/line';
import type { BesideRetry } from '../../../../../src/agents/reading/saved/besideLines';
import { WithBesideLines } from '../../../../../src/past/saved/beside/withBesideLines';
import { linesBeside } from '../../../../../src/past/saved/beside/besideFiles';
import type { LineSource } from '../../../../../src/past/saved/lineSource';
import { nodeFs } from '../../../../../src/past/saved/list/savedFs';
import type { SavedSession } from '../../../../../src/past/saved/savedSession';
import { column } from '../../../../support/columns';
import { fakeDatabases } from '../../../../support/databases';
import { notedFs, useSavedHome } from '../../../../support/savedSuite';

describe('retries in a log beside a session', () => {
  const home = useSavedHome();

  const session = (agent: SavedSession['agent'], path: string, id: string): SavedSession => {
    return { agent, id, path, size: 1, modifiedAt: Date.now(), startedAt: 1, lastAt: Date.now() };
  };

  it('of Codex come from the newest of its databases, by the thread ID', async () => {
    const path = home.write('.codex/sessions/2026/11/22/rollout.jsonl', '');
    for (const name of ['logs_2.sqlite', 'logs_10.sqlite']) home.write(`.codex/${name}`, '');
    const databases = fakeDatabases((sql, values) => {
      assert.match(sql, /from logs/);
      assert.deepEqual(values, ['thread-1']);
      return [{ ts: 1_795_338_776, ts_nanos: 326_867_794, body: 'retrying (1/2 in 1s) sampling_error=429' }];
    });
    const found = await linesBeside(session('codex', path, 'thread-1'), { fs: nodeFs, databases, env: {} })();
    const [{ timestamp, attempt } = assert.fail('no retry'), ...others] = found;
    assert.deepEqual([timestamp, attempt, others], ['2026-11-22T09:12:56.326Z', 1, []]);
    assert.deepEqual(databases.opened, [home.in('.codex/logs_10.sqlite')]);
    const elsewhere = { fs: nodeFs, databases, env: { CODEX_SQLITE_HOME: home.in('none') } };
    assert.deepEqual(await linesBeside(session('codex', path, 'thread-1'), elsewhere)(), []);
  });

  it('are none if the log is missing or damaged', async () => {
    const path = home.write('.codex/sessions/2026/11/22/rollout.jsonl', '');
    home.write('.codex/logs_2.sqlite', 'damaged');
    const databases = fakeDatabases(() => {
      throw new Error('file is not a database');
    });
    assert.deepEqual(await linesBeside(session('codex', path, 'x'), { fs: nodeFs, databases, env: {} })(), []);
    const missing = home.in('opencode.db');
    assert.deepEqual(await linesBeside(session('opencode', missing, 'x'), { fs: nodeFs, databases, env: {} })(), []);
  });

  it("of Copilot come from the logs of the session's processes", async () => {
    const id = 'aeebe34e-4068-4b7e-a407-d8dfef8ae052';
    const path = home.write(`.copilot/session-state/${id}/events.jsonl`, '');
    const log = `2026-11-22T09:37:08.497Z [INFO] Workspace initialized: ${id} (checkpoints: 0)
2026-11-22T09:37:08.828Z [WARNING] [rust] Model provider request failed {"http_status":503,"retry_after_ms":1000}
`;
    const own = home.write('.copilot/logs/process-1795340228427-100.log', log);
    home.write(`.copilot/logs/process-${Date.now() + 1e7}-100.log`, log);
    const { fs, reads } = notedFs();
    const retries = linesBeside(session('copilot', path, id), { fs, databases: fakeDatabases(() => []), env: {} });
    assert.equal((await retries()).length, 1);
    // Only the new part of a log is read again.
    const [, second = ''] = log.split('\n');
    appendFileSync(own, `${second.replace('828', '999')}\n{"half`);
    assert.equal((await retries()).length, 2);
    assert.deepEqual(column(reads, 'length'), [log.length, second.length + 7]);
  });

  it('are merged between the lines of the session by time, once', async () => {
    const retry = (second: number): BesideRetry => {
      return { type: 'agent-logs.retry', timestamp: `2026-11-22T10:00:0${second}.500Z`, why: `failed ${second}` };
    };
    const line = (second: number): Line => Line.of(JSON.stringify({ timestamp: `2026-11-22T10:00:0${second}.000Z` }));
    const batches: (Line[] | undefined)[] = [[line(1), line(2)], undefined, [line(5)], undefined];
    const source = sourceOf(() => batches.shift());
    let retries = [retry(0), retry(1), retry(3)];
    const merged = new WithBesideLines(source, () => Promise.resolve(retries));
    const texts = async (): Promise<string[] | undefined> =>
      (await merged.read())?.map(({ text }) => /failed \d|\d\d:0\d\.000/.exec(text)?.[0] ?? text);
    assert.deepEqual(await texts(), ['failed 0', '00:01.000', 'failed 1', '00:02.000']);
    assert.deepEqual(await texts(), ['failed 3']);
    retries = [...retries, retry(4)];
    await merged.wait(new AbortController().signal);
    assert.deepEqual(await texts(), ['failed 4', '00:05.000']);
    assert.equal(await texts(), undefined);
  });

  it("don't stay in memory while the session is followed", async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const held = (): number => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    const source = sourceOf(() => undefined);
    const merged = new WithBesideLines(source, () => {
      const many = Array.from({ length: 500 }, (_, index) => index);
      const lineOf = (index: number): object => ({ timestamp: '2026-11-22T10:00:00Z', text: `${index}`.repeat(5000) });
      return Promise.resolve(many.map(lineOf) as BesideRetry[]);
    });
    const before = held();
    for (let times = 0; times < 2; times++) {
      assert.equal((await merged.read())?.length, times === 0 ? 500 : undefined);
      await merged.wait(new AbortController().signal);
    }
    const more = held() - before;
    assert.ok(more < 1e6, `${more} bytes`);
    await merged.close();
  });
});

function sourceOf(read: () => Line[] | undefined): LineSource {
  const close = (): Promise<undefined> => Promise.resolve(undefined);
  return { size: 0, read: () => Promise.resolve(read()), wait: () => Promise.resolve('grown'), close };
}
