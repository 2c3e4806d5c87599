import { l10n } from '../../log/translator';
import { duration } from '../../log/text';
import type { OpenRequest } from '../../protocols/jsonrpc/requests';
import { BoundedMap } from '../../protocols/boundedMap';
import type { Conversation } from '../conversation/conversation';
import type { Finding } from '../diagnosis';
import type { Rule } from '../rule';
import type { Patience } from '../patience';
import type { NotificationFact, ResponseFact } from '../../protocols/facts';
import type { Turn } from '../conversation/turn';

/** After so many doublings nobody needs to be told again. */
const maxTold = 8;
const maxWatched = 1000;
const maxAnswered = 100;
/** Requests that wait for a person, and the turn, which may take as long as it wants while something comes. */
const exempt = new Set(['session/prompt', 'authenticate', 'auth/login', 'subscriptions/listen']);
/** Requests of an agent that a person answers, or the client's model. */
const questions: ReadonlySet<string> = new Set([
  'session/request_permission',
  'elicitation/create',
  'sampling/createMessage',
]);
/** What the client's model answers, and no person. */
const modelQuestion = 'sampling/createMessage';

interface Told {
  times: number;
  /** What was waited since, when it was told. */
  since: number;
}

/** Requests that nobody answers, and turns in which nothing comes. Who waits for a person is not silent. */
export class Silence implements Rule {
  private readonly told = new BoundedMap<string, Told>(maxWatched);
  /** When a request last reported progress, by its token (MCP). */
  private readonly progressAt = new BoundedMap<string, number>(maxWatched);
  /** When a question of a session was last answered, or one that names no session. */
  private readonly answeredAt = new BoundedMap<string | undefined, number>(maxAnswered);
  /** What lasted before this time, nobody knows. */
  private resumedAt = 0;
  /** Before this time nothing can have lasted too long: there is nothing to look at. */
  private nextLook = 0;
  private readonly least: number;

  constructor(private readonly patience: Patience) {
    this.least = Math.min(patience.answer, patience.turn, patience.tool);
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
    // What begins from now on can't have lasted too long before.
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

  /** @param tell is called with each time at which it lasts too long, up to now: first to report it, then to update it */
  private look(wait: Wait, t: number, tell: (at: number, times: number) => void): void {
    const told = this.toldOf(wait);
    for (let at = this.dueAt(wait); at <= t; at = this.dueAt(wait)) {
      told.times++;
      tell(at, told.times);
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
    const { times } = this.toldOf(wait);
    return times < maxTold ? wait.since + wait.patience * 2 ** times : Infinity;
  }

  private toldOf({ key, since }: Wait): Told {
    const known = this.told.get(key);
    if (known?.since === since) return known;
    const fresh = { times: 0, since };
    this.told.set(key, fresh);
    return fresh;
  }

  /** Nobody waits for an agent that waits for a person. While it waits for the client, or its model, it has as much time as a tool. */
  private waits(conversation: Conversation): Wait[] {
    const open = conversation.openRequests;
    const incoming = open.filter(({ direction }) => direction === 'in');
    const models = incoming.filter(({ method }) => method === modelQuestion);
    const asked = incoming.filter(({ method }) => method !== modelQuestion && questions.has(method));
    const requests = open.filter(
      (request) =>
        request.direction === 'out' && !exempt.has(request.method) && !asked.some((one) => mayBeFor(one, request)),
    );
    const turns = conversation.turns.values().filter(
      ({ asking, sessionId, subagents }) =>
        asking === undefined &&
        // The silence is the subagent's.
        ![...subagents.keys()].some((id) => conversation.turns.has(id)) &&
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
      patience: this.patience.turn,
      code: 'silence',
      what: 'No output since the start for',
      doing: '',
      advice: l10n.t("It may wait for its model, a login or stdin, or its arguments don't make it print JSON lines."),
    };
  }

  /** @param model what the client's model is asked for it */
  private waitForAnswer(request: OpenRequest, model: OpenRequest | undefined): Wait {
    const { id, method, startedAt, sessionId } = request;
    const isTool = method === 'tools/call';
    const answeredAt = Math.max(this.answeredAt.get(undefined) ?? 0, this.answeredAt.get(sessionId) ?? 0);
    const since = Math.max(startedAt, answeredAt, model?.startedAt ?? 0, this.resumedAt);
    return {
      key: `request ${typeof id} ${String(id).slice(0, 256)}`,
      kind: method,
      since: isTool ? Math.max(since, this.progressOf(request)) : since,
      patience: isTool || model ? this.patience.tool : this.patience.answer,
      code: 'unanswered-request',
      what: `\`${method}\` unanswered for`,
      doing: whileOpen(model),
      advice:
        method === 'initialize'
          ? l10n.t("Check the agent's protocol and arguments.")
          : l10n.t('Cancel it, or stop the agent.'),
      sessionId,
    };
  }

  private progressOf({ progressToken }: OpenRequest): number {
    return progressToken === undefined ? 0 : (this.progressAt.get(String(progressToken).slice(0, 200)) ?? 0);
  }

  /** @param asked what the client is asked in it */
  private waitInTurn(turn: Turn, asked: OpenRequest | undefined): Wait {
    const [tool] = turn.tools.values();
    return {
      key: `turn ${turn.sessionId}`,
      kind: 'turn',
      since: Math.max(turn.lastAt, this.resumedAt),
      patience: tool || asked ? this.patience.tool : this.patience.turn,
      code: 'silence',
      what: 'No activity for',
      doing: tool && !asked ? ` while \`${tool.title}\` runs` : whileOpen(asked),
      advice: asked
        ? l10n.t("The agent may wait for the client; cancel the turn if it doesn't continue.")
        : tool?.isSubagent === true
          ? l10n.t(
              "The subagent may wait for a permission that the agent never asked the client for; cancel the turn if it doesn't continue.",
            )
          : l10n.t("The model may be slow or the agent stuck; cancel the turn if it doesn't continue."),
      sessionId: turn.sessionId,
    };
  }
}

/** Whether a question may be asked for the sake of a request: in its session, or in none that is named while the request was open. */
function mayBeFor(question: OpenRequest, { sessionId, startedAt }: OpenRequest): boolean {
  if (question.sessionId === undefined) return startedAt <= question.startedAt;
  return question.sessionId === sessionId;
}

function whileOpen(asked: OpenRequest | undefined): string {
  return asked ? ` while the client hasn't answered \`${asked.method}\`` : '';
}

interface Wait extends Pick<Finding, 'code' | 'what' | 'advice' | 'sessionId'> {
  readonly key: string;
  /** What is waited for: of many of a kind and a session only the longest wait is told. */
  readonly kind: string;
  readonly since: number;
  readonly patience: number;
  readonly doing: string;
}

/** Those that are told together. */
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
 * Each doubling is told by itself: together with others it would be told when the wait may long be over.
 * @param alike those that it is told for too
 */
function found(
  { code, kind, since, what, doing, advice, sessionId }: Wait,
  alike: readonly Wait[],
  at: number,
): Finding {
  const waited = duration(at - since);
  const others = alike.filter((other) => other.since <= at).length - 1;
  const and = others > 0 ? ` (and ${others === 1 ? '1 other' : `${others} others`})` : '';
  return {
    code,
    level: 'warning',
    what: `${what} ${waited}${doing}${and}`,
    ...(advice !== undefined && { advice }),
    sessionId,
    cause: kind === 'turn' ? `no activity for ${waited}` : `unanswered · ${kind}`,
    key: `${since} ${kind} ${sessionId ?? ''}`,
    isMomentary: true,
    at,
  };
}
