import { inEnglish, t, WordsError } from '../../../../src/text/translator';
import assert from 'node:assert/strict';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { FileRun } from '../../../../src/past/files/fileRun';
import { SnapshotLines } from '../../../../src/past/saved/lineSource';
import type { SavedFs } from '../../../../src/past/saved/list/savedFs';
import { nodeFs } from '../../../../src/past/saved/list/savedFs';
import { column } from '../../../support/columns';
import { fakeDatabases } from '../../../support/databases';
import { isWindows, itUnless } from '../../../support/platform';
import { messagesOf, untilSays } from '../../../support/savedRun';
import { useSavedHome } from '../../../support/savedSuite';

const id = '0c5f0f0e-3b1a-4a57-9a43-6d2f2f1b7a11';
const fixture = readFileSync('test/fixtures/saved/claude-terminal.jsonl', 'utf8');

describe('saved sessions that are damaged, huge or out of reach', () => {
  const home = useSavedHome();
  const write = (text: string): string => home.write(`.claude/projects/-home-me-project/${id}.jsonl`, text);

  async function open(): Promise<FileRun> {
    const all = home.sessions();
    const [session = assert.fail('no session')] = (await all.list('claude')).sessions;
    return home.opened(all.open(session));
  }

  const answer = (text: string, more: object = {}): string => {
    const content = [{ type: 'text', text }];
    const message = { role: 'assistant', id: text.slice(0, 20), stop_reason: 'end_turn', content };
    const line = { parentUuid: 'u', sessionId: id, timestamp: '2026-11-20T12:00:00.000Z', type: 'assistant', message };
    return `${JSON.stringify({ ...line, ...more })}\n`;
  };

  itUnless(isWindows, 'Windows replaces no open file')(
    'show each record once after the file was replaced, and say so',
    async () => {
      const path = write(fixture);
      const run = await open();
      const before = messagesOf(run);
      writeFileSync(`${path}.tmp`, fixture.replaceAll('Run the tests.', 'Run them again.'));
      renameSync(`${path}.tmp`, path);
      await untilSays(run, before.at(-1) ?? '', before.length + 1);
      assert.deepEqual(messagesOf(run), [
        'The session was rewritten; read again',
        ...before.map((message) => (message === 'Run the tests.' ? 'Run them again.' : message)),
      ]);
    },
  );

  it('show a line of 12 million characters, and a longer one by its type and size', async () => {
    write(fixture + answer('yes '.repeat(3e6)) + answer('z'.repeat(17e6)) + answer('The end.'));
    const shown = messagesOf(await open()).filter((message) => /^yes|too long|The end/.test(message));
    assert.match(shown[0] ?? '', /^yes yes /);
    assert.deepEqual(shown.slice(1), ['A line of type "assistant" is too long to read (17 MB)', 'The end.']);
  });

  it('report how they ended if their last line is long, and not if it is too long', async () => {
    for (const [length, outcome] of [
      [100_000, 'error'],
      [2e6, undefined],
    ] as const) {
      write(fixture.repeat(10) + answer('e'.repeat(length), { isApiErrorMessage: true, error: 'rate_limit' }));
      assert.equal((await home.sessions().list('claude')).sessions[0]?.outcome, outcome);
    }
  });

  it('report their progress while a large one is read', async () => {
    write(fixture + Array.from({ length: 4000 }, (_, n) => answer(`Answer ${n} ${'.'.repeat(4000)}`)).join(''));
    const all = home.sessions();
    const [session = assert.fail('no session')] = (await all.list('claude')).sessions;
    const run = new FileRun(all.open(session), { level: 'debug', maxMemory: 1e8, redaction: undefined });
    const read: number[] = [];
    run.onDidChangeState((state) => {
      if (state.type === 'reading') read.push(state.read / state.size);
    });
    await run.read();
    await run.dispose();
    assert.ok(read.length > 5 && read.every((part, index) => part > (read[index - 1] ?? 0) && part <= 1));
  });

  it('are listed in a folder of 100,000 without reading or examining more than needed', async () => {
    const files = Array.from({ length: 100_000 }, (_, n) => {
      return { name: `0c5f0f0e-0000-4000-8000-${String(n).padStart(12, '0')}.jsonl`, isFolder: false };
    });
    let reads = 0;
    const fs: SavedFs = {
      list: (folder, below) => {
        if (below === 'projects') return Promise.resolve([{ name: '-p', isFolder: true }]);
        return Promise.resolve(folder.endsWith('-p') ? files : []);
      },
      isDenied: () => Promise.resolve(false),
      stat: (file) => Promise.resolve({ size: 100, modifiedAt: Number(file.slice(-18, -6)) }),
      read: () => {
        reads++;
        return Promise.resolve(Buffer.from('{}'));
      },
    };
    const list = await home.sessions({ fs }).list('claude', { limit: 50 });
    assert.deepEqual([list.sessions.length, list.total, reads], [50, 100_000, 50]);
    assert.equal(list.sessions[0]?.id.slice(-5), '99999');
  });

  it('say which folder the user may not read', async () => {
    const isDenied = (folder: string): Promise<boolean> => Promise.resolve(folder.endsWith('.claude'));
    const all = home.sessions({ fs: { ...nodeFs, list: () => Promise.resolve([]), isDenied } });
    assert.deepEqual(column(await all.agents(), 'agent'), ['claude']);
    const list = await all.list('claude');
    assert.equal(inEnglish(list.problem!), `You don't have permission to read ${home.in('.claude')}.`);
  });

  it("say that a database can't be read, and why", async () => {
    home.write('.local/share/opencode/opencode.db', '');
    const databases = fakeDatabases(() => {
      throw new WordsError(t('it took longer than {0} s', 10));
    });
    const { problem } = await home.sessions({ databases }).list('opencode');
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
