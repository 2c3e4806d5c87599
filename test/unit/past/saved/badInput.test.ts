import { inEnglish, t, WordsError } from '../../../../src/text/translator';
import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { FileRun } from '../../../../src/past/files/fileRun';
import { SnapshotLines } from '../../../../src/past/saved/lineSource';
import type { SavedFs } from '../../../../src/past/saved/list/savedFs';
import { nodeFs } from '../../../../src/past/saved/list/savedFs';
import type { SavedSessionsOptions } from '../../../../src/past/saved/list/savedSessions';
import { SavedSessions } from '../../../../src/past/saved/list/savedSessions';
import { fakeDatabases } from '../../../support/databases';
import { isWindows, itUnless } from '../../../support/platform';
import { savedHomeOptions } from '../../../support/savedHome';

const id = '0c5f0f0e-3b1a-4a57-9a43-6d2f2f1b7a11';
const fixture = readFileSync('test/fixtures/saved/claude-terminal.jsonl', 'utf8');

describe('saved sessions that are damaged, huge or out of reach', () => {
  let home: string;
  let path: string;
  let run: FileRun | undefined;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'agent-logs-'));
    path = join(home, '.claude/projects/-home-me-project', `${id}.jsonl`);
    mkdirSync(dirname(path), { recursive: true });
  });
  afterEach(async () => {
    await run?.dispose();
    run = undefined;
    rmSync(home, { recursive: true, force: true });
  });

  const sessions = (more: Partial<SavedSessionsOptions> = {}): SavedSessions =>
    new SavedSessions({ ...savedHomeOptions(home), ...more });

  async function opened(): Promise<FileRun> {
    const all = sessions();
    const [session] = (await all.list('claude')).sessions;
    assert.ok(session);
    run = new FileRun(all.open(session), { level: 'debug', maxMemory: 1e8, redaction: undefined });
    return run;
  }

  const messages = ({ log }: FileRun): string[] => log.store.query().map(({ message }) => message);

  async function until(one: FileRun, fits: (all: readonly string[]) => boolean): Promise<void> {
    while (!fits(messages(one))) {
      await new Promise<void>((resolve) => {
        const listener = one.log.onDidChange(() => {
          listener.dispose();
          resolve();
        });
      });
    }
  }

  const answer = (text: string, more: object = {}): string => {
    const message = {
      role: 'assistant',
      id: text.slice(0, 20),
      stop_reason: 'end_turn',
      content: [{ type: 'text', text }],
    };
    const line = { parentUuid: 'u', sessionId: id, timestamp: '2026-11-20T12:00:00.000Z', type: 'assistant', message };
    return `${JSON.stringify({ ...line, ...more })}\n`;
  };

  itUnless(isWindows, 'Windows replaces no open file')(
    'show each record once after the file was replaced, and say so',
    async () => {
      writeFileSync(path, fixture);
      const one = await opened();
      await one.read();
      const before = messages(one);
      writeFileSync(`${path}.tmp`, fixture.replaceAll('Run the tests.', 'Run them again.'));
      renameSync(`${path}.tmp`, path);
      await until(one, (all) => all.length > before.length);
      assert.deepEqual(messages(one), [
        'The session was rewritten; read again',
        ...before.map((message) => (message === 'Run the tests.' ? 'Run them again.' : message)),
      ]);
    },
  );

  it('show a line that was half written when it is whole', async () => {
    const line = answer('Whole at last.');
    writeFileSync(path, fixture + line.slice(0, 40));
    const one = await opened();
    await one.read();
    const { length } = messages(one);
    appendFileSync(path, line.slice(40));
    await until(one, (all) => all.includes('Whole at last.'));
    assert.equal(messages(one).length, length + 1);
  });

  it('show a line of 12 million characters, and a longer one by its type and size', async () => {
    writeFileSync(path, fixture + answer('yes '.repeat(3e6)) + answer('z'.repeat(17e6)) + answer('The end.'));
    const one = await opened();
    await one.read();
    const [long, longer, last] = messages(one).filter((message) => /^yes|too long|The end/.test(message));
    assert.match(long ?? '', /^yes yes /);
    assert.equal(longer, 'A line of type "assistant" is too long to read (17 MB)');
    assert.equal(last, 'The end.');
  });

  it('report how they ended if their last line is long, and not if it is too long', async () => {
    const lines = fixture.repeat(10);
    const failed = { isApiErrorMessage: true, error: 'rate_limit' };
    writeFileSync(path, lines + answer('e'.repeat(100_000), failed));
    assert.equal((await sessions().list('claude')).sessions[0]?.outcome, 'error');
    writeFileSync(path, lines + answer('e'.repeat(2e6), failed));
    assert.equal((await sessions().list('claude')).sessions[0]?.outcome, undefined);
  });

  it('report their progress while a large one is read', async () => {
    const text = fixture + Array.from({ length: 4000 }, (_, n) => answer(`Answer ${n} ${'.'.repeat(4000)}`)).join('');
    writeFileSync(path, text);
    const one = await opened();
    const read: number[] = [];
    one.onDidChangeState((state) => {
      if (state.type === 'reading') read.push(state.read / state.size);
    });
    await one.read();
    assert.ok(read.length > 5 && read.every((part, index) => part > (read[index - 1] ?? 0) && part <= 1));
  });

  it('are listed in a folder of 100,000 without reading or examining more than needed', async () => {
    const names = Array.from(
      { length: 100_000 },
      (_, n) => `0c5f0f0e-0000-4000-8000-${String(n).padStart(12, '0')}.jsonl`,
    );
    let reads = 0;
    const fs: SavedFs = {
      list: (folder, below) => {
        const isRoot = below === 'projects';
        if (isRoot) return Promise.resolve([{ name: '-p', isFolder: true }]);
        return Promise.resolve(folder.endsWith('-p') ? names.map((name) => ({ name, isFolder: false })) : []);
      },
      isDenied: () => Promise.resolve(false),
      stat: (file) => Promise.resolve({ size: 100, modifiedAt: Number(file.slice(-18, -6)) }),
      read: () => {
        reads++;
        return Promise.resolve(Buffer.from('{}'));
      },
    };
    const list = await sessions({ fs }).list('claude', { limit: 50 });
    assert.deepEqual([list.sessions.length, list.total, reads], [50, 100_000, 50]);
    assert.equal(list.sessions[0]?.id.slice(-5), '99999');
  });

  it('say which folder the user may not read', async () => {
    const fs: SavedFs = {
      ...nodeFs,
      list: () => Promise.resolve([]),
      isDenied: (folder) => Promise.resolve(folder.endsWith('.claude')),
    };
    const all = sessions({ fs });
    assert.deepEqual(
      (await all.agents()).map(({ agent }) => agent),
      ['claude'],
    );
    const list = await all.list('claude');
    assert.equal(inEnglish(list.problem!), `You don't have permission to read ${join(home, '.claude')}.`);
  });

  it("say that a database can't be read, and why", async () => {
    const folder = join(home, '.local/share/opencode');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'opencode.db'), '');
    const databases = fakeDatabases(() => {
      throw new WordsError(t('it took longer than {0} s', 10));
    });
    const { problem } = await sessions({ databases }).list('opencode');
    assert.equal(inEnglish(problem!), "OpenCode's database can't be read: it took longer than 10 s");
  });

  it('are followed on after a database was locked for a while', async () => {
    let version: string | undefined = '1';
    const look = (): Promise<string> =>
      version === undefined ? Promise.reject(new Error('database is locked')) : Promise.resolve(version);
    const take = () => Promise.resolve({ lines: [{ key: version ?? '', line: { version } }], size: 1 });
    const lines = new SnapshotLines(look, take);
    assert.equal((await lines.read())?.length, 1);
    version = undefined;
    assert.equal(await lines.read(), undefined);
    version = '2';
    assert.equal((await lines.read())?.length, 1);
  });
});
