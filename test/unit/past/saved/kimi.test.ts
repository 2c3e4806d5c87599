import assert from 'node:assert/strict';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { FileRun } from '../../../../src/past/files/fileRun';
import type { FileRunInfo } from '../../../../src/past/files/fileRunInfo';
import type { SavedFs } from '../../../../src/past/saved/list/savedFs';
import { nodeFs } from '../../../../src/past/saved/list/savedFs';
import { SavedSessions } from '../../../../src/past/saved/list/savedSessions';
import { savedWork } from '../../../../src/past/saved/list/savedUsage';
import { holds } from '../../../support/property';
import { savedHomeOptions } from '../../../support/savedHome';
import { readSavedLines } from '../../../support/savedRun';

const id = 'session_a98b9522-29de-471d-b2b9-d4e09a990861';
const fixture = (name: string): string => join('test/fixtures/saved', `kimi-${name}.jsonl`);

describe('saved sessions of Kimi Code', () => {
  let home: string;
  let folder: string;
  let runs: FileRun[];
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'agent-logs-'));
    folder = join(home, '.kimi-code/sessions/wd_project_291264d9e4b8', id);
    runs = [];
    put('delegating', 'main');
    put('subagent', 'agent-0');
    state({ lastTurnReason: 'completed' });
  });
  afterEach(async () => {
    await Promise.all(runs.map((run) => run.dispose()));
    rmSync(home, { recursive: true, force: true });
  });

  const wire = (agent: string): string => join(folder, 'agents', agent, 'wire.jsonl');
  function put(name: string, agent: string): void {
    mkdirSync(dirname(wire(agent)), { recursive: true });
    cpSync(fixture(name), wire(agent));
  }
  function state(fields: Readonly<Record<string, unknown>>): void {
    writeFileSync(join(folder, 'state.json'), JSON.stringify({ id, cwd: '/home/dev/project', ...fields }));
  }
  const sessions = (fs: SavedFs = nodeFs): SavedSessions => new SavedSessions({ ...savedHomeOptions(home), fs });
  const opened = async (info: FileRunInfo | undefined): Promise<FileRun> => {
    assert.ok(info);
    const run = new FileRun(info, { level: 'debug', maxMemory: 1e7, redaction: undefined });
    runs.push(run);
    await run.read();
    return run;
  };
  const one = async () => (await sessions().list('kimi')).sessions[0] ?? assert.fail('no session');

  it('count only what a fork did itself, and name its origin', async () => {
    rmSync(join(folder, 'agents'), { recursive: true });
    put('fork', 'main');
    const forkedFrom = 'session_35b6ef9a-a071-4b69-a8bc-859f47df1219';
    state({ title: `Fork: ${forkedFrom}`, forkedFrom, createdAt: 1_795_917_512_949 });
    const session = await one();
    assert.deepEqual([session.title, session.forkedFrom], ['What licence has the fork?', forkedFrom]);
    assert.equal((await savedWork(sessions().open(session))).usage?.inputTokens, 1205);
  });

  it('have the ID of their folder, and their subagents below them', async () => {
    const run = await opened(sessions().open(await one()));
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
    rmSync(join(folder, 'state.json'));
    assert.equal((await one()).id, id);
    for (const agent of ['main', 'agent-0']) {
      const info = await sessions().openFile(wire(agent));
      assert.equal(info?.saved?.sessionId, id);
    }
    const copy = join(home, 'copy.jsonl');
    cpSync(wire('main'), copy);
    assert.equal((await sessions().openFile(copy))?.saved?.agent, 'kimi');
  });

  it('show a subagent that starts while they are followed', async () => {
    rmSync(join(folder, 'agents/agent-0'), { recursive: true });
    const info = sessions().open(await one());
    assert.ok(info.saved);
    const run = await opened({ ...info, saved: { ...info.saved, isRunning: true } });
    assert.equal(run.log.sessions.length, 1);
    put('subagent', 'agent-0');
    const [first = ''] = readFileSync(fixture('terminal'), 'utf8')
      .split('\n')
      .filter((line) => line.includes('"turn.prompt"'));
    appendFileSync(wire('main'), `${first}\n`);
    const count = (): number => run.log.sessions.length;
    while (count() < 2) {
      await new Promise<void>((resolve) => {
        const listener = run.log.onDidChange(() => {
          listener.dispose();
          resolve();
        });
      });
    }
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
      const run = await opened(sessions().open(await one()));
      outcomes.push(run.log.spans({ kinds: ['permission'] }).map(({ outcome }) => outcome)[0]);
    }
    assert.deepEqual(outcomes, ['ok', 'ok', 'refused', 'unknown', 'unknown']);
  });

  it('are read without opening configuration or credentials', async () => {
    const kimi = join(home, '.kimi-code');
    for (const name of ['config.toml', 'credentials.json', 'device_id']) writeFileSync(join(kimi, name), 'secret');
    const read: string[] = [];
    const fs: SavedFs = {
      ...nodeFs,
      read: (path, from, length) => {
        read.push(path);
        return nodeFs.read(path, from, length);
      },
    };
    const all = sessions(fs);
    await all.list('kimi');
    await all.searchable('kimi');
    assert.ok(read.length > 0);
    assert.deepEqual(
      read.filter((path) => !path.startsWith(folder)),
      [],
    );
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
        const messages = log.store.query().map(({ message }) => message);
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
