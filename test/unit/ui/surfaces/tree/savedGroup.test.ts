import '../../../../support/vscodeStub';
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SavedSessions } from '../../../../../src/past/saved/list/savedSessions';
import { Runs } from '../../../../../src/runs/runs';
import type { SavedSource } from '../../../../../src/ui/services/localSessions';
import { SavedRows, useTreeRows } from '../../../../support/treeRows';

describe('the group of saved sessions', () => {
  const all = new SavedRows(() => undefined);
  const { testRuns } = useTreeRows();
  const looking = (hasAny: () => Promise<boolean>): Partial<SavedSource> => ({
    load: () => Promise.resolve({ hasAny } as unknown as SavedSessions),
  });

  it("isn't in an empty view only because VS Code has made the folder of its chats", async () => {
    const folder = join(all.home, '.config', 'Code', 'User', 'workspaceStorage', 'a1', 'chatSessions');
    mkdirSync(folder, { recursive: true });
    const rows = all.rows();
    await rows.prepare();
    assert.deepEqual(rows.all(), []);
    const requests = [{ requestId: 'r', message: { text: 'Hello' } }];
    const chat = { version: 3, creationDate: 1, sessionId: '1', requests };
    writeFileSync(join(folder, '1.jsonl'), `${JSON.stringify({ kind: 0, v: chat })}\n`);
    await rows.prepare();
    assert.equal(rows.all().at(-1), rows.saved);
  });

  it('stays when the last run is removed, until somebody has looked', async () => {
    const runs = new Runs();
    const run = testRuns.create('silent');
    const none = looking(() => Promise.resolve(false));
    const rows = all.rows(none, { runs });
    await rows.prepare();
    assert.deepEqual(rows.all(), []);
    runs.add(run);
    await rows.prepare();
    assert.equal(rows.all().at(-1), rows.saved);
    await run.stop();
    runs.remove(run);
    assert.equal(rows.all().at(-1), rows.saved);
    await rows.prepare();
    assert.deepEqual(rows.all(), []);
  });

  it('is shown by the look that began last, and stays if one fails', async () => {
    const looks: ((hasAny: boolean | Error) => void)[] = [];
    const hasAny = (): Promise<boolean> =>
      new Promise((resolve, reject) => {
        looks.push((found) => (typeof found === 'boolean' ? resolve(found) : reject(found)));
      });
    const rows = all.rows(looking(hasAny));
    const look = async (...found: readonly (boolean | Error)[]): Promise<boolean | undefined> => {
      const all = found.map(() => rows.saved.lookForAny());
      await Promise.resolve();
      for (const one of [...found].reverse()) looks.pop()?.(one);
      await Promise.all(all);
      return rows.saved.hasAny;
    };
    assert.equal(await look(false, true), true, 'the older one ends last');
    assert.equal(await look(new Error('busy')), true);
    assert.equal(await look(true, false), false);
  });
});
