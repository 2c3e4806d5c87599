import assert from 'node:assert/strict';
import { appendFileSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { FileRun } from '../../../../src/past/files/fileRun';
import { savedWork } from '../../../../src/past/saved/list/savedUsage';
import { holds } from '../../../support/property';
import { messagesOf, readSavedLines, untilSays } from '../../../support/savedRun';
import { notedFs, useSavedHome } from '../../../support/savedSuite';

const id = 'session_a98b9522-29de-471d-b2b9-d4e09a990861';
const fixture = (name: string): string => join('test/fixtures/saved', `kimi-${name}.jsonl`);

describe('saved sessions of Kimi Code', () => {
  const home = useSavedHome();
  const folder = `.kimi-code/sessions/wd_project_291264d9e4b8/${id}`;
  beforeEach(() => {
    put('delegating', 'main');
    put('subagent', 'agent-0');
    state({ lastTurnReason: 'completed' });
  });

  const wire = (agent: string): string => home.in(folder, 'agents', agent, 'wire.jsonl');
  const put = (name: string, agent: string): string =>
    home.write(`${folder}/agents/${agent}/wire.jsonl`, readFileSync(fixture(name), 'utf8'));
  const state = (fields: object): string =>
    home.write(`${folder}/state.json`, [{ id, cwd: '/home/dev/project', ...fields }]);
  const one = async () => (await home.sessions().list('kimi')).sessions[0] ?? assert.fail('no session');
  const open = async (): Promise<FileRun> => home.opened(home.sessions().open(await one()));

  it('count only what a fork did itself, and name its origin', async () => {
    rmSync(home.in(folder, 'agents'), { recursive: true });
    put('fork', 'main');
    const forkedFrom = 'session_35b6ef9a-a071-4b69-a8bc-859f47df1219';
    state({ title: `Fork: ${forkedFrom}`, forkedFrom, createdAt: 1_795_917_512_949 });
    const session = await one();
    assert.deepEqual([session.title, session.forkedFrom], ['What licence has the fork?', forkedFrom]);
    assert.equal((await savedWork(home.sessions().open(session))).usage?.inputTokens, 1205);
  });

  it('have the ID of their folder, and their subagents below them', async () => {
    const run = await open();
    assert.deepEqual(
      run.log.sessions.map(({ id: session, title, parent }) => [session, title, parent]),
      [
        [id, 'Ask a helper to look for TODO', undefined],
        [`${id}/agent-0`, 'Find all TODO comments under src.', id],
      ],
    );
    const outcomes = run.log.sessions.map(({ summary }) => summary?.lastTurn?.outcome);
    assert.deepEqual(outcomes, ['ok', 'ok']);
  });

  it('have it without the file that describes the session, and if a file is opened by its path', async () => {
    rmSync(home.in(folder, 'state.json'));
    assert.equal((await one()).id, id);
    for (const agent of ['main', 'agent-0']) {
      const info = await home.sessions().openFile(wire(agent));
      assert.equal(info?.saved?.sessionId, id);
    }
    const copy = home.in('copy.jsonl');
    cpSync(wire('main'), copy);
    assert.equal((await home.sessions().openFile(copy))?.saved?.agent, 'kimi');
  });

  it('show a subagent that starts while they are followed', async () => {
    rmSync(home.in(folder, 'agents/agent-0'), { recursive: true });
    const info = home.sessions().open(await one());
    assert.ok(info.saved);
    const run = await home.opened({ ...info, saved: { ...info.saved, isRunning: true } });
    assert.equal(run.log.sessions.length, 1);
    put('subagent', 'agent-0');
    const [first = ''] = readFileSync(fixture('terminal'), 'utf8')
      .split('\n')
      .filter((line) => line.includes('"turn.prompt"'));
    appendFileSync(wire('main'), `${first}\n`);
    await untilSays(run, 'Find all TODO comments under src.');
    assert.equal(run.log.sessions[1]?.parent, id);
  });

  it('tell how the newest turn ended from their own file: while a turn runs, the other one still has the turn before', async () => {
    const lines = readFileSync(fixture('terminal'), 'utf8').trim().split('\n');
    const end = lines.findIndex((line) => line.includes('"turn.ended"'));
    writeFileSync(wire('main'), `${[...lines, ...lines.slice(4, end)].join('\n')}\n`);
    assert.equal((await one()).outcome, 'open');
    for (const [name, outcome] of [
      ['401', 'error'],
      ['500', 'cancelled'],
      ['tools', 'ok'],
    ] as const) {
      put(name, 'main');
      assert.equal((await one()).outcome, outcome, name);
    }
  });

  it('have the title that Kimi gave them, else the first prompt, also behind a long system prompt', async () => {
    const text = readFileSync(fixture('terminal'), 'utf8');
    writeFileSync(wire('main'), text.replace('[… cut]', () => 'x'.repeat(40_000)) + '\n'.repeat(20_000));
    assert.equal((await one()).title, 'What is this project?');
    state({ title: 'A small parser' });
    assert.equal((await one()).title, 'A small parser');
  });

  it('know the outcome of a question only if they know its decision', async () => {
    const outcomes: unknown[] = [];
    const given = '"decision":"rejected",';
    const lines = readFileSync(fixture('refused'), 'utf8').split(given);
    const known = ['approved', 'approved_for_session', 'rejected', 'postponed'];
    for (const decision of [...known.map((name) => given.replace('rejected', () => name)), '']) {
      writeFileSync(wire('main'), lines.join(decision));
      outcomes.push((await open()).log.spans({ kinds: ['permission'] })[0]?.outcome);
    }
    assert.deepEqual(outcomes, ['ok', 'ok', 'refused', 'unknown', 'unknown']);
  });

  it('are read without opening configuration or credentials', async () => {
    for (const name of ['config.toml', 'credentials.json', 'device_id']) home.write(`.kimi-code/${name}`, 'secret');
    const { fs, reads } = notedFs();
    const all = home.sessions({ fs });
    await all.list('kimi');
    await all.searchable('kimi');
    assert.ok(reads.length > 0 && reads.every(({ path }) => path.startsWith(home.in(folder))));
  });

  const files = readdirSync('test/fixtures/saved')
    .filter((name) => name.startsWith('kimi-'))
    .map((name) => readFileSync(join('test/fixtures/saved', name), 'utf8').trim().split('\n'));

  holds(
    'keep every answer if lines are lost, repeated or in another order',
    500,
    fc.property(
      fc.constantFrom(...files).chain((lines) => fc.array(fc.constantFrom(...lines), { maxLength: 60 })),
      fc.nat(200),
      (lines, cut) => {
        const last = lines.at(-1) ?? '';
        const log = readSavedLines([...lines, last.slice(0, cut)]);
        const messages = messagesOf({ log });
        for (const line of lines) {
          const { event } = JSON.parse(line) as { event?: { part?: { text?: string } } };
          const text = event?.part?.text;
          assert.ok(text === undefined || messages.includes(text), text);
        }
        assert.ok(messages.every((message) => !message.startsWith('could not be read')));
      },
    ),
  );
});
