import { duration } from '../../../log/text';
import type { OpenRequest } from '../../openRequests';
import { BoundedMap } from '../boundedMap';
import type { Conversation } from '../conversation';
import type { Report, Rule } from '../rule';
import type { Patience } from '../patience';
import type { Seen } from '../seen';
import type { Turn } from '../turn';

/** After so many doublings nobody needs to be told again. */
const maxTold = 8;
const maxWatched = 1000;
/** Requests that wait for a person, and the turn, which may take as long as it wants while something comes. */
const exempt = new Set(['session/prompt', 'authenticate', 'auth/login', 'subscriptions/listen']);
/** What a person answers, and a server waits for while it runs a tool. */
const questions = new Set(['elicitation/create', 'sampling/createMessage']);

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
        report(wait.found(at, duration(at - wait.since)));
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

  private waits(conversation: Conversation): Wait[] {
    const isAsked =
      conversation.firstOpen(({ direction, method }) => direction === 'in' && questions.has(method)) !== undefined;
    const requests = conversation.openRequests
      .filter(
        ({ direction, method }) => direction === 'out' && !exempt.has(method) && !(isAsked && method === 'tools/call'),
      )
      .map((request) => this.waitForAnswer(request));
    const turns = conversation.turns.values().filter(({ questions }) => questions === 0);
    return [...requests, ...turns.map((turn) => this.waitInTurn(turn))];
  }

  private waitForAnswer(request: OpenRequest): Wait {
    const { id, method, startedAt, sessionId } = request;
    const isTool = method === 'tools/call';
    return {
      key: `request ${typeof id} ${String(id).slice(0, 256)}`,
      since: isTool ? Math.max(startedAt, this.lastProgress) : startedAt,
      patience: isTool ? this.patience.tool : this.patience.answer,
      found: (at, waited) => ({
        code: 'unanswered-request',
        level: 'warning',
        what: `${method} has not been answered for ${waited}`,
        advice:
          method === 'initialize'
            ? 'Is this the right protocol, and do its arguments make it speak it?'
            : 'Cancel it, or end the agent.',
        sessionId,
        key: method,
        at,
      }),
    };
  }

  private waitInTurn(turn: Turn): Wait {
    const [tool] = turn.tools.values();
    const doing = tool ? `, while \`${tool.title}\` runs` : '';
    return {
      key: `turn ${turn.sessionId}`,
      since: turn.lastAt,
      patience: tool ? this.patience.tool : this.patience.turn,
      found: (at, waited) => ({
        code: 'silence',
        level: 'warning',
        what: `nothing has come in this turn for ${waited}${doing}`,
        advice: 'It may wait for its model or hang: cancel the turn if it does not go on.',
        sessionId: turn.sessionId,
        at,
      }),
    };
  }
}

interface Wait {
  readonly key: string;
  readonly since: number;
  readonly patience: number;
  readonly found: (at: number, waited: string) => Parameters<Report>[0];
}
