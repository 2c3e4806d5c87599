import type { Words } from '../../text/translator';
import { t } from '../../text/translator';
import { markedId } from '../../text/sessionLabel';
import type { PermissionFact, ProgressFact, SubagentFact, WaitingFact } from '../../work/activity';
import { BoundedMap } from '../../text/boundedMap';
import type { Conversation } from '../conversation/conversation';
import type { TurnEnd } from '../../work/turn';
import { causes } from '../causes';
import { subagentSubject } from '../failures/turnFailure';
import type { Findings, Found, Rule } from '../rule';

/** How many subagents of a session are remembered. */
const maxChildren = 50;
const maxSessions = 500;
/** A session that waits for the user should have asked within this time, in milliseconds. */
const maxWait = 5000;
/** How long a subagent was silent before its turn was abandoned, in milliseconds. */
const quietFor = 10_000;
/** After this time, in milliseconds, it was probably cancelled because it was stuck. */
const stuckFor = 5 * 60_000;

type Problem = NonNullable<SubagentFact['problem']>;

function misannounced(problem: Problem, session: string): Words {
  switch (problem) {
    case 'itself':
      return t('Session {0} announced as its own subagent', session);
    case 'ancestor':
      return t('Session {0} announced as a subagent of its own subagent', session);
    case 'other-parent':
      return t('Session {0} announced by two sessions', session);
    case 'too-many':
      return t('Session {0} not shown below its parent: too many subagents, or nested too deeply', session);
  }
}

interface Children {
  readonly failed: readonly string[];
  readonly later: readonly string[];
}

/** Another subagent did the work of one that failed. */
function replaced(id: string): Found {
  return {
    code: 'failed-turn',
    level: 'notice',
    what: t('Another subagent did its work'),
    delivery: { type: 'settled', subject: subagentSubject(id) },
  };
}

/** Subagents that are announced incorrectly, and questions that never reach the client. */
export class SubagentTrouble implements Rule {
  /** When a session began to wait for the user without asking. */
  private readonly since = new BoundedMap<string, number>(maxSessions);
  /** Subagents that failed, and those that were started after that, by the session that started them. */
  private readonly replaced = new BoundedMap<string, Children>(maxSessions);

  subagent({ change, problem, id, outcome, sessionId = '' }: SubagentFact): Findings {
    const work = this.replaced.ensure(sessionId, () => ({ failed: [], later: [] }));
    if (change === 'started') this.replaced.set(sessionId, { ...work, later: [...work.later, id].slice(-maxChildren) });
    if (change === 'ended' && outcome === 'error') {
      this.replaced.set(sessionId, { failed: [...work.failed, id].slice(-maxChildren), later: [] });
    }
    if (change === 'ended' && outcome === 'ok' && work.later.includes(id)) {
      this.replaced.delete(sessionId);
      return work.failed.map(replaced);
    }
    if (change !== 'refused' || problem === undefined) return undefined;
    return {
      code: 'protocol-violation',
      level: problem === 'too-many' ? 'notice' : 'warning',
      what: misannounced(problem, markedId(id)),
      advice: t('Announce each child session once, by the session that started it.'),
      cause: causes.invalidSubagent,
      key: `subagent ${problem}`,
    };
  }

  waiting({ sessionId, event }: WaitingFact, conversation: Conversation): undefined {
    if (sessionId === undefined || this.since.has(sessionId)) return;
    const isAsked = conversation.work.requests.judged.some(
      (one) => one.direction === 'in' && one.sessionId === sessionId,
    );
    if (!isAsked) this.since.set(sessionId, event.t);
  }

  permission({ sessionId }: PermissionFact): undefined {
    if (sessionId !== undefined) this.since.delete(sessionId);
  }

  progress({ sessionId }: ProgressFact): undefined {
    if (sessionId !== undefined) this.since.delete(sessionId);
  }

  turnEnded({ turn, event }: TurnEnd): Findings {
    this.since.delete(turn.sessionId);
    const isGivenUp = turn.cancel !== undefined || turn.isSessionClosed;
    const quiet = [...turn.tools.values()].find(({ isSubagent, since }) => isSubagent && event.t - since >= quietFor);
    if (!isGivenUp || !quiet) return undefined;
    return {
      code: 'silence',
      level: event.t - quiet.since >= stuckFor ? 'warning' : 'notice',
      what: t('Subagent `{0}` reported nothing for {1}, until the turn was cancelled', quiet.title, {
        ms: event.t - quiet.since,
      }),
      advice: t('It may have waited for a permission that the agent never asked the client for.'),
      cause: causes.subagentSilent,
    };
  }

  passed(now: number): Found[] {
    if (this.since.size === 0) return [];
    const due = this.since.keys().filter((id) => now - (this.since.get(id) ?? now) >= maxWait);
    for (const id of due) this.since.delete(id);
    return due.map((sessionId) => ({
      code: 'silence',
      level: 'warning',
      what: t('Waits for an answer, but its question never reached the client'),
      advice: t("Cancel the turn. Agents must send `session/request_permission` with the waiting session's ID."),
      cause: causes.questionLost,
      sessionId,
      key: 'question',
    }));
  }

  isWatching(): boolean {
    return this.since.size > 0;
  }
}
