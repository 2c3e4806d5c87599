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
import type { FileRuns } from '../../../../src/past/files/fileRuns';
import { activeUntil } from '../../../../src/past/files/fileRuns';
import { Runs, RunViews } from '../../../../src/runs/runs';
import { savedWork } from '../../../../src/past/saved/list/savedUsage';
import type { SavedSession } from '../../../../src/past/saved/savedSession';
import { SavedSessions } from '../../../../src/past/saved/list/savedSessions';
import { savedSearchedSessions } from '../../../../src/search/searchedSession';
import type { SessionHits } from '../../../../src/search/sessionSearch';
import { SessionSearch } from '../../../../src/search/sessionSearch';
import { nodeScan } from '../../../../src/search/textScan';
import { describeSide, stepDifference } from '../../../../src/timeline/comparison';
import { AnswerRuns } from '../../../../src/answers/answerRuns';
import { savedOf } from '../../../../src/answers/askingSession';
import { runHere } from '../../../support/cliHere';
import { hasSqlite } from '../../../support/databases';
import { newFileRuns } from '../../../support/fileRuns';
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
    fileRuns = newFileRuns();
    saved = new SavedSessions(savedHomeOptions(home));
  });
  afterEach(() => fileRuns.dispose());

  const printed = async (...args: string[]): Promise<readonly Record<string, unknown>[]> => {
    const { code, stdout, stderr } = await runHere(home, [...args, '--json'], { env: savedHomeEnv(home) });
    assert.deepEqual([code, stderr], [0, '']);
    const lines = stdout.trim().split('\n');
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  };

  async function listed(agent: SaverId, from = saved): Promise<SavedSession> {
    const { sessions, problem } = await from.list(agent);
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

  async function found(agent: SaverId, from = saved): Promise<readonly SessionHits[]> {
    const groups: SessionHits[] = [];
    const services = {
      sessions: (signal: AbortSignal) => savedSearchedSessions(from, fileRuns, signal),
      scan: nodeScan,
      redactor: new Redactor(),
      discard: (run: FileRun) => fileRuns.discard(run),
    };
    await new SessionSearch(services).search(`agent:${agent} "${savedSamples[agent].text}"`, {
      signal: new AbortController().signal,
      onHits: (hits) => groups.push(hits),
      onProgress: () => undefined,
    });
    return groups;
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
        const runs = await Promise.all((await found(agent)).map(({ session }) => session.open()));
        const wanted = await opened(agent);
        assert.ok(runs.some((run) => run.id === wanted.id));
      });

      it('is exported as a journal that reads like the original, with its subagents', async () => {
        const run = await opened(agent);
        const path = join(home, `${agent}.ndjson`);
        await exportRun(run, {
          ...{ path, format: 'journal', redaction: redactionWith(), onProgress: () => undefined },
          token: { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => undefined }) },
        });
        const copy = await fileRuns.show(await fileRuns.at(path, 'opened'));
        await copy.read();
        assert.deepEqual([copy.name, copy.cwd, copy.startedAt], [run.name, run.cwd, run.startedAt]);
        assert.deepEqual(messagesOf(copy).sort(), messagesOf(run).sort());
        assert.deepEqual(parentsOf(copy), parentsOf(run));
      });

      it('is kept as a copy that is listed, read and searched like the original, once', async () => {
        if (!isReadable(agent)) return;
        const keptPath = mkdtempSync(join(home, 'kept-'));
        const keeping = (of: string): SavedSessions =>
          new SavedSessions({ ...savedHomeOptions(of), keptPath, redactor: new Redactor() });
        const read = async (of: SavedSession, from: SavedSessions): Promise<FileRun> => {
          const run = await fileRuns.show(fileRuns.saved(from.open(of)));
          await run.read();
          return run;
        };
        const both = keeping(home);
        const session = await listed(agent, both);
        const original = await read(session, both);
        const { usage } = await savedWork(both.open(session));
        const [count, hits] = [(await both.list(agent)).sessions.length, await found(agent, both)];
        await both.keep(session, { by: 'user' });
        const { kept, isGone, path } = await listed(agent, both);
        assert.deepEqual([kept?.by, isGone, path], ['user', undefined, session.path]);
        assert.equal((await both.list(agent)).sessions.length, count);
        assert.ok(hits.length > 0);
        assert.equal((await found(agent, both)).length, hits.length);

        // Its agent has deleted everything.
        const later = keeping(join(keptPath, 'home'));
        const { sessions: left, total } = await later.list(agent);
        assert.equal(total, 1);
        const [copy] = left;
        assert.ok(copy?.isGone === true && copy.kept?.original === session.path);
        assert.deepEqual(factsOf(copy), factsOf(session));
        assert.ok((await later.agents()).some((one) => one.agent === agent));
        assert.equal((await later.find(agent, session.id))?.path, copy.path);
        assert.equal((await found(agent, later)).length, 1);
        const run = await read(copy, later);
        assert.deepEqual(messagesOf(run), messagesOf(original));
        assert.deepEqual(parentsOf(run), parentsOf(original));
        assert.deepEqual((await savedWork(later.open(copy))).usage, usage);
        assert.equal((await later.openFile(copy.path))?.saved?.sessionId, session.id);
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
        const window = { isHere: () => true, isFirst: () => true };
        const tools = new AnswerRuns(new RunViews(new Runs(), fileRuns), fileRuns, source, window);
        const isReached = async (asking?: string): Promise<boolean> => {
          const all = await tools.all((run) => asking !== undefined && savedOf(run)?.sessionId === asking);
          return all.some((run) => run.id === saved.open(session).id);
        };
        const reached = [await isReached(), await isReached('another'), await isReached(session.id)];
        assert.deepEqual(reached, [true, true, false]);
      });
    });
  }
});

/** False for a database that this Node.js can't read. The tests run in VS Code's, too, which can. */
function isReadable(agent: SaverId): boolean {
  return hasSqlite || formOf(agent).type !== 'database';
}

function factsOf({ id, title, folder, startedAt, model, outcome, forkedFrom, modifiedAt }: SavedSession): unknown {
  return { id, title, folder, startedAt, model, outcome, forkedFrom, modifiedAt };
}

function parentsOf({ log }: FileRun): readonly unknown[] {
  return log.sessions.map(({ id, parent }) => [id, parent]);
}
