import assert from 'node:assert/strict';
import { deletedSoon } from '../../../../../src/past/saved/kept/deletedSoon';
import { Keeper } from '../../../../../src/past/saved/kept/keeper';
import type { KeepSetting } from '../../../../../src/past/saved/kept/keepSetting';
import type { SavedSessions } from '../../../../../src/past/saved/list/savedSessions';
import { ClaudeLines } from '../../../../support/claudeLines';
import { useSavedHome } from '../../../../support/savedSuite';

const day = 86_400_000;

describe('sessions that their agent will delete', () => {
  const home = useSavedHome();
  let now: number;
  beforeEach(() => (now = 1_796_000_000_000));

  const sessions = (): SavedSessions => home.sessions({ keptPath: home.in('kept'), now: () => now });

  /** Writes sessions that last changed so many days ago. */
  function write(ages: Readonly<Record<number, number>>, words = 'Go'): void {
    for (const [n, age] of Object.entries(ages)) {
      const lines = new ClaudeLines(`0c5f0f0e-0000-4000-8000-00000000000${n}`);
      const path = `.claude/projects/-home-me-project/${lines.session}.jsonl`;
      home.write(path, [lines.prompt(`u${n}`, words)], now - age * day);
    }
  }

  const setting = (text: string): string => home.write('.claude/settings.json', text);

  async function expiring(agent: 'claude' | 'gemini' | 'codex' = 'claude'): Promise<readonly string[]> {
    return (await sessions().expiring(agent, deletedSoon)).sessions.map((one) => one.id.slice(-1));
  }

  async function kept(): Promise<readonly string[]> {
    const { sessions: all } = await sessions().list('claude');
    return all.flatMap((one) => (one.kept ? one.id.slice(-1) : [])).sort();
  }

  function run(how: Partial<KeepSetting> = {}, keeper = newKeeper()): Promise<number> {
    const whole = { agents: ['claude' as const], maxSize: 1e9, ...how };
    return keeper.run(whole, new AbortController().signal, () => Promise.resolve(true));
  }

  function newKeeper(saved = sessions()): Keeper {
    const onProblem = (_: unknown, error: unknown): void => assert.fail(String(error));
    return new Keeper(saved, { now: () => now, rest: () => Promise.resolve(), onProblem });
  }

  it('are those that haven’t changed for as long as its setting says, less three days', async () => {
    write([1, 20, 26.9, 27.1, 40]);
    assert.deepEqual(await expiring(), ['3', '4']);
    setting('{ "cleanupPeriodDays": 22 }');
    assert.deepEqual(await expiring(), ['1', '2', '3', '4']);
    setting('{ "cleanupPeriodDays": 3650 }');
    assert.deepEqual(await expiring(), []);
  });

  it('are none if the settings can’t be read, which may say anything, or if the agent deletes none', async () => {
    write({ 1: 40 });
    setting('{ "cleanup');
    assert.deepEqual(await expiring(), []);
    assert.deepEqual(await expiring('codex'), []);
  });

  it('are known although the settings have comments', async () => {
    write({ 1: 6 });
    setting('{ // kept "short"\n "url": "http://x", /* a week */ "cleanupPeriodDays": 7 }');
    assert.deepEqual(await expiring(), ['1']);
  });

  it('aren’t told of if they have a copy, until they change', async () => {
    write({ 1: 29 });
    const saved = sessions();
    const [session] = (await saved.list('claude')).sessions;
    await saved.keep(session ?? assert.fail(), { by: 'user' });
    assert.deepEqual(await expiring(), []);
    write({ 1: 28 }, 'Go on');
    assert.deepEqual(await expiring(), ['1']);
  });

  describe('are copied as the setting says', () => {
    it('before they are deleted, once', async () => {
      write([1, 26, 28, 35]);
      assert.equal(await run(), 2);
      assert.deepEqual(await kept(), ['2', '3']);
      assert.equal(await run(), 0);
      now += 2 * day;
      assert.equal(await run(), 1);
      assert.deepEqual(await kept(), ['1', '2', '3']);
    });

    it('or earlier, also of agents that delete none', async () => {
      write([1, 8]);
      assert.equal(await run({ age: 7 * day }), 1);
      assert.deepEqual(await kept(), ['1']);
    });

    it('again if they have changed', async () => {
      write({ 1: 29 });
      await run();
      write({ 1: 28 }, 'Go on');
      assert.equal(await run(), 1);
      const [session] = (await sessions().list('claude')).sessions;
      assert.equal(session?.kept?.modifiedAt, now - 28 * day);
    });

    it('as far as there is room, the newest first; copies of the user stay and don’t count', async () => {
      write([28, 29, 31, 32], 'x'.repeat(1000));
      const saved = sessions();
      const oldest = (await saved.list('claude')).sessions.at(-1);
      await saved.keep(oldest ?? assert.fail(), { by: 'user' });
      assert.equal(await run({ maxSize: 5000 }), 2);
      assert.deepEqual(await kept(), ['0', '1', '3']);
      assert.equal(await run({ maxSize: 5000 }), 0);
      assert.deepEqual(await kept(), ['0', '1', '3']);
      assert.equal(await run({ maxSize: 3000 }), 0);
      assert.deepEqual(await kept(), ['0', '3']);
    });

    it('until another window does it, or this one ends', async () => {
      write([28, 29, 31]);
      const how = { agents: ['claude' as const], maxSize: 1e9 };
      let looks = 0;
      const isMine = (): Promise<boolean> => Promise.resolve(++looks < 2);
      assert.equal(await newKeeper().run(how, new AbortController().signal, isMine), 1);
      assert.equal(await newKeeper().run(how, AbortSignal.abort(), () => Promise.resolve(true)), 0);
      assert.deepEqual(await kept(), ['0']);
    });

    it('and one that can’t be read is reported, and tried again once it has changed', async () => {
      write({ 1: 29 });
      const saved = sessions();
      const failing = {
        list: saved.list.bind(saved),
        expiring: saved.expiring.bind(saved),
        copies: saved.copies.bind(saved),
        deleteCopy: saved.deleteCopy.bind(saved),
        keep: () => Promise.reject(new Error('No space left on device')),
      };
      const problems: string[] = [];
      const onProblem = (_: unknown, error: unknown): void => void problems.push(String(error));
      const keeper = new Keeper(failing, { now: () => now, rest: () => Promise.resolve(), onProblem });
      assert.deepEqual([await run({}, keeper), await run({}, keeper)], [0, 0]);
      assert.equal(problems.length, 1);
      write({ 1: 28.5 });
      await run({}, keeper);
      assert.equal(problems.length, 2);
    });
  });
});
