import { duration } from '../../../log/text';
import type { OpenRequest } from '../../openRequests';
import { BoundedMap } from '../boundedMap';
import type { Conversation } from '../conversation';
import type { Finding } from '../diagnosis';
import type { Report, Rule } from '../rule';
import type { Patience } from '../patience';
import { questions } from '../questions';
import type { Seen } from '../seen';
import type { Turn } from '../turn';

/** After so many doublings nobody needs to be told again. */
const maxTold = 8;
const maxWatched = 1000;
const maxAnswered = 100;
/** Requests that wait for a person, and the turn, which may take as long as it wants while something comes. */
const exempt = new Set(['session/prompt', 'authenticate', 'auth/login', 'subscriptions/listen']);

interface Told {
  times: number;
  /** What was waited since, when it was told. */
  since: number;
}

/** Requests that nobody answers, and turns in which nothing comes. Who waits for a person is not silent. */
export class Silence implements Rule {
  private readonly told = new BoundedMap<string, Told>(maxWatched);
  /** When progress was last told of (MCP). */
  private lastProgress = 0;
  /** When a question of a session was last answered, or one that names no session. */
  private readonly answeredAt = new BoundedMap<string | undefined, number>(maxAnswered);
  /** Before this time nothing can have lasted too long: there is nothing to look at. */
  private nextLook = Infinity;
  private readonly least: number;

  constructor(private readonly patience: Patience) {
    this.least = Math.min(patience.answer, patience.turn, patience.tool);
  }

  /** It opens nothing that could last. */
  passesLog(): boolean {
    return true;
  }

  see(seen: Seen): void {
    if (seen.type === 'notification' && seen.method === 'notifications/progress') this.lastProgress = seen.event.t;
    if (seen.type === 'response' && seen.dir === 'c2a' && questions.has(seen.request?.method ?? '')) {
      this.answeredAt.set(seen.request?.sessionId, seen.event.t);
    }
    this.nextLook = Math.min(this.nextLook, seen.event.t + this.least);
  }

  passed(t: number, conversation: Conversation, report: Report): void {
    if (t < this.nextLook) return;
    this.nextLook = Infinity;
    if (conversation.askedToEnd) return;
    for (const wait of this.waits(conversation)) {
      const told = this.toldOf(wait);
      const dueAt = (): number => (told.times < maxTold ? wait.since + wait.patience * 2 ** told.times : Infinity);
      for (let at = dueAt(); at <= t; at = dueAt()) {
        told.times++;
        report(found(wait, at));
      }
      this.nextLook = Math.min(this.nextLook, dueAt());
    }
  }

  isWatching(conversation: Conversation): boolean {
    return this.nextLook !== Infinity && !conversation.askedToEnd && conversation.hasOpen;
  }

  private toldOf({ key, since }: Wait): Told {
    const known = this.told.get(key);
    if (known?.since === since) return known;
    const fresh = { times: 0, since };
    this.told.set(key, fresh);
    return fresh;
  }

  /** While the client is asked something, the agent waits for it: in a turn whatever it is, else where a person may take his time. */
  private waits(conversation: Conversation): Wait[] {
    const open = conversation.openRequests;
    const incoming = open.filter(({ direction }) => direction === 'in');
    const working = sessionsOf(incoming);
    const asked = sessionsOf(incoming.filter(({ method }) => questions.has(method)));
    // A question that names no session may be any request's.
    if (asked.has(undefined)) return [];
    const requests = open.filter(
      ({ direction, method, sessionId }) =>
        direction === 'out' && !exempt.has(method) && (sessionId === undefined || !asked.has(sessionId)),
    );
    const turns = conversation.turns.values().filter(({ sessionId }) => !working.has(sessionId));
    return [...requests.map((request) => this.waitForAnswer(request)), ...turns.map((turn) => this.waitInTurn(turn))];
  }

  private waitForAnswer(request: OpenRequest): Wait {
    const { id, method, startedAt, sessionId } = request;
    const isTool = method === 'tools/call';
    const since = Math.max(startedAt, this.answeredAt.get(undefined) ?? 0, this.answeredAt.get(sessionId) ?? 0);
    return {
      key: `request ${typeof id} ${String(id).slice(0, 256)}`,
      since: isTool ? Math.max(since, this.lastProgress) : since,
      patience: isTool ? this.patience.tool : this.patience.answer,
      code: 'unanswered-request',
      what: `${method} has not been answered for`,
      doing: '',
      advice:
        method === 'initialize'
          ? 'Is this the right protocol, and do its arguments make it speak it?'
          : 'Cancel it, or end the agent.',
      sessionId,
    };
  }

  private waitInTurn(turn: Turn): Wait {
    const [tool] = turn.tools.values();
    return {
      key: `turn ${turn.sessionId}`,
      since: turn.lastAt,
      patience: tool ? this.patience.tool : this.patience.turn,
      code: 'silence',
      what: 'nothing has come in this turn for',
      doing: tool ? `, while \`${tool.title}\` runs` : '',
      advice: 'It may wait for its model or hang: cancel the turn if it does not go on.',
      sessionId: turn.sessionId,
    };
  }
}

function sessionsOf(requests: readonly OpenRequest[]): ReadonlySet<string | undefined> {
  return new Set(requests.map(({ sessionId }) => sessionId));
}

interface Wait extends Pick<Finding, 'code' | 'what' | 'advice' | 'sessionId'> {
  readonly key: string;
  readonly since: number;
  readonly patience: number;
  readonly doing: string;
}

/** Each doubling is told by itself: together with others it would be told when the wait may long be over. */
function found({ code, key, since, what, doing, advice, sessionId }: Wait, at: number): Finding {
  const waited = duration(at - since);
  return {
    code,
    level: 'warning',
    what: `${what} ${waited}${doing}`,
    ...(advice !== undefined && { advice }),
    sessionId,
    key: `${waited} ${key}`,
    isMomentary: true,
    at,
  };
}
