import { BoundedMap } from '../../../log/boundedMap';
import { duration } from '../../../log/text';
import type { Words } from '../../../log/translator';
import { t } from '../../../log/translator';
import type { Asking, PermissionFact } from '../../../work/activity';
import type { ClosedFact, ResponseFact } from '../../../work/facts';
import { keyOf, requestKeyOf } from '../../../work/step';
import type { TurnEnd } from '../../../work/turn';
import { causes } from '../../causes';
import type { Conversation } from '../../conversation/conversation';
import type { Finding } from '../../diagnosis';
import type { Findings, Rule } from '../../rule';
import { askedFor } from '../../sessionSummary';
import type { Timeouts } from '../../timeouts';

const maxQuestions = 200;
const elicitation = 'elicitation/create';
/** When a wait is mentioned, as a part of the time after which it is a problem. */
const mention = 0.25;

/** A question that waits for an answer of the user. */
interface Wait {
  /** The same for the question as long as it is open. */
  readonly key: string;
  readonly sessionId: string | undefined;
  readonly asking: Asking;
  readonly subject: string | undefined;
  readonly since: number;
}

/** 0: not at all. 1: mentioned. 2: as a problem. */
type Stage = 0 | 1 | 2;

interface Reported extends Wait {
  stage: Stage;
  /** What is due, and reported if the question is still open the next time: what is read now may be its answer. */
  due: Stage;
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
    this.nextLook = t + this.longest * mention;
    if (conversation.askedToEnd) return [];
    return waitsIn(conversation).flatMap((wait) => this.look(wait, t));
  }

  permission({ change, outcome, sessionId, id, event }: PermissionFact, { work }: Conversation): Findings {
    if (change === 'asked') return undefined;
    // Without an answer, the agent has given up.
    const isGivenUp = outcome === 'cancelled' && event.dir === 'a2c' && work.turnOf(sessionId)?.cancel === undefined;
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

  finished(): Finding[] {
    return this.reported.values().flatMap((reported) => this.release(reported));
  }

  isWatching(conversation: Conversation): boolean {
    if (this.longest === Infinity || conversation.askedToEnd) return false;
    return waitsIn(conversation).some(({ key }) => (this.reported.get(key)?.stage ?? 0) < 2);
  }

  private look(wait: Wait, now: number): Finding[] {
    const { key, since } = wait;
    const known = this.reported.get(key);
    const reported: Reported = known?.since === since ? known : { ...wait, stage: 0, due: 0 };
    this.reported.set(key, reported);
    const found = this.release(reported);
    reported.due = this.stageAt(now - since);
    const next = reported.due > reported.stage ? now : since + this.longest * (reported.stage === 0 ? mention : 1);
    if (reported.stage < 2) this.nextLook = Math.min(this.nextLook, next);
    return found;
  }

  private stageAt(waited: number): Stage {
    return waited >= this.longest ? 2 : waited >= this.longest * mention ? 1 : 0;
  }

  /** Reports what was due. */
  private release(reported: Reported): Finding[] {
    const { stage, due, since } = reported;
    if (due <= stage) return [];
    reported.stage = due;
    const waited = due === 2 ? this.longest : this.longest * mention;
    return [found(reported, t('Waiting for you for {0}: {1}', lasting(waited), thingOf(reported)), since + waited)];
  }

  /** @param isGivenUp whether the agent stopped waiting for the answer */
  private end(key: string, at: number, isGivenUp: boolean): Finding[] {
    const reported = this.reported.get(key);
    this.reported.delete(key);
    if (!reported) return [];
    const { sessionId, since, stage } = reported;
    const waited = lasting(at - since);
    if (isGivenUp && this.stageAt(at - since) === 2) {
      if (stage === 2) return [];
      return [found({ ...reported, stage: 2 }, t('No answer from you in {0}: {1}', waited, thingOf(reported)), at)];
    }
    const what = isGivenUp ? t('Not answered in {0}', waited) : t('Answered after {0}', waited);
    return [{ code: 'waiting-for-user', level: 'notice', what, settles: subjectOf(key), sessionId, at }];
  }
}

function waitsIn({ protocol, work }: Conversation): readonly Wait[] {
  const waits = work.questions.open.flatMap(({ step: { sessionId, startedAt: since }, key, asking, subject }) => {
    // A cancelled turn needs no answer.
    if (work.turnOf(sessionId)?.cancel) return [];
    return { key, sessionId: sessionId === '' ? undefined : sessionId, asking, subject, since };
  });
  if (protocol !== 'mcp') return waits;
  const asked = work.requests.all.filter(({ direction, method }) => direction === 'in' && method === elicitation);
  const requests = asked.map((request): Wait => {
    const about = { sessionId: undefined, asking: 'answer', subject: undefined } as const;
    return { ...about, key: requestKeyOf(request), since: request.startedAt };
  });
  // Tasks ask in another way.
  return [...waits, ...requests];
}

function found(reported: Reported, what: Words, at: number): Finding {
  const { key, sessionId, stage } = reported;
  const isProblem = stage === 2;
  return {
    code: 'waiting-for-user',
    level: isProblem ? 'warning' : 'notice',
    what,
    cause: causes.waitingForUser,
    ...(isProblem && { advice: t('Answer it, or cancel the turn.') }),
    key,
    subject: subjectOf(key),
    sessionId,
    at,
  };
}

function thingOf({ asking, subject }: Wait): Words {
  return askedFor(asking, subject);
}

function subjectOf(key: string): string {
  return `waiting ${key}`;
}

/** `20 min` instead of `20 min 0 s`. */
function lasting(ms: number): string {
  return duration(ms).replace(/(?<=\d min) 0 s$/, '');
}
