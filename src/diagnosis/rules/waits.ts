import type { Measure } from '../../text/measure';
import type { Words } from '../../text/translator';
import { t } from '../../text/translator';
import { duration } from '../../text/text';
import type { OpenRequest } from '../../work/requests';
import { BoundedMap } from '../../text/boundedMap';
import type { Conversation } from '../conversation/conversation';
import type { Finding } from '../diagnosis';
import type { Timeouts } from '../timeouts';
import { mentionedAfter } from '../timeouts';
import type { NotificationFact, RequestFact, ResponseFact } from '../../work/facts';
import type { ToolCall } from '../../work/tools/toolCall';
import { isOpen } from '../../work/tools/toolCall';
import type { TurnCancel } from '../../work/activity';
import type { MethodRole } from '../../work/methodRole';
import type { Turn } from '../../work/turn';
import { endsTurn } from '../failures/cancels';
import { endWork, maybeStuck, peer } from '../../protocols/terms';

const maxWatched = 1000;
const maxAnswered = 100;
/** Requests that wait for the user, and turns, which may take any time as long as there is activity. */
const exempt: ReadonlySet<MethodRole | undefined> = new Set(['turn', 'login', 'subscription']);
/** The request that a command in the client's terminal answers. */
const commandQuestion = 'terminal/wait_for_exit';
/** The kind of the wait for the end of a cancelled turn. */
export const cancelKind = 'cancel';
/** A task that says that it goes on gets so many times as long as a tool that says nothing. */
const taskTime = 2.25;
/** The key of the wait for a stream's first line. */
export const firstKey = 'first';

/** Something that should end soon. */
export interface Wait extends Pick<Finding, 'code' | 'advice' | 'sessionId'> {
  readonly key: string;
  /** The kind of wait; of several in a session, only the longest is reported. */
  readonly kind: string;
  readonly since: number;
  /** It is reported after this time, in milliseconds, and again each time it has doubled. */
  readonly limit: number;
  /** It is a problem after this time, in milliseconds. */
  readonly alarm: number;
  readonly what: (waited: Measure) => Words;
  /** How it ended, by activity. */
  readonly ended: (at: number, conversation: Conversation) => Words;
}

/** What is waited for: requests without an answer, and turns without activity. Waiting for the user doesn't count. */
export class Waits {
  /** When a request last reported progress, by its token (MCP). */
  private readonly progressAt = new BoundedMap<string, number>(maxWatched);
  /** When a session's question was last answered; `undefined` is for questions without a session. */
  private readonly answeredAt = new BoundedMap<string | undefined, number>(maxAnswered);
  /** The first poll of a task that wasn't answered, by the task's ID (MCP). */
  private readonly polled = new BoundedMap<string, { readonly method: string; readonly at: number }>(maxWatched);
  /** Waits before this time are unknown. */
  private resumedAt = 0;
  /** No wait is reported sooner, in milliseconds. */
  readonly least: number;

  constructor(private readonly timeouts: Timeouts) {
    this.least = Math.min(timeouts.answer, timeouts.turn, timeouts.slow, timeouts.tool * mentionedAfter);
  }

  progressed({ params, event }: NotificationFact): void {
    this.progressAt.set(String(params['progressToken']).slice(0, 200), event.t);
  }

  asked({ request: { method, role, taskId }, event }: RequestFact): void {
    if (taskId === undefined || role !== 'poll' || this.polled.has(taskId)) return;
    this.polled.set(taskId, { method, at: event.t });
  }

  answered({ dir, request, late, event }: ResponseFact): void {
    const { taskId } = request ?? late?.request ?? {};
    if (taskId !== undefined) this.polled.delete(taskId);
    const isQuestion = request?.role === 'question' || request?.role === 'model-question';
    if (dir === 'c2a' && isQuestion) this.answeredAt.set(request.sessionId, event.t);
  }

  resumed(t: number): void {
    this.resumedAt = t;
  }

  /** While the agent waits for the client or its model, it gets more time. */
  of(conversation: Conversation): Wait[] {
    const open = conversation.work.requests.judged;
    const incoming = open.filter(({ direction }) => direction === 'in');
    const models = incoming.filter(({ role }) => role === 'model-question');
    const asked = incoming.filter(({ role }) => role === 'question');
    const requests = open.filter(
      (request) =>
        request.direction === 'out' &&
        !exempt.has(request.role) &&
        !isOfOpenTask(request, conversation) &&
        // A repeated `initialize` needs no answer.
        !(request.role === 'greeting' && conversation.initializeResult) &&
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
      ...requests.flatMap((request) => {
        const tool = taskTool(request, conversation);
        return tool ? this.waitForTask(tool, request) : [this.waitForAnswer(request, modelFor(request), conversation)];
      }),
      ...turns.map((turn) => this.waitInTurn(turn, askedIn(turn))),
      ...(silentSince === undefined ? [] : [this.waitForFirstWord(silentSince)]),
    ];
  }

  private waitForFirstWord(since: number): Wait {
    return {
      key: firstKey,
      kind: 'first',
      since: Math.max(since, this.resumedAt),
      ...alarmAt(this.timeouts.turn),
      code: 'silence',
      what: (waited) => t('No output since the start for {0}', waited),
      ended: (at) => t('First output after {0}', { ms: at - since }),
      advice: t("It may wait for its model, a login or stdin, or its arguments don't make it print JSON lines."),
    };
  }

  /** @param model the open request to the client's model on its behalf */
  private waitForAnswer(request: OpenRequest, model: OpenRequest | undefined, conversation: Conversation): Wait {
    const { method, role, startedAt, sessionId } = request;
    const isTool = role === 'tool';
    const answeredAt = Math.max(this.answeredAt.get(undefined) ?? 0, this.answeredAt.get(sessionId) ?? 0);
    const start = Math.max(startedAt, answeredAt, model?.startedAt ?? 0, this.resumedAt);
    const since = isTool ? Math.max(start, this.progressOf(request)) : start;
    const { tool, slow, answer } = this.timeouts;
    const servers = conversation.starting?.id === request.id ? startingServers(conversation, startedAt) : undefined;
    return {
      key: keyOf(request),
      kind: method,
      since,
      ...(isTool && !model ? ofTool(tool) : alarmAt(model ? slow : answer)),
      code: servers ? 'mcp-server-trouble' : 'unanswered-request',
      what: (waited) => {
        const unanswered = t('`{0}` unanswered for {1}', method, waited);
        return servers ? t('{0}: {1}', unanswered, servers) : whileOpen(unanswered, model);
      },
      ended: (at) => again(at - since),
      advice:
        method === 'initialize'
          ? t('Check its protocol and arguments.')
          : servers
            ? t('Open a session without these servers, or run their commands in a terminal to see which one is slow.')
            : t('Cancel it, or stop the {0}.', peer),
      sessionId,
    };
  }

  /** While the user has to answer, only polls are waited for. */
  private waitForTask({ title, heardAt, newsAt, task }: ToolCall, request: OpenRequest): Wait[] {
    const { id = '', status = '', message } = task ?? {};
    const poll = this.polled.get(id);
    if (poll) {
      const { method } = poll;
      const since = Math.max(poll.at, this.resumedAt);
      return [
        {
          key: `poll ${id}`,
          kind: method,
          since,
          ...alarmAt(this.timeouts.answer),
          code: 'unanswered-request',
          what: (waited) => t('`{0}` for `{1}` unanswered for {2}', method, title, waited),
          ended: (at) => again(at - since),
          advice: t('The server must answer `{0}` at once, whatever the task does (MCP "Tasks").', method),
        },
      ];
    }
    if (status === 'input_required') return [];
    const since = Math.max(newsAt, this.progressOf(request), this.resumedAt);
    const wait = { key: `task ${id}`, kind: request.method, since, ...ofTool(this.timeouts.tool) } as const;
    if (heardAt > since) {
      const state = message === undefined ? status : `${status}: ${message}`;
      return [
        {
          ...wait,
          ...ofTool(this.timeouts.tool * taskTime),
          code: 'silence',
          what: (waited) => t('The task of `{0}` has not changed for {1} (`{2}`)', title, waited, state),
          ended: (at) => again(at - since),
          advice: t('The server may be stuck: cancel the call, or look at its own log.'),
        },
      ];
    }
    return [
      {
        ...wait,
        code: 'unanswered-request',
        what: (waited) => t('No sign of the task of `{0}` for {1}', title, waited),
        ended: (at) => again(at - since),
        advice: t('The client may have stopped asking for it (`tasks/get`), or the server sends no notifications.'),
      },
    ];
  }

  private progressOf({ progressToken }: OpenRequest): number {
    return progressToken === undefined ? 0 : (this.progressAt.get(String(progressToken).slice(0, 200)) ?? 0);
  }

  /** Whatever the agent still does: an answer is due. */
  private waitForCancel({ at: cancelledAt }: TurnCancel, sessionId: string): Wait {
    const since = Math.max(cancelledAt, this.resumedAt);
    return {
      key: turnKey(sessionId),
      kind: cancelKind,
      since,
      ...alarmAt(this.timeouts.turn),
      code: 'cancel-ignored',
      what: (waited) => t('The turn goes on {0} after it was cancelled', waited),
      ended: (at) => t('The turn ended {0} after it was cancelled', { ms: at - cancelledAt }),
      advice: t('The agent may be stuck: restart it. It must answer the prompt with `cancelled`.'),
      sessionId,
    };
  }

  /** @param asked the open request to the client within the turn */
  private waitInTurn(turn: Turn, asked: OpenRequest | undefined): Wait {
    const [tool] = turn.tools.values();
    const { sessionId, cancel } = turn;
    if (cancel && endsTurn(cancel)) return this.waitForCancel(cancel, sessionId);
    const since = Math.max(turn.lastAt, this.resumedAt);
    const wait = { key: turnKey(sessionId), kind: 'turn', since, code: 'silence', sessionId } as const;
    if (tool && (!asked || asked.method === commandQuestion)) {
      return {
        ...wait,
        ...ofTool(this.timeouts.tool),
        what: (waited) => t('No activity for {0} while `{1}` runs', waited, tool.title),
        ended: (at, { work }) =>
          isRunning(work.turnOf(sessionId), tool.title)
            ? again(at - since)
            : t('`{0}` finished after {1}', tool.title, { ms: at - tool.since }),
        advice: tool.isSubagent
          ? t(
              "The subagent may wait for a permission that the agent never asked for; {0} if it doesn't continue.",
              endWork,
            )
          : t("{1}; {0} if it doesn't continue.", endWork, maybeStuck),
      };
    }
    return {
      ...wait,
      ...(asked?.method === commandQuestion
        ? ofTool(this.timeouts.tool)
        : alarmAt(asked ? this.timeouts.slow : this.timeouts.turn)),
      what: (waited) => whileOpen(t('No activity for {0}', waited), asked),
      ended: (at) => again(at - since),
      advice: asked
        ? t("The agent may wait for the client; {0} if it doesn't continue.", endWork)
        : t("{1}; {0} if it doesn't continue.", endWork, maybeStuck),
    };
  }
}

/** The tool call that a request became, and that goes on as a task. */
function taskTool(request: OpenRequest, { work }: Conversation): ToolCall | undefined {
  const tool = work.tools.ofRequest(request);
  return tool?.task ? tool : undefined;
}

/** Whether a request is about a task that goes on: it is reported with the tool. */
function isOfOpenTask({ taskId, isToolCall }: OpenRequest, { work }: Conversation): boolean {
  const tool = taskId === undefined || isToolCall === true ? undefined : work.tools.ofTask(taskId);
  return tool !== undefined && isOpen(tool);
}

function isRunning(turn: Turn | undefined, title: string): boolean {
  return turn !== undefined && [...turn.tools.values()].some((tool) => tool.title === title);
}

/** A wait that is a problem from the start. */
function alarmAt(limit: number): Pick<Wait, 'limit' | 'alarm'> {
  return { limit, alarm: limit };
}

/** Builds and tests are silent for long, so the wait for a tool is only mentioned at first. */
function ofTool(alarm: number): Pick<Wait, 'limit' | 'alarm'> {
  return { limit: alarm * mentionedAfter, alarm };
}

function again(waited: number): Words {
  return t('Activity again after {0}', { ms: waited });
}

export function keyOf({ direction, id }: OpenRequest): string {
  return `request ${direction} ${typeof id} ${String(id).slice(0, 256)}`;
}

export function turnKey(sessionId: string): string {
  return `turn ${sessionId}`;
}

/** The MCP servers that a session waits for, and when the others were ready. */
function startingServers({ mcpServers, starting }: Conversation, since: number): Words {
  const isReady = (name: string): boolean => starting?.ready.has(name) === true;
  const waiting = mcpServers.filter((name) => !isReady(name)).map((name) => `\`${name}\``);
  const ready = mcpServers
    .filter(isReady)
    .map((name) => `\`${name}\` (${duration((starting?.ready.get(name) ?? since) - since)})`);
  if (waiting.length === 0) return t('its MCP servers are ready: {0}', ready.join(', '));
  const waits = t('it may wait for the MCP servers {0}', waiting.join(', '));
  return ready.length === 0 ? waits : t('{0}; ready: {1}', waits, ready.join(', '));
}

/** Whether a question may belong to a request: in the same session, or without a session while the request was open. */
function mayBeFor(question: OpenRequest, { sessionId, startedAt }: OpenRequest): boolean {
  if (question.sessionId === undefined) return startedAt <= question.startedAt;
  return question.sessionId === sessionId;
}

function whileOpen(what: Words, asked: OpenRequest | undefined): Words {
  return asked ? t("{0} while the client hasn't answered `{1}`", what, asked.method) : what;
}
