import { t } from '../../text/translator';
import { randomUUID } from 'node:crypto';
import type { CancellationToken, NotificationMessage } from 'vscode-jsonrpc/node';
import { ResponseError } from 'vscode-jsonrpc/node';
import type { Child, SessionMap } from '../../protocols/acp/session';
import { announce, changeState } from '../../protocols/acp/subagents';
import { BoundedMap } from '../../text/boundedMap';
import type { JsonObject } from '../../text/json';
import { arrayOf, objectOf, requestIdOf, textOf } from '../../text/json';
import { requestCancelled } from '../../work/errorCodes';
import { boundedSessionId } from '../../protocols/sessionIds';
import type { EarlierSession, SessionClient } from '../connection/agentClient';
import { AgentError, agentError } from '../connection/agentError';
import { HumanError } from '../../text/humanError';
import { Cancelled } from '../../time/waiting';
import type { Dialect } from './dialect';
import { modeCall } from './dialect';
import { OpenTurns } from './openTurns';
import type { Permissions } from './permissions';

const notFound = -32002;
const maxSessions = 1000;
/** Maximum number of pages to request of the agent's sessions. */
const maxPages = 10;
/** The result of a prompt that is cancelled before its turn starts (ACP "Prompt Turn", "Cancellation"). */
const cancelled = { stopReason: 'cancelled' };

/** What sessions need from the client of their agent. */
interface SessionPort {
  readonly agentName: string;
  readonly dialect: Dialect;
  /** The response to `initialize`. */
  readonly initialized: JsonObject;
  /** MCP servers for a session in a folder. */
  mcpServers(cwd: string): Promise<readonly JsonObject[]>;
  request(method: string, params: JsonObject, token?: CancellationToken): Promise<unknown>;
  notify(method: string, params: JsonObject): Promise<void>;
  /** Sends a request, and repeats it once after a login if the agent requires one. */
  loggedIn<T>(ask: () => Promise<T>): Promise<T>;
}

/** The sessions and turns of an ACP agent. */
export class AcpSessions implements SessionClient {
  private readonly turns = new Set<{ readonly sessionId: string; isCancelled: boolean }>();
  private readonly openTurns: OpenTurns;
  /** The latest modes or options of each session that we opened. */
  private readonly opened = new BoundedMap<string, JsonObject>(maxSessions);

  constructor(
    private readonly client: SessionPort,
    private readonly permissions: Permissions,
    private readonly known: SessionMap,
  ) {
    this.openTurns = new OpenTurns(known);
  }

  async newSession(cwd: string, token?: CancellationToken): Promise<string> {
    const mcpServers = await this.client.mcpServers(cwd);
    const result = await this.client.loggedIn(() => {
      if (token?.isCancellationRequested) throw new Cancelled();
      return this.client.request('session/new', { cwd, mcpServers }, token);
    });
    const sessionId = textOf(objectOf(result)['sessionId']);
    if (sessionId === undefined) {
      throw new HumanError(t('{0} opened a session without a `sessionId`.', this.client.agentName), ['output']);
    }
    this.opened.set(boundedSessionId(sessionId), objectOf(result));
    return sessionId;
  }

  hasOpened(sessionId: string): boolean {
    return this.opened.has(boundedSessionId(sessionId));
  }

  get canResumeSessions(): boolean {
    return this.client.dialect.resuming(this.client.initialized) !== undefined;
  }

  async listSessions(cwd: string, token?: CancellationToken): Promise<readonly EarlierSession[]> {
    const sessions: EarlierSession[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < maxPages; page++) {
      const params = { cwd, ...(cursor !== undefined && { cursor }) };
      const result = objectOf(await this.client.loggedIn(() => this.client.request('session/list', params, token)));
      sessions.push(...arrayOf(result['sessions']).flatMap(earlierSession));
      cursor = textOf(result['nextCursor']);
      if (cursor === undefined) break;
    }
    return sessions;
  }

  /** Restores an earlier session. The agent sends its history first if it can. */
  async resumeSession(sessionId: string, cwd: string, token?: CancellationToken): Promise<void> {
    const call = this.client.dialect.resuming(this.client.initialized);
    if (!call) throw new HumanError(t("{0} can't resume sessions.", this.client.agentName));
    const params = { sessionId, cwd, mcpServers: await this.client.mcpServers(cwd), ...call.params };
    const result = await this.client.loggedIn(() => this.client.request(call.method, params, token));
    this.opened.set(boundedSessionId(sessionId), objectOf(result));
  }

  async prompt(sessionId: string, text: string): Promise<{ stopReason: string }> {
    this.checkOwn(sessionId);
    const prompt = [{ type: 'text', text }];
    const turn = { sessionId, isCancelled: false };
    this.turns.add(turn);
    this.permissions.turnStarted(sessionId);
    try {
      return await this.client.loggedIn(async () => (turn.isCancelled ? cancelled : this.runTurn(sessionId, prompt)));
    } finally {
      this.turns.delete(turn);
      this.permissions.turnEnded(sessionId);
    }
  }

  private async runTurn(sessionId: string, prompt: readonly JsonObject[]): Promise<{ stopReason: string }> {
    if (this.client.dialect.endsWithAnswer) {
      const result = await this.client.request('session/prompt', { sessionId, prompt });
      return { stopReason: textOf(objectOf(result)['stopReason']) ?? 'unknown' };
    }
    const params = { sessionId, prompt, idempotencyKey: randomUUID() };
    try {
      const id = boundedSessionId(sessionId);
      return { stopReason: await this.openTurns.run(id, () => this.client.request('session/prompt', params)) };
    } catch (error) {
      // The prompt was cancelled while it was queued.
      if (error instanceof AgentError && error.code === requestCancelled) return cancelled;
      if (!(error instanceof ResponseError)) throw error;
      throw await agentError(this.client.agentName, 'session/prompt', error, sessionId);
    }
  }

  canCancelSubagent(sessionId: string): boolean {
    const child = this.childOf(sessionId);
    return child?.canCancel === true && child.state !== 'idle';
  }

  /** Cancels the session's turn. The agent should then answer its prompt with `cancelled`. */
  async cancelTurn(sessionId: string): Promise<void> {
    const child = this.childOf(sessionId);
    if (child && child.canCancel !== true) {
      throw new HumanError(
        t("A subagent's session can't be cancelled alone. Cancel the turn of the session that started it."),
      );
    }
    for (const turn of this.turns) turn.isCancelled ||= turn.sessionId === sessionId;
    this.permissions.turnCancelled(sessionId);
    await this.client.notify('session/cancel', { sessionId });
  }

  get canCloseSessions(): boolean {
    return this.client.dialect.canClose(this.client.initialized);
  }

  async closeSession(sessionId: string): Promise<void> {
    this.checkOwn(sessionId);
    this.permissions.turnCancelled(sessionId);
    try {
      await this.client.request('session/close', { sessionId });
    } catch (error) {
      // The agent doesn't know the session, so it is closed.
      if (!(error instanceof AgentError) || error.code !== notFound) throw error;
    }
    this.opened.delete(boundedSessionId(sessionId));
  }

  async setMode(sessionId: string, modeId: string): Promise<void> {
    this.checkOwn(sessionId);
    const session = this.opened.get(boundedSessionId(sessionId)) ?? {};
    const { method, params } = modeCall(this.client.dialect, sessionId, session, modeId);
    await this.client.request(method, params);
  }

  async closeAll(): Promise<void> {
    await Promise.allSettled(this.opened.keys().map((sessionId) => this.closeSession(sessionId)));
  }

  fail(how = t('ended')): void {
    this.openTurns.fail(t('{0} {1} before the turn was over.', this.client.agentName, how));
  }

  /** Handles the updates that our requests depend on; everything else is read from the wire. */
  updated(params: JsonObject): void {
    const named = textOf(params['sessionId']);
    if (named === undefined) return;
    const sessionId = boundedSessionId(named);
    const update = objectOf(params['update']);
    const child = textOf(update['sessionId']);
    if (update['sessionUpdate'] === 'subagent_update' && child !== undefined) {
      announce(this.known, sessionId, boundedSessionId(child), update);
      const known = this.childOf(child);
      if (known && 'state' in update) changeState(known, update['state']);
    }
    if (update['sessionUpdate'] === 'config_option_update' && this.opened.has(sessionId)) {
      const { modes } = this.opened.get(sessionId) ?? {};
      this.opened.update(sessionId, { modes, configOptions: update['configOptions'] });
    }
    this.openTurns.update(sessionId, update);
  }

  private childOf(sessionId: string): Child | undefined {
    return this.known.get(boundedSessionId(sessionId))?.child;
  }

  /** @throws HumanError for a subagent's session, which only its agent can change */
  private checkOwn(sessionId: string): void {
    if (!this.childOf(sessionId)) return;
    throw new HumanError(
      t("A subagent's session is controlled by {0}. Use the session that started it.", this.client.agentName),
    );
  }
}

function earlierSession(value: unknown): EarlierSession[] {
  const { sessionId, cwd, title, updatedAt } = objectOf(value);
  const id = textOf(sessionId);
  if (id === undefined) return [];
  const at = Date.parse(textOf(updatedAt) ?? '');
  return [
    {
      sessionId: id,
      cwd: textOf(cwd),
      title: textOf(title),
      updatedAt: Number.isNaN(at) ? undefined : at,
    },
  ];
}

/** Updates that requests depend on: ends of turns, subagents, and options. */
const ownUpdates = new Set<unknown>([
  'state_update',
  'user_message',
  'user_message_chunk',
  'agent_message',
  'subagent_update',
  'config_option_update',
]);

/** Passes on notifications for the client, with `$/cancel_request` in vscode-jsonrpc's form. All others are only read from the wire. */
export function notificationForClient(notification: NotificationMessage): NotificationMessage | undefined {
  if (notification.method === 'session/update') {
    return ownUpdates.has(objectOf(objectOf(notification.params)['update'])['sessionUpdate'])
      ? notification
      : undefined;
  }
  if (notification.method !== '$/cancel_request') return undefined;
  const id = requestIdOf(objectOf(notification.params)['requestId']);
  return id === undefined ? undefined : { jsonrpc: '2.0', method: '$/cancelRequest', params: { id } as never };
}
