import assert from 'node:assert/strict';
import type { Activity, SessionSummary } from '../../../src/diagnosis/sessionSummary';
import type { SessionState } from '../../../src/past/saved/now/sessionState';
import type { SessionNow } from '../../../src/past/saved/now/stateChanges';
import type { SavedSession } from '../../../src/past/saved/savedSession';
import { RunLog } from '../../../src/runLog/runLog';
import type { RunView, RunViewState } from '../../../src/runLog/runView';
import { joinSessions, rejoining } from '../../../src/runs/joinedSessions';
import { LiveSessions } from '../../../src/runs/liveSessions';
import { RecordStore } from '../../../src/store/store';
import { Emitter } from '../../../src/text/emitter';
import { inEnglish, verbatim } from '../../../src/text/translator';
import { column } from '../../support/columns';

const asking: Activity = { type: 'waiting-for-person', since: 5, asking: 'permission', subject: 'npm test' };
const answering: Activity = { type: 'answering', since: 3 };
const ended = { type: 'ended', at: 9, termination: { reason: 'completed', terminatedBy: 'agent' } } as const;

const answered: SessionSummary = { activity: { type: 'idle' }, lastTurn: { outcome: 'ok', at: 7, took: 2 } };

/** A run that does what a test says. */
class MadeRun {
  readonly log = new RunLog(new RecordStore(1e6), 0);
  state: RunViewState = { type: 'running', agent: {} };
  private readonly stateEmitter = new Emitter<RunViewState>();
  readonly onDidChangeState = this.stateEmitter.event;
  readonly view: RunView;

  constructor(name: string, about: Partial<RunView> = {}) {
    this.view = Object.assign(this, { id: name, name, cwd: '/home/dev/shop', words: ['node'], ...about }) as RunView;
  }

  ends(): void {
    this.state = ended;
    this.stateEmitter.fire(ended);
  }

  does(id: string, summary: SessionSummary): void {
    this.log.summary(id, summary);
    this.log.flush();
  }
}

class MadeRuns {
  readonly added = new Emitter<RunView>();
  readonly removed = new Emitter<RunView>();
  readonly onDidAdd = this.added.event;
  readonly onDidRemove = this.removed.event;
  readonly told: string[] = [];

  constructor(readonly all: readonly RunView[] = []) {}

  follow(): LiveSessions {
    const live = new LiveSessions(this);
    live.onDidChange((changes) => {
      for (const { before, state, session, isFirst } of changes) {
        this.told.push(`${session.id}: ${before ?? '-'} → ${state.type}${isFirst ? ' (first)' : ''}`);
      }
    });
    return live;
  }
}

describe('the sessions of runs that work or wait', () => {
  it('have the states of saved ones, each change once', () => {
    const runs = new MadeRuns();
    const live = runs.follow();
    const run = new MadeRun('Shop');
    runs.added.fire(run.view);
    run.log.session({ type: 'titled', sessionId: 's', title: 'Sort' });
    run.does('s', { activity: { type: 'idle' } });
    assert.equal(live.sessions.length, 0, 'no turn yet');
    run.does('s', { activity: answering });
    for (let n = 0; n < 3; n++) run.does('s', { activity: { ...asking } });
    const [waiting] = live.sessions;
    const { agentName, session, state } = waiting ?? assert.fail('no session');
    assert.deepEqual([agentName, session.title, session.folder], ['Shop', 'Sort', '/home/dev/shop']);
    assert.deepEqual(state, { type: 'waiting', doing: asking });
    run.does('s', answered);
    run.does('other', { activity: answering });
    assert.deepEqual(runs.told, ['s: - → working', 's: working → waiting', 's: waiting → done', 'other: - → working']);
    assert.ok(live.sessions[0]?.isUnread);
    live.read([live.sessions[0].key]);
    assert.ok(!live.sessions[0].isUnread);
    runs.removed.fire(run.view);
    assert.equal(live.sessions.length, 0);
    run.does('s', { activity: answering });
    assert.equal(runs.told.length, 4);
  });

  it('end as their last turn did', () => {
    const run = new MadeRun('Shop');
    const outcomes = ['ok', 'unknown', 'refused', 'error', 'unanswered', 'cancelled', 'stopped'] as const;
    const live = new MadeRuns([run.view]).follow();
    for (const outcome of outcomes) {
      const why = verbatim('No credit');
      run.does(outcome, { activity: { type: 'ended' }, lastTurn: { outcome, at: 7, took: 2, why } });
    }
    const shown = live.sessions.map(({ state }) =>
      'cause' in state && state.cause ? `${state.type}: ${inEnglish(state.cause)}` : state.type,
    );
    const failed = ['failed: No credit', 'failed: No credit', 'failed: No credit'];
    assert.deepEqual(shown, ['done', 'done', ...failed, 'idle', 'idle']);
  });

  it('are no news if they were there before', () => {
    const run = new MadeRun('Shop');
    run.does('s', answered);
    const live = new MadeRuns([run.view]).follow();
    assert.deepEqual(column(live.sessions, 'isUnread'), [false]);
  });

  it('are not those of subagents, also if that is known later', () => {
    const run = new MadeRun('Shop');
    const live = new MadeRuns([run.view]).follow();
    run.does('sub', { activity: answering });
    assert.equal(live.sessions.length, 1);
    run.log.session({ type: 'seen', sessionId: 'sub', at: 1, parent: 's' });
    run.does('sub', { activity: asking });
    assert.equal(live.sessions.length, 0);
  });
});

describe('sessions that are both live and saved', () => {
  const working: SessionState = { type: 'working', doing: answering };
  const done: SessionState = { type: 'done', at: 7 };

  function saved(id: string, agent: SavedSession['agent'], state = working): SessionNow {
    const session: SavedSession = { agent, id, path: `/${id}.jsonl`, size: 1, modifiedAt: 1 };
    return { key: `saved:${id}`, session, agentName: agent, state, isUnread: false };
  }

  function shown(run: MadeRun, some: readonly SessionNow[], others: readonly MadeRun[] = []): readonly string[] {
    const live = new MadeRuns([...others, run].map(({ view }) => view)).follow();
    return joinSessions(live.sessions, some).all.map(({ key }) => key);
  }

  it('are shown once, as those of their run', () => {
    const run = new MadeRun('Shop');
    run.does('s', { activity: asking });
    assert.deepEqual(shown(run, [saved('s', 'claude'), saved('other', 'claude')]), ['live:Shop s', 'saved:other']);
  });

  it('are joined once for each change', () => {
    const run = new MadeRun('Shop');
    run.does('s', { activity: asking });
    const [live, join, some] = [new MadeRuns([run.view]).follow(), rejoining(), [saved('s', 'claude')]];
    const looked = (): unknown => join(live.sessions, some);
    const first = looked();
    assert.equal(looked(), first);
    run.does('s', { activity: { ...asking, since: 6 } });
    assert.notEqual(looked(), first);
    assert.equal(looked(), looked());
    assert.notEqual(join(live.sessions, []), looked());
    run.does('s', answered);
    const unread = looked();
    live.read(live.sessions.map(({ key }) => key));
    assert.notEqual(looked(), unread);
  });

  it('are others if their agents are', () => {
    for (const about of [
      { words: ['/usr/bin/codex-acp'] },
      { agent: { agentInfo: { name: '@agentclientprotocol/codex-acp' } } },
      { agent: { info: { name: 'x', title: 'Codex' } } },
    ]) {
      const run = new MadeRun('Shop', about);
      run.does('s', { activity: asking });
      assert.deepEqual(shown(run, [saved('s', 'claude')]), ['live:Shop s', 'saved:s']);
      assert.deepEqual(shown(run, [saved('s', 'codex')]), ['live:Shop s']);
    }
  });

  it('are those of another program that goes on with them after the run', () => {
    const run = new MadeRun('Shop');
    run.does('s', { activity: { type: 'ended' }, lastTurn: { outcome: 'ok', at: 7, took: 2 } });
    run.state = ended;
    assert.deepEqual(shown(run, [saved('s', 'claude', done)]), ['live:Shop s']);
    assert.deepEqual(shown(run, [saved('s', 'claude')]), ['saved:s']);
  });

  it('are noticed to be so when the run ends, though its sessions stay as they are', () => {
    const run = new MadeRun('Shop');
    run.does('s', answered);
    const [live, join, some] = [new MadeRuns([run.view]).follow(), rejoining(), [saved('s', 'claude')]];
    const shownNow = (): readonly string[] => join(live.sessions, some).all.map(({ key }) => key);
    const shownThen: (readonly string[])[] = [shownNow()];
    live.onDidChange(() => shownThen.push(shownNow()));
    run.ends();
    assert.deepEqual(shownThen, [['live:Shop s'], ['saved:s']]);
  });

  it('are shown once if a later run has resumed them', () => {
    const [first, second] = [new MadeRun('Shop', { id: 'first' }), new MadeRun('Shop', { id: 'second' })];
    first.state = ended;
    for (const run of [first, second]) run.does('s', { activity: asking });
    assert.deepEqual(shown(second, [saved('s', 'claude')], [first]), ['live:second s']);
  });
});
