import type { Measure } from '../../../text/measure';
import { BoundedMap } from '../../../text/boundedMap';
import { t } from '../../../text/translator';
import type { Asking, PermissionFact } from '../../../work/activity';
import type { ClosedFact, ResponseFact } from '../../../work/facts';
import { keyOf, requestKeyOf } from '../../../work/step';
import type { TurnEnd } from '../../../work/turn';
import { causes } from '../../causes';
import type { Conversation } from '../../conversation/conversation';
import type { Finding } from '../../diagnosis';
import { standing } from '../../diagnosis';
import type { Findings, Rule } from '../../rule';
import { askedFor } from '../../sessionSummary';
import type { Timeouts } from '../../timeouts';
import { mentionedAfter } from '../../timeouts';
import { endWork } from '../../../protocols/terms';

const maxQuestions = 200;

/** A question that waits for an answer of the user. */
interface Wait {
  /** The same for the question as long as it is open. */
  readonly key: string;
  readonly sessionId: string | undefined;
  readonly asking: Asking;
  readonly subject: string | undefined;
  readonly since: number;
}

interface Reported extends Wait {
  /** 0: not at all. 1: mentioned. 2: as a problem. */
  stage: 0 | 1 | 2;
}

/** Questions that the user hasn't answered for long. */
export class WaitingForUser implements Rule {
  private readonly reported = new BoundedMap<string, Reported>(maxQuestions);
  /** Cache: nothing is due before this time. */
  private nextLook = 0;
  private readonly longest: number;

  constructor({ person }: Pick<Timeouts, 'person'>) {
    this.longest = person;
  }

  passed(t: number, conversation: Conversation): Finding[] {
    if (t < this.nextLook) return [];
    this.nextLook = t + this.longest * mentionedAfter;
    if (conversation.askedToEnd) return [];
    return waitsIn(conversation).flatMap((wait) => this.look(wait, t));
  }

  permission({ change, outcome, sessionId, id, event }: PermissionFact, conversation: Conversation): Findings {
    if (change === 'asked') return undefined;
    // Without an answer, the agent has given up.
    const isGivenUp =
      outcome === 'cancelled' && event.dir === 'a2c' && conversation.turnOf(sessionId)?.cancel === undefined;
    return this.end(keyOf('permission', sessionId ?? '', id), event.t, isGivenUp);
  }

  /** The answer to an MCP server. */
  response({ dir, request, event }: ResponseFact): Findings {
    return dir === 'c2a' && request ? this.end(requestKeyOf(request), event.t, false) : undefined;
  }

  closed({ request, event }: ClosedFact): Findings {
    return this.end(requestKeyOf(request), event.t, request.direction === 'in');
  }

  turnEnded({ turn, event }: TurnEnd, { askedToEnd }: Conversation): Findings {
    const isGivenUp = event.dir !== 'c2a' && !turn.cancel && !askedToEnd;
    const own = this.reported.values().filter(({ sessionId }) => sessionId === turn.sessionId);
    return own.flatMap(({ key }) => this.end(key, event.t, isGivenUp));
  }

  isWatching(conversation: Conversation): boolean {
    if (this.longest === Infinity || conversation.askedToEnd) return false;
    return waitsIn(conversation).some(({ key }) => (this.reported.get(key)?.stage ?? 0) < 2);
  }

  private look(wait: Wait, now: number): Finding[] {
    const { key, since } = wait;
    const known = this.reported.get(key);
    const reported: Reported = known?.since === since ? known : { ...wait, stage: 0 };
    this.reported.set(key, reported);
    const { stage } = reported;
    const [mentionAt, problemAt] = [since + this.longest * mentionedAfter, since + this.longest];
    reported.stage = now >= problemAt ? 2 : now >= mentionAt ? 1 : 0;
    if (reported.stage < 2) this.nextLook = Math.min(this.nextLook, reported.stage === 1 ? problemAt : mentionAt);
    return reported.stage > stage ? [found(reported, reported.stage === 2 ? problemAt : mentionAt)] : [];
  }

  /** @param isGivenUp whether the agent stopped waiting without an answer: a problem remains one */
  private end(key: string, at: number, isGivenUp: boolean): Finding[] {
    const reported = this.reported.get(key);
    this.reported.delete(key);
    if (!reported || (isGivenUp && reported.stage === 2)) return [];
    const { sessionId, since } = reported;
    const waited = lasting(at - since);
    const what = isGivenUp ? t('Not answered in {0}', waited) : t('Answered after {0}', waited);
    const delivery = { type: 'settled', subject: subjectOf(key) } as const;
    return [{ code: 'waiting-for-user', level: 'notice', what, delivery, sessionId, at }];
  }
}

function waitsIn({ protocol, work }: Conversation): readonly Wait[] {
  const waits = work.questions.open.map(({ step: { sessionId, startedAt: since }, key, asking, subject }): Wait => {
    return { key, sessionId: sessionId === '' ? undefined : sessionId, asking, subject, since };
  });
  if (protocol !== 'mcp') return waits;
  const asked = work.requests.judged.filter(({ direction, role }) => direction === 'in' && role === 'question');
  const requests = asked.map((request): Wait => {
    const about = { sessionId: undefined, asking: 'answer', subject: undefined } as const;
    return { ...about, key: requestKeyOf(request), since: request.startedAt };
  });
  // Tasks ask in another way.
  return [...waits, ...requests];
}

function found({ key, sessionId, stage, since, asking, subject }: Reported, at: number): Finding {
  const isProblem = stage === 2;
  return {
    code: 'waiting-for-user',
    level: isProblem ? 'warning' : 'notice',
    what: t('Waiting for you for {0}: {1}', lasting(at - since), askedFor(asking, subject)),
    cause: causes.waitingForUser,
    ...(isProblem && { advice: t('Answer it, or {0}.', endWork) }),
    key,
    delivery: standing(subjectOf(key)),
    sessionId,
    at,
  };
}

function subjectOf(key: string): string {
  return `waiting ${key}`;
}

function lasting(ms: number): Measure {
  const seconds = Math.round(ms / 1000);
  return seconds > 0 && seconds % 60 === 0 ? { minutes: seconds / 60 } : { ms };
}
