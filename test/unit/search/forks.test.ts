import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { savedSearchedSessions } from '../../../src/search/searchedSession';
import type { SearchEvents, SearchServices } from '../../../src/search/sessionSearch';
import { SessionSearch } from '../../../src/search/sessionSearch';
import { nodeScan } from '../../../src/search/textScan';
import { ClaudeLines } from '../../support/claudeLines';
import { newFileRuns } from '../../support/fileRuns';
import { useSavedHome } from '../../support/savedSuite';

const [origin, fork] = ['0c5f0f0e-0000-4000-8000-0000000000aa', '0c5f0f0e-0000-4000-8000-0000000000bb'];

describe('searching a fork', () => {
  const home = useSavedHome();
  const pathOf = (id: string): string => `.claude/projects/-home-me-project/${id}.jsonl`;

  function write(id: string, own: string, more: object = {}): void {
    const session = new ClaudeLines(id);
    const copied = [session.prompt('u1', 'Plan the larder', more), session.answer('u2', 'm1', [1, 1], more)];
    home.write(pathOf(id), [...copied, session.prompt('u3', own), session.answer('u4', `m2${id}`, [1, 1])]);
  }

  /** The texts that are found, behind the end of their session's ID. */
  async function hits(text: string): Promise<readonly string[]> {
    const fileRuns = newFileRuns();
    const found: string[] = [];
    const sessions: SearchServices['sessions'] = (signal) => savedSearchedSessions(home.sessions(), fileRuns, signal);
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
    rmSync(home.in(pathOf(origin)));
    assert.deepEqual(await hits('plan larder'), ['bb Plan the larder']);
  });
});
