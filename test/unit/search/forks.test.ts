import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { FileRuns } from '../../../src/past/files/fileRuns';
import { SavedSessions } from '../../../src/past/saved/list/savedSessions';
import { savedSearchedSessions } from '../../../src/search/searchedSession';
import type { SearchEvents, SearchServices } from '../../../src/search/sessionSearch';
import { SessionSearch } from '../../../src/search/sessionSearch';
import { nodeScan } from '../../../src/search/textScan';
import { JournalFolder } from '../../../src/wire/journal/journalFolder';
import { ClaudeLines } from '../../support/claudeLines';
import { savedHomeOptions } from '../../support/savedHome';

const [origin, fork] = ['0c5f0f0e-0000-4000-8000-0000000000aa', '0c5f0f0e-0000-4000-8000-0000000000bb'];

describe('searching a fork', () => {
  let home: string;
  beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'agent-logs-'))));
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  const pathOf = (id: string): string => join(home, '.claude/projects/-home-me-project', `${id}.jsonl`);

  function write(id: string, own: string, more: object = {}): void {
    const session = new ClaudeLines(id);
    const copied = [session.prompt('u1', 'Plan the larder', more), session.answer('u2', 'm1', [1, 1], more)];
    const lines = [...copied, session.prompt('u3', own), session.answer('u4', `m2${id}`, [1, 1])];
    mkdirSync(dirname(pathOf(id)), { recursive: true });
    writeFileSync(pathOf(id), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  }

  /** The texts that are found, behind the end of their session's ID. */
  async function hits(text: string): Promise<readonly string[]> {
    const nowhere = new JournalFolder('/nowhere');
    const fileRuns = new FileRuns(nowhere, nowhere, () => ({ level: 'info', maxMemory: 1e7, redaction: undefined }));
    const saved = new SavedSessions(savedHomeOptions(home));
    const found: string[] = [];
    const sessions: SearchServices['sessions'] = (signal) => savedSearchedSessions(saved, fileRuns, signal);
    const discard: SearchServices['discard'] = (run) => fileRuns.discard(run);
    const onHits: SearchEvents['onHits'] = ({ session, hits: all }) =>
      found.push(...all.map(({ context }) => `${session.key.slice(-8, -6)} ${context}`));
    const events = { signal: new AbortController().signal, onHits, onProgress: () => undefined };
    await new SessionSearch({ sessions, scan: nodeScan, redactor: undefined, discard }).search(text, events);
    return found.sort();
  }

  it('finds what it copied only in its origin, if that is there', async () => {
    write(origin, 'Build the larder');
    write(fork, 'Paint the larder', { forkedFrom: { sessionId: origin } });
    assert.deepEqual(await hits('plan larder'), ['aa Plan the larder']);
    const all = ['aa Build the larder', 'aa Plan the larder', 'bb Paint the larder'];
    assert.deepEqual(await hits('level:debug larder'), all);
    rmSync(pathOf(origin));
    assert.deepEqual(await hits('plan larder'), ['bb Plan the larder']);
  });
});
