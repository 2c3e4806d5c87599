import type { Words } from '../../text/translator';
import { t } from '../../text/translator';
import { oneLine } from '../../text/text';
import { objectOf, textOf } from '../../text/json';
import { BoundedMap } from '../../text/boundedMap';
import type { Conversation } from '../conversation/conversation';
import type { Finding } from '../diagnosis';
import type { Findings, Found, Rule } from '../rule';
import type { Wait, Waits } from './waits';
import { cancelKind, firstKey, keyOf, turnKey } from './waits';
import { isEnd } from '../../protocols/lifecycle';
import type { ClosedFact, NotificationFact, ProcessFact, RequestFact, ResponseFact } from '../../work/facts';
import type { TurnEnd } from '../../work/turn';

/** After this many reports, a wait isn't reported again. */
const maxReports = 8;
const maxWatched = 1000;
/** How clients word that they stopped waiting: SDKs in TypeScript and Python. */
const timedOut = /\btime(?:d)?[- ]?out\b|-32001\b/i;

interface Reported {
  times: number;
  /** Start of the wait when it was reported. */
  since: number;
}

/** Requests without an answer, and turns without activity. Waiting for the user doesn't count. */
export class Silence implements Rule {
  private readonly reported = new BoundedMap<string, Reported>(maxWatched);
  /** Cache: nothing is overdue before this time. */
  private nextLook = 0;
  /** Reported waits that go on, by key. */
  private readonly open = new BoundedMap<string, ReportedWait>(maxWatched);

  constructor(private readonly waits: Waits) {}

  readonly methods = new Set(['notifications/progress']);

  notification(fact: NotificationFact): undefined {
    this.waits.progressed(fact);
  }

  request(fact: RequestFact): undefined {
    this.waits.asked(fact);
  }

  response(fact: ResponseFact, conversation: Conversation): Findings {
    this.waits.answered(fact);
    const { request, event } = fact;
    const wait = request && this.takeReported(keyOf(request));
    if (!wait || this.handOn(wait, conversation)) return undefined;
    return {
      ...settled(wait, event.t),
      what: t('`{0}` was answered after {1}', wait.kind, { ms: event.t - wait.since }),
    };
  }

  closed(fact: ClosedFact, conversation: Conversation): Findings {
    const { request, event } = fact;
    const wait = this.takeReported(keyOf(request));
    if (wait) this.handOn(wait, conversation);
    return wait && event.t - wait.since >= wait.alarm ? undefined : givenUp(fact);
  }

  process({ event }: ProcessFact): undefined {
    if (isEnd(event)) this.open.clear();
  }

  turnEnded({ turn, event }: TurnEnd, conversation: Conversation): Findings {
    const wait = this.takeReported(turnKey(turn.sessionId));
    // A turn that had to be cancelled was stuck.
    const isCancelled = wait?.kind === cancelKind && turn.stopReason === 'cancelled';
    const hasGoneOn = wait && !turn.isUnanswered && (!turn.cancel || isCancelled);
    return hasGoneOn ? { ...settled(wait, event.t), what: wait.ended(event.t, conversation) } : undefined;
  }

  passed(t: number, conversation: Conversation): Finding[] {
    const over = this.open.size === 0 ? [] : this.findOver(t, conversation);
    return t < this.nextLook ? over : [...over, ...this.findOverdue(t, conversation)];
  }

  private takeReported(key: string): ReportedWait | undefined {
    const wait = this.open.get(key);
    this.open.delete(key);
    return wait;
  }

  /** A report may count several waits: it holds until the last is over. */
  private handOn({ kind, sessionId, subject }: ReportedWait, conversation: Conversation): boolean {
    const other = this.waits
      .of(conversation)
      .find((wait) => wait.kind === kind && wait.sessionId === sessionId && this.reportsOf(wait).times > 0);
    if (other && !this.open.has(other.key)) this.open.set(other.key, { ...other, subject });
    return other !== undefined;
  }

  /** Waits that were reported and are over because there was activity. */
  private findOver(t: number, conversation: Conversation): Finding[] {
    const now = new Map(this.waits.of(conversation).map((wait) => [wait.key, wait]));
    return this.open.values().flatMap((wait) => {
      const { key } = wait;
      const since = now.get(key)?.since;
      if (key === firstKey ? since !== undefined : since === undefined || since === wait.since) return [];
      this.open.delete(key);
      if (conversation.work.turnOf(wait.sessionId)?.cancel) return [];
      return [{ ...settled(wait, t), what: wait.ended(since ?? t, conversation) }];
    });
  }

  private findOverdue(t: number, conversation: Conversation): Finding[] {
    // A wait that starts now isn't overdue before this time.
    this.nextLook = t + this.waits.least;
    if (conversation.askedToEnd) return [];
    const all: Finding[] = [];
    for (const alike of grouped(this.waits.of(conversation))) {
      const longest = alike.reduce((one, other) => (other.since < one.since ? other : one));
      for (const wait of alike) {
        this.look(wait, t, (at, times) => {
          if (wait !== longest) return;
          const isSame = times > 1 && at - wait.since !== wait.alarm;
          const subject = this.open.get(wait.key)?.subject ?? wait.key;
          all.push({ ...found(wait, alike, at), delivery: { type: isSame ? 'update' : 'standing', subject } });
          this.open.set(wait.key, { ...wait, subject });
        });
      }
    }
    return all;
  }

  /** @param report called with each time up to now at which the wait is overdue: first to report it, then to update it */
  private look(wait: Wait, now: number, report: (at: number, times: number) => void): void {
    const reports = this.reportsOf(wait);
    for (let at = this.dueAt(wait); at <= now; at = this.dueAt(wait)) {
      reports.times++;
      report(at, reports.times);
    }
    this.nextLook = Math.min(this.nextLook, this.dueAt(wait));
  }

  resumed(t: number): void {
    this.waits.resumed(t);
    for (const wait of this.open.values()) this.open.set(wait.key, { ...wait, since: Math.max(wait.since, t) });
  }

  isWatching(conversation: Conversation): boolean {
    if (conversation.askedToEnd || !conversation.hasOpen) return false;
    return this.waits.of(conversation).some((wait) => this.dueAt(wait) !== Infinity);
  }

  /** When a wait is reported next. */
  private dueAt(wait: Wait): number {
    const { times } = this.reportsOf(wait);
    return times < maxReports ? wait.since + wait.limit * 2 ** times : Infinity;
  }

  private reportsOf({ key, since }: Wait): Reported {
    const known = this.reported.get(key);
    if (known?.since === since) return known;
    const fresh = { times: 0, since };
    this.reported.set(key, fresh);
    return fresh;
  }
}

/** A request that the client stopped waiting for (MCP "Timeouts"). */
function givenUp({ request, how, event }: ClosedFact): Found | undefined {
  if (how !== 'cancelled' || request.direction !== 'out' || !('msg' in event)) return undefined;
  const reason = textOf(objectOf(objectOf(event.msg)['params'])['reason']) ?? '';
  if (!timedOut.test(reason)) return undefined;
  const { method, role, startedAt, sessionId } = request;
  // The wait for its task is reported.
  if (role === 'poll') return undefined;
  return {
    code: 'unanswered-request',
    level: 'warning',
    what: t(
      '`{0}` unanswered for {1}, so the client gave up: "{2}"',
      method,
      { ms: event.t - startedAt },
      oneLine(reason, 120),
    ),
    cause: t('unanswered · {0}', method),
    advice: t("Raise the client's time limit, or let the server report progress (MCP `notifications/progress`)."),
    key: method,
    sessionId,
  };
}

interface ReportedWait extends Wait {
  /** Of the report, which may have been about another wait of the same kind. */
  readonly subject: string;
}

/** Groups the waits that are reported together. */
function grouped(waits: readonly Wait[]): Iterable<readonly Wait[]> {
  const groups = new Map<string, Wait[]>();
  for (const wait of waits) {
    const key = `${wait.kind} ${wait.sessionId ?? ''}`;
    const group = groups.get(key);
    if (group) group.push(wait);
    else groups.set(key, [wait]);
  }
  return groups.values();
}

/**
 * Reports each doubling separately: if they were collected, the wait could be over before it is reported.
 * @param alike other waits that the report counts
 */
function found(wait: Wait, alike: readonly Wait[], at: number): Finding {
  const { code, kind, since, alarm, what, advice, sessionId } = wait;
  const waited = { ms: at - since };
  const others = alike.filter((other) => other.since <= at).length - 1;
  const isProblem = at - since >= alarm;
  return {
    code,
    level: isProblem ? 'warning' : 'notice',
    what: withOthers(what(waited), others),
    ...(advice && isProblem && { advice }),
    sessionId,
    cause: kind === 'turn' ? t('no activity for {0}', waited) : t('unanswered · {0}', kind),
    key: `${since} ${kind} ${sessionId ?? ''}`,
    at,
  };
}

function settled({ code, subject, sessionId }: ReportedWait, at: number): Omit<Finding, 'what'> {
  return { code, level: 'notice', delivery: { type: 'settled', subject }, sessionId, at };
}

function withOthers(what: Words, others: number): Words {
  if (others <= 0) return what;
  return others === 1 ? t('{0} (and 1 other)', what) : t('{0} (and {1} others)', what, others);
}
