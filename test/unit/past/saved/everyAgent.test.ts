import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formOf, savers } from '../../../../src/agents/agents';
import type { SaverId } from '../../../../src/agents/agents';
import { Redactor } from '../../../../src/redact/redactor';
import { actionsOf } from '../../../../src/runs/actions';
import { comparedSpans } from '../../../../src/runs/comparedSpans';
import { exportRun } from '../../../../src/export/exportRun';
import type { FileRun } from '../../../../src/past/files/fileRun';
import { activeUntil, FileRuns } from '../../../../src/past/files/fileRuns';
import { Runs, RunViews } from '../../../../src/runs/runs';
import type { SavedSession } from '../../../../src/past/saved/savedSession';
import { SavedSessions } from '../../../../src/past/saved/list/savedSessions';
import { savedSearchedSessions } from '../../../../src/search/searchedSession';
import type { SessionHits } from '../../../../src/search/sessionSearch';
import { SessionSearch } from '../../../../src/search/sessionSearch';
import { nodeScan } from '../../../../src/search/textScan';
import { describeSide, stepDifference } from '../../../../src/timeline/comparison';
import { AnswerRuns } from '../../../../src/answers/answerRuns';
import { savedOf } from '../../../../src/answers/askingSession';
import { JournalFolder } from '../../../../src/wire/journal/journalFolder';
import { runHere } from '../../../support/cliHere';
import { hasSqlite } from '../../../support/databases';
import { savedHomeEnv, savedHomeOptions } from '../../../support/savedHome';
import { makeSamples, savedSamples } from '../../../support/savedSamples';
import { messagesOf } from '../../../support/savedRun';
import { redactionWith } from '../../../support/redaction';

/** What can be done with a saved session, for each agent that saves some. */
describe('every agent that saves sessions', () => {
  let home: string;
  let fileRuns: FileRuns;
  let saved: SavedSessions;

  before(() => {
    home = mkdtempSync(join(tmpdir(), 'agent-logs-'));
    makeSamples(home);
  });
  after(() => rmSync(home, { recursive: true, force: true }));

  beforeEach(() => {
    const nowhere = new JournalFolder('/nowhere');
    fileRuns = new FileRuns(nowhere, nowhere, () => ({ level: 'info', maxMemory: 1e7, redaction: undefined }));
    saved = new SavedSessions(savedHomeOptions(home));
  });
  afterEach(() => fileRuns.dispose());

  const printed = async (...args: string[]): Promise<readonly Record<string, unknown>[]> => {
    const { code, stdout, stderr } = await runHere(home, [...args, '--json'], { env: savedHomeEnv(home) });
    assert.deepEqual([code, stderr], [0, '']);
    const lines = stdout.trim().split('\n');
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  };

  async function listed(agent: SaverId): Promise<SavedSession> {
    const { sessions, problem } = await saved.list(agent);
    assert.equal(problem, undefined);
    // Two recordings of Claude Code have the same ID inside.
    const session = sessions.filter(({ id }) => id.endsWith(savedSamples[agent].id)).at(-1);
    return session ?? assert.fail(sessions.map(({ id }) => id).join(' '));
  }

  async function opened(agent: SaverId): Promise<FileRun> {
    const { exported } = savedSamples[agent];
    const info =
      isReadable(agent) || exported === undefined ? saved.open(await listed(agent)) : await saved.openFile(exported);
    assert.equal(info?.saved?.agent, agent);
    const run = await fileRuns.show(fileRuns.saved(info));
    await run.read();
    return run;
  }

  for (const { id: agent } of savers) {
    const { id, text, exported } = savedSamples[agent];
    // The Node of VS Code reads databases: there, `test:vscode` runs this again.
    if (!isReadable(agent) && exported === undefined) continue;

    describe(agent, () => {
      it('is in `agent-logs sessions`', async () => {
        if (!isReadable(agent)) return;
        const sessions = await printed('sessions', '--agent', agent);
        const session = sessions.find((one) => String(one['id']).endsWith(id));
        assert.equal(typeof session?.['title'], 'string');
        assert.match(String(session?.['folder']), /^\/home\/(?:me|dev)\/project$/);
        assert.ok(session?.['usage'] !== undefined, 'what its turns used');
      });

      it('is printed by `agent-logs tail`', async () => {
        const records = await printed('tail', isReadable(agent) ? id : (exported ?? id));
        assert.ok(records.some(({ message }) => String(message).includes(text)));
      });

      it('is searched', async () => {
        if (!isReadable(agent)) return;
        const groups: SessionHits[] = [];
        const services = {
          sessions: (one: Parameters<typeof savedSearchedSessions>[2]) => savedSearchedSessions(saved, fileRuns, one),
          scan: nodeScan,
          redactor: new Redactor(),
          discard: (run: FileRun) => fileRuns.discard(run),
        };
        await new SessionSearch(services).search(`agent:${agent} "${text}"`, {
          signal: new AbortController().signal,
          onHits: (found) => groups.push(found),
          onProgress: () => undefined,
        });
        const runs = await Promise.all(groups.map(({ session }) => session.open()));
        const wanted = await opened(agent);
        assert.ok(runs.some((run) => run.id === wanted.id));
      });

      it('is kept as a copy that reads like the original, with its subagents', async () => {
        const run = await opened(agent);
        const path = join(home, `${agent}.ndjson`);
        await exportRun(run, {
          path,
          format: 'journal',
          redaction: redactionWith(),
          token: { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => undefined }) },
          onProgress: () => undefined,
        });
        const copy = await fileRuns.show(await fileRuns.at(path, 'opened'));
        await copy.read();
        assert.deepEqual([copy.name, copy.cwd, copy.startedAt], [run.name, run.cwd, run.startedAt]);
        assert.deepEqual(textsOf(copy), textsOf(run));
        assert.deepEqual(parentsOf(copy), parentsOf(run));
      });

      it('is compared with another', async () => {
        const [run, other] = [await opened(agent), await opened(agent === 'claude' ? 'codex' : 'claude')];
        assert.ok(actionsOf(run).has('compare'));
        const sides = [run, other].map(async (one) => {
          return { head: [one.name], spans: await comparedSpans(one), now: activeUntil(one), isTurn: false };
        });
        const [side, otherSide] = await Promise.all(sides);
        assert.ok(side && otherSide && (await stepDifference(side, otherSide)));
        assert.equal(await stepDifference(side, side), undefined);
        assert.match((await describeSide(side, otherSide)).text, /First difference: step \d/);
        assert.ok(side.spans.some(({ kind }) => kind === 'turn'));
      });

      it('is reached by the chat tools, but not by the chat that it is', async () => {
        if (!isReadable(agent)) return;
        const session = await listed(agent);
        const source = { isShown: true, folders: [session.folder ?? ''], load: () => Promise.resolve(saved) };
        const tools = new AnswerRuns(new RunViews(new Runs(), fileRuns), fileRuns, source, {
          isHere: () => true,
          isFirst: () => true,
        });
        const wanted = saved.open(session).id;
        const all = async (asking?: string) =>
          (await tools.all((run) => asking !== undefined && savedOf(run)?.sessionId === asking)).map((run) => run.id);
        assert.ok((await all()).includes(wanted));
        assert.ok((await all('another')).includes(wanted));
        assert.ok(!(await all(session.id)).includes(wanted));
      });
    });
  }
});

/** False for a database that this Node.js can't read. The tests run in VS Code's, too, which can. */
function isReadable(agent: SaverId): boolean {
  return hasSqlite || formOf(agent).type !== 'database';
}

function textsOf(run: FileRun): readonly string[] {
  return messagesOf(run).sort();
}

function parentsOf({ log }: FileRun): readonly unknown[] {
  return log.sessions.map(({ id, parent }) => [id, parent]);
}
