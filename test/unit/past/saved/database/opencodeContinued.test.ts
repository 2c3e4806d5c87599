import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { database } from '../../../../../src/agents/opencode/database';
import { DatabaseSource } from '../../../../../src/past/saved/database/databaseSource';
import { SavedSessions } from '../../../../../src/past/saved/list/savedSessions';
import { SqliteProcess } from '../../../../../src/past/saved/sqlite';
import { objectOf, textOf } from '../../../../../src/text/json';
import { hasSqlite, writeDatabase } from '../../../../support/databases';
import { savedHomeOptions } from '../../../../support/savedHome';

const script = readFileSync('test/fixtures/saved/opencode-2.sql', 'utf8');

describe('a session of OpenCode 2 that version 1 continued', () => {
  if (!hasSqlite) return;

  let home: string;
  let path: string;
  const databases = new SqliteProcess();
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'agent-logs-'));
    path = join(home, 'opencode.db');
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  function saved(now = 1_796_000_000_000): SavedSessions {
    return new SavedSessions({ ...savedHomeOptions(home), folders: { opencode: home }, databases, now: () => now });
  }

  async function linesOf(source: DatabaseSource): Promise<readonly string[]> {
    const found: string[] = [];
    for (let lines = await source.read(); lines; lines = await source.read()) {
      found.push(...lines.map(({ text }) => text));
    }
    return found;
  }

  const id = 'ses_byhand13copied';
  /** A turn that began at this time. */
  const turn = (at: number, name: string, prompt: string, rest: object = { finish: 'stop' }): readonly string[] => {
    const model = { modelID: 'mock-model', providerID: 'mock' };
    const text = (value: object): string => JSON.stringify(value);
    const asked = text({ role: 'user', time: { created: at }, model });
    const answered = text({ role: 'assistant', ...model, time: { created: at + 10, completed: at + 90 }, ...rest });
    const used = { input: 100, output: 10, reasoning: 0, cache: { read: 0, write: 0 } };
    const parts: readonly (readonly [string, number, object])[] = [
      ['a', at, { type: 'text', text: prompt }],
      ['b', at + 20, { type: 'text', text: `Answer to: ${prompt}`, time: { start: at + 20, end: at + 30 } }],
      ['b', at + 40, { type: 'step-finish', reason: 'stop', cost: 0.5, tokens: used }],
    ];
    return [
      `insert into message values ('msg_${name}a', '${id}', ${at}, ${at}, '${asked}')`,
      `insert into message values ('msg_${name}b', '${id}', ${at + 10}, ${at + 90}, '${answered}')`,
      ...parts.map(
        ([message, created, data], index) =>
          `insert into part values ('prt_${name}${index}', 'msg_${name}${message}', '${id}', ${created}, ${created}, '${text(data)}')`,
      ),
      `update session set time_updated = ${at + 90} where id = '${id}'`,
    ];
  };
  const before = turn(1_795_401_305_000, 'between', 'Before version 2 went on');
  const error = { name: 'APIError', data: { message: 'Overloaded', statusCode: 529 } };
  const after = turn(1_795_401_310_000, 'zafter', 'After version 2 went on', { error });

  async function promptsOf(source: DatabaseSource): Promise<readonly string[]> {
    return (await linesOf(source)).flatMap((line) => {
      const { entry, part } = objectOf(JSON.parse(line));
      const prompt = objectOf(entry)['type'] === 'user' ? textOf(objectOf(entry)['text']) : undefined;
      return prompt ?? textOf(objectOf(part)['text']) ?? [];
    });
  }

  it('has each turn once, in the order in which they began', async () => {
    writeDatabase(path, script, ...before, ...after);
    assert.deepEqual(await promptsOf(new DatabaseSource(databases, database, path, id)), [
      ...['Which parser is it?', 'A small one.', 'Is it fast?', 'It is.'],
      ...['Before version 2 went on', 'Answer to: Before version 2 went on'],
      ...['Continue in version 2', 'Gladly.'],
      ...['After version 2 went on', 'Answer to: After version 2 went on'],
    ]);
  });

  it('ends as its newest turn did', async () => {
    writeDatabase(path, script, ...before);
    const find = () => saved().find('opencode', id);
    assert.equal((await find())?.outcome, 'completed');
    writeDatabase(path, ...after);
    const { outcome, problem, lastAt, title, model } = (await find())!;
    assert.deepEqual(
      { outcome, problem, lastAt, title, model },
      {
        outcome: 'failed',
        problem: 'Overloaded',
        lastAt: 1_795_401_310_090,
        title: 'From version 1',
        model: 'mock-model',
      },
    );
    const { sessions, total } = await saved().list('opencode');
    assert.equal(total, 14);
    assert.equal(sessions.filter((session) => session.id === id).length, 1);
  });

  it('is found by words of version 1, each once, and counts what version 1 used', async () => {
    writeDatabase(path, script, ...before, ...after);
    const [found] = (await saved().searchable('opencode')).filter(({ key }) => key.endsWith(id));
    assert.equal((await found?.rows?.(['version', 'went'], 10))?.length, 4);
    assert.equal((await found?.rows?.(['parser'], 10))?.length, 1);
    const cost = async (): Promise<number> => (await saved(1_795_401_400_000).used('opencode')).week.costUsd;
    const all = await cost();
    writeDatabase(path, `delete from part where id like 'prt_between%' or id like 'prt_zafter%'`);
    assert.equal(Math.round((all - (await cost())) * 1000), 1000);
  });

  it('is followed in both tables', async () => {
    writeDatabase(path, script, ...before);
    const source = new DatabaseSource(databases, database, path, id);
    assert.equal((await promptsOf(source)).length, 8);
    writeDatabase(path, ...after);
    assert.equal(await source.wait(new AbortController().signal), 'grown');
    assert.deepEqual(await promptsOf(source), ['After version 2 went on', 'Answer to: After version 2 went on']);
    const asked = JSON.stringify({ time: { created: 1_795_401_320_000 }, text: 'Version 2 again' });
    writeDatabase(
      path,
      `insert into session_message values ('msg_zz', '${id}', 'user', 30, 1795401320000, 1795401320000, '${asked}')`,
    );
    assert.equal(await source.wait(new AbortController().signal), 'grown');
    assert.deepEqual(await promptsOf(source), ['Version 2 again']);
    assert.equal(await source.read(), undefined);
  });

  it('is followed when version 1 continues it for the first time', async () => {
    writeDatabase(path, script);
    const source = new DatabaseSource(databases, database, path, id);
    await linesOf(source);
    writeDatabase(path, ...after);
    assert.equal(await source.wait(new AbortController().signal), 'grown');
    assert.deepEqual(await promptsOf(source), ['After version 2 went on', 'Answer to: After version 2 went on']);
  });

  it('has none of the older messages that version 2 left out', async () => {
    const left = turn(1_795_401_300_500, 'left', 'Left out by version 2').slice(1);
    writeDatabase(path, script, ...left);
    const prompts = await promptsOf(new DatabaseSource(databases, database, path, id));
    assert.deepEqual(prompts.slice(-2), ['Continue in version 2', 'Gladly.']);
    assert.equal(prompts.length, 6);
  });
});
