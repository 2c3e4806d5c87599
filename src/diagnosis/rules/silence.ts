import type { Words } from '../../log/translator';
import { t } from '../../log/translator';
import { duration } from '../../log/text';
import type { OpenRequest } from '../../work/requests';
import { BoundedMap } from '../../log/boundedMap';
import type { Conversation } from '../conversation/conversation';
import type { Finding } from '../diagnosis';
import type { Rule } from '../rule';
import type { Timeouts } from '../timeouts';
import type { NotificationFact, ResponseFact } from '../../work/facts';
import type { Turn } from '../../work/turn';

/** After this many reports, a wait isn't reported again. */
const maxReports = 8;
const maxWatched = 1000;
const maxAnswered = 100;
/** Requests that wait for the user, and turns, which may take any time as long as there is activity. */
const exempt = new Set(['session/prompt', 'authenticate', 'auth/login', 'subscriptions/listen']);
/** The agent's requests that the user or the client's model answers. */
const questions: ReadonlySet<string> = new Set([
  'session/request_permission',
  'elicitation/create',
  'sampling/createMessage',
]);
/** The request that the client's model answers, not the user. */
const modelQuestion = 'sampling/createMessage';

interface Reported {
  times: number;
  /** Start of the wait when it was reported. */
  since: number;
}

/** Requests without an answer, and turns without activity. Waiting for the user doesn't count. */
export class Silence implements Rule {
  private readonly reported = new BoundedMap<string, Reported>(maxWatched);
  /** When a request last reported progress, by its token (MCP). */
  private readonly progressAt = new BoundedMap<string, number>(maxWatched);
  /** When a session's question was last answered; `undefined` is for questions without a session. */
  private readonly answeredAt = new BoundedMap<string | undefined, number>(maxAnswered);
  /** Waits before this time are unknown. */
  private resumedAt = 0;
  /** Cache: nothing is overdue before this time. */
  private nextLook = 0;
  private readonly least: number;

  constructor(private readonly timeouts: Timeouts) {
    this.least = Math.min(timeouts.answer, timeouts.turn, timeouts.tool);
  }

  readonly methods = new Set(['notifications/progress']);

  notification({ params, event }: NotificationFact): undefined {
    this.progressAt.set(String(params['progressToken']).slice(0, 200), event.t);
  }

  response({ dir, request, event }: ResponseFact): undefined {
    if (dir === 'c2a' && questions.has(request?.method ?? '')) this.answeredAt.set(request?.sessionId, event.t);
  }

  passed(t: number, conversation: Conversation): Finding[] {
    if (t < this.nextLook) return [];
    // A wait that starts now isn't overdue before this time.
    this.nextLook = t + this.least;
    if (conversation.askedToEnd) return [];
    const all: Finding[] = [];
    for (const alike of grouped(this.waits(conversation))) {
      const longest = alike.reduce((one, other) => (other.since < one.since ? other : one));
      for (const wait of alike) {
        this.look(wait, t, (at, times) => {
          if (wait === longest) all.push({ ...found(wait, alike, at), isUpdate: times > 1 });
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
    this.resumedAt = t;
  }

  isWatching(conversation: Conversation): boolean {
    if (conversation.askedToEnd || !conversation.hasOpen) return false;
    return this.waits(conversation).some((wait) => this.dueAt(wait) !== Infinity);
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

  /** Waiting for the user doesn't count. While the agent waits for the client or its model, it gets as much time as a tool. */
  private waits(conversation: Conversation): Wait[] {
    const open = conversation.work.requests.all;
    const incoming = open.filter(({ direction }) => direction === 'in');
    const models = incoming.filter(({ method }) => method === modelQuestion);
    const asked = incoming.filter(({ method }) => method !== modelQuestion && questions.has(method));
    const requests = open.filter(
      (request) =>
        request.direction === 'out' &&
        !exempt.has(request.method) &&
        // A repeated `initialize` needs no answer.
        !(request.method === 'initialize' && conversation.initializeResult) &&
        !asked.some((one) => mayBeFor(one, request)),
    );
    const turns = conversation.work.turns.filter(
      ({ questions, sessionId, subagents }) =>
        questions.size === 0 &&
        // The subagent's own turn is reported instead.
        ![...subagents.keys()].some((id) => conversation.work.turnOf(id)) &&
        !asked.some((one) => one.sessionId === undefined || one.sessionId === sessionId),
    );
    const modelFor = (request: OpenRequest) => models.findLast((one) => mayBeFor(one, request));
    const askedIn = (turn: Turn) => incoming.findLast(({ sessionId }) => sessionId === turn.sessionId);
    const { silentSince } = conversation;
    return [
      ...requests.map((request) => this.waitForAnswer(request, modelFor(request))),
      ...turns.map((turn) => this.waitInTurn(turn, askedIn(turn))),
      ...(silentSince === undefined ? [] : [this.waitForFirstWord(silentSince)]),
    ];
  }

  private waitForFirstWord(since: number): Wait {
    return {
      key: 'first',
      kind: 'first',
      since: Math.max(since, this.resumedAt),
      limit: this.timeouts.turn,
      code: 'silence',
      what: (waited) => t('No output since the start for {0}', waited),
      advice: t("It may wait for its model, a login or stdin, or its arguments don't make it print JSON lines."),
    };
  }

  /** @param model the open request to the client's model on its behalf */
  private waitForAnswer(request: OpenRequest, model: OpenRequest | undefined): Wait {
    const { id, method, startedAt, sessionId } = request;
    const isTool = method === 'tools/call';
    const answeredAt = Math.max(this.answeredAt.get(undefined) ?? 0, this.answeredAt.get(sessionId) ?? 0);
    const since = Math.max(startedAt, answeredAt, model?.startedAt ?? 0, this.resumedAt);
    return {
      key: `request ${typeof id} ${String(id).slice(0, 256)}`,
      kind: method,
      since: isTool ? Math.max(since, this.progressOf(request)) : since,
      limit: isTool || model ? this.timeouts.tool : this.timeouts.answer,
      code: 'unanswered-request',
      what: (waited) => whileOpen(t('`{0}` unanswered for {1}', method, waited), model),
      advice:
        method === 'initialize' ? t("Check the agent's protocol and arguments.") : t('Cancel it, or stop the agent.'),
      sessionId,
    };
  }

  private progressOf({ progressToken }: OpenRequest): number {
    return progressToken === undefined ? 0 : (this.progressAt.get(String(progressToken).slice(0, 200)) ?? 0);
  }

  /** @param asked the open request to the client within the turn */
  private waitInTurn(turn: Turn, asked: OpenRequest | undefined): Wait {
    const [tool] = turn.tools.values();
    return {
      key: `turn ${turn.sessionId}`,
      kind: 'turn',
      since: Math.max(turn.lastAt, this.resumedAt),
      limit: tool || asked ? this.timeouts.tool : this.timeouts.turn,
      code: 'silence',
      what: (waited) =>
        tool && !asked
          ? t('No activity for {0} while `{1}` runs', waited, tool.title)
          : whileOpen(t('No activity for {0}', waited), asked),
      advice: asked
        ? t("The agent may wait for the client; cancel the turn if it doesn't continue.")
        : tool?.isSubagent === true
          ? t(
              "The subagent may wait for a permission that the agent never asked the client for; cancel the turn if it doesn't continue.",
            )
          : t("The model may be slow or the agent stuck; cancel the turn if it doesn't continue."),
      sessionId: turn.sessionId,
    };
  }
}

/** Whether a question may belong to a request: in the same session, or without a session while the request was open. */
function mayBeFor(question: OpenRequest, { sessionId, startedAt }: OpenRequest): boolean {
  if (question.sessionId === undefined) return startedAt <= question.startedAt;
  return question.sessionId === sessionId;
}

function whileOpen(what: Words, asked: OpenRequest | undefined): Words {
  return asked ? t("{0} while the client hasn't answered `{1}`", what, asked.method) : what;
}

interface Wait extends Pick<Finding, 'code' | 'advice' | 'sessionId'> {
  readonly key: string;
  /** The kind of wait; of several in a session, only the longest is reported. */
  readonly kind: string;
  readonly since: number;
  readonly limit: number;
  readonly what: (waited: string) => Words;
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
function found({ code, kind, since, what, advice, sessionId }: Wait, alike: readonly Wait[], at: number): Finding {
  const waited = duration(at - since);
  const others = alike.filter((other) => other.since <= at).length - 1;
  return {
    code,
    level: 'warning',
    what: withOthers(what(waited), others),
    ...(advice && { advice }),
    sessionId,
    cause: kind === 'turn' ? t('no activity for {0}', waited) : t('unanswered · {0}', kind),
    key: `${since} ${kind} ${sessionId ?? ''}`,
    isMomentary: true,
    at,
  };
}

function withOthers(what: Words, others: number): Words {
  if (others <= 0) return what;
  return others === 1 ? t('{0} (and 1 other)', what) : t('{0} (and {1} others)', what, others);
}
