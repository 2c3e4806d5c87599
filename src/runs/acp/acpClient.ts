import { randomUUID } from 'node:crypto';
import type { AuthMethod } from '@agentclientprotocol/sdk';
import type { CancellationToken, NotificationMessage } from 'vscode-jsonrpc/node';
import { CancellationReceiverStrategy, CancellationTokenSource, ResponseError } from 'vscode-jsonrpc/node';
import { boundedJson } from '../../log/boundedJson';
import type { OpenRequest } from '../../protocols/jsonrpc/requests';
import type { AgentClient, AgentLevelResult, SessionClient } from '../connection/agentClient';
import { AgentError, agentError } from '../connection/agentError';
import { greetingOf } from '../connection/greeting';
import type { Threshold } from '../../log/level';
import { wantsMore } from '../../log/level';
import type { JsonObject } from '../../protocols/json';
import { arrayOf, objectOf, requestIdOf, textOf } from '../../protocols/json';
import type { RequestId } from '../../protocols/json';
import { AgentGone, Declined, HumanError } from '../humanError';
import type { JsonRpcPipes } from '../connection/jsonRpcPeer';
import { JsonRpcPeer } from '../connection/jsonRpcPeer';
import type { PermissionAsker } from './permissions';
import { Permissions } from './permissions';
import { Subagents } from '../../protocols/acp/subagents/subagents';
import { boundedSessionId } from '../../protocols/sessionId';
import type { AcpVersion, Dialect } from './dialect';
import { dialects, initializeParams, modeCall, spokenVersion } from './dialect';
import { negotiate, within } from './negotiation';
import { OpenTurns } from './openTurns';
import { Cancelled } from '../waiting';
import { BoundedMap } from '../../protocols/boundedMap';
import { loginRequired, methodNotFound, requestCancelled } from '../../protocols/jsonrpc/errorCodes';

const notFound = -32002;
const maxSessions = 1000;
/** The result of a prompt that is cancelled before its turn starts (ACP "Prompt Turn", "Cancellation"). */
const cancelled = { stopReason: 'cancelled' };

export interface AcpClientOptions {
  /** The agent's name, to show to the user. */
  readonly agentName: string;
  readonly clientInfo: { readonly name: string; readonly title: string; readonly version: string };
  readonly askPermission: PermissionAsker;
  /** Lets the user choose a login method; `undefined` if they cancel. */
  readonly chooseAuthMethod: (
    methods: readonly AuthMethod[],
    why: string,
    token: CancellationToken,
  ) => Promise<string | undefined>;
  /** The latest version to offer: 2 by default, which falls back to 1. */
  readonly version?: AcpVersion | undefined;
  /** How long to wait for the answer to `logging/setLevel`, in milliseconds. */
  readonly setLevelTimeout: number;
}

/** A client of the Agent Client Protocol. */
export class AcpClient implements AgentClient, SessionClient {
  readonly sessions = this;
  private peer: JsonRpcPeer;
  private readonly permissions: Permissions;
  private readonly turns = new Set<{ readonly sessionId: string; isCancelled: boolean }>();
  private declared: Threshold = 'off';
  private knowsSetLevel: boolean | undefined;
  private authMethods: readonly AuthMethod[] = [];
  private initialized: JsonObject = {};
  private dialect: Dialect = dialects[1];
  private readonly openTurns = new OpenTurns();
  private readonly subagents = new Subagents();
  /** The latest modes or options of each session that we opened. */
  private readonly opened = new BoundedMap<string, JsonObject>(maxSessions);
  private end = new CancellationTokenSource();
  private negotiating = true;
  private answers = 0;

  /** @param restarted resolves with the agent's new process if it was restarted because it exited during `initialize` */
  constructor(
    pipes: JsonRpcPipes,
    private readonly options: AcpClientOptions,
    private readonly restarted: () => Promise<JsonRpcPipes | undefined> | undefined = () => undefined,
  ) {
    this.permissions = new Permissions(options.askPermission, this.subagents);
    this.peer = this.connect(pipes);
  }

  private connect(pipes: JsonRpcPipes): JsonRpcPeer {
    const peer = new JsonRpcPeer(pipes, this.options.agentName, {
      cancellationStrategy: {
        receiver: CancellationReceiverStrategy.Message,
        sender: {
          sendCancellation: (connection, requestId) => connection.sendNotification('$/cancel_request', { requestId }),
          cleanup: () => undefined,
        },
      },
    });
    const { connection } = peer;
    connection.onRequest('session/request_permission', async (params: unknown, token: CancellationToken) => ({
      outcome: await this.permissions.answer(params, token),
    }));
    connection.onNotification('session/update', (params: unknown) => this.updated(objectOf(params)));
    connection.listen();
    return peer;
  }

  /** Returns the parts of the agent's `initialize` response that matter to users, such as its name and version. */
  async initialize(level: Threshold, token: CancellationToken): Promise<JsonObject> {
    this.declared = level;
    const result = await this.greet(level, token);
    const version = spokenVersion(result);
    if (version === undefined || version > this.offered) {
      const answered = boundedJson(result['protocolVersion'] ?? null, 40);
      const ours = this.offered === 1 ? 'version 1' : 'versions 1 and 2';
      throw new HumanError(
        `${this.options.agentName} speaks version ${answered} of the Agent Client Protocol, Agent Logs speaks ${ours}. ` +
          'Look for a version of the agent, or of Agent Logs, that speaks the same.',
        ['output'],
      );
    }
    this.dialect = dialects[version];
    this.authMethods = arrayOf(result['authMethods']).flatMap(authMethod);
    this.initialized = result;
    return result;
  }

  private get offered(): AcpVersion {
    return this.options.version ?? 2;
  }

  /** Whether the agent may exit because of what `initialize` offers. */
  get isNegotiating(): boolean {
    return this.offered === 2 && this.negotiating;
  }

  /** Whether the agent has answered an `initialize`. */
  get hasAnswered(): boolean {
    return this.answers > 0;
  }

  private async greet(level: Threshold, token: CancellationToken): Promise<JsonObject> {
    const ask = async (version: AcpVersion): Promise<JsonObject> => {
      const params = initializeParams(version, level, this.options.clientInfo);
      const answer = this.peer.request('initialize', params, token);
      const result = await greetingOf(this.options.agentName, 'acp', answer);
      this.answers++;
      return objectOf(result);
    };
    if (this.offered === 1) return ask(1);
    try {
      return await negotiate(ask);
    } catch (error) {
      const pipes = error instanceof AgentGone ? await this.restarted() : undefined;
      if (!pipes) throw error;
      this.end = new CancellationTokenSource();
      this.peer = this.connect(pipes);
      return await ask(1);
    } finally {
      this.negotiating = false;
    }
  }

  /** Opens a session, logging in first if the agent requires it. Returns the session's ID. */
  async newSession(cwd: string, token?: CancellationToken): Promise<string> {
    const result = await this.loggedIn(() => {
      if (token?.isCancellationRequested) throw new Cancelled();
      return this.peer.request('session/new', { cwd, mcpServers: [] }, token);
    });
    const sessionId = textOf(objectOf(result)['sessionId']);
    if (sessionId === undefined) {
      throw new HumanError(`${this.options.agentName} opened a session but gave no sessionId.`, ['output']);
    }
    this.opened.set(boundedSessionId(sessionId), objectOf(result));
    return sessionId;
  }

  /** Runs one turn. Returns its stop reason. */
  async prompt(sessionId: string, text: string): Promise<{ stopReason: string }> {
    this.checkOwn(sessionId, 'prompted');
    const prompt = [{ type: 'text', text }];
    const turn = { sessionId, isCancelled: false };
    this.turns.add(turn);
    this.permissions.turnStarted(sessionId);
    try {
      return await this.loggedIn(async () => (turn.isCancelled ? cancelled : this.runTurn(sessionId, prompt)));
    } finally {
      this.turns.delete(turn);
      this.permissions.turnEnded(sessionId);
    }
  }

  private async runTurn(sessionId: string, prompt: readonly JsonObject[]): Promise<{ stopReason: string }> {
    if (this.dialect.endsWithAnswer) {
      const result = await this.peer.request('session/prompt', { sessionId, prompt });
      return { stopReason: textOf(objectOf(result)['stopReason']) ?? 'unknown' };
    }
    const params = { sessionId, prompt, idempotencyKey: randomUUID() };
    try {
      const id = boundedSessionId(sessionId);
      return { stopReason: await this.openTurns.run(id, () => this.peer.request('session/prompt', params)) };
    } catch (error) {
      // The prompt was cancelled while it was queued.
      if (error instanceof AgentError && error.code === requestCancelled) return cancelled;
      if (!(error instanceof ResponseError)) throw error;
      throw await agentError(this.options.agentName, 'session/prompt', error, sessionId);
    }
  }

  /** Cancels the session's turn. The agent should then answer its prompt with `cancelled`. */
  async cancelTurn(sessionId: string): Promise<void> {
    const child = this.subagents.get(boundedSessionId(sessionId));
    if (child && child.canCancel !== true) throw childError(this.options.agentName, "can't be cancelled alone");
    for (const turn of this.turns) turn.isCancelled ||= turn.sessionId === sessionId;
    this.permissions.turnCancelled(sessionId);
    await this.peer.notify('session/cancel', { sessionId });
  }

  /** Asks the agent to cancel a request (ACP "Cancellation"). The agent may ignore that. */
  async cancelRequest(requestId: RequestId): Promise<void> {
    await this.peer.notify('$/cancel_request', { requestId });
  }

  /** Whether the agent supports `session/close`. */
  get canCloseSessions(): boolean {
    return this.dialect.canClose(this.initialized);
  }

  async closeSession(sessionId: string): Promise<void> {
    this.checkOwn(sessionId, 'closed');
    this.permissions.turnCancelled(sessionId);
    try {
      await this.peer.request('session/close', { sessionId });
    } catch (error) {
      // The agent doesn't know the session, so it is closed.
      if (!(error instanceof AgentError) || error.code !== notFound) throw error;
    }
    this.opened.delete(boundedSessionId(sessionId));
  }

  async setMode(sessionId: string, modeId: string): Promise<void> {
    this.checkOwn(sessionId, 'given a mode');
    const session = this.opened.get(boundedSessionId(sessionId)) ?? {};
    const { method, params } = modeCall(this.dialect, sessionId, session, modeId);
    await this.peer.request(method, params);
  }

  /**
   * Changes the agent's log level. ACP's proposal sets it only in `initialize`, but some agents support MCP's `logging/setLevel`.
   * If this one doesn't, it needs a restart only for a lower threshold than it was given: for a higher one, the view hides records.
   */
  async setLevel(level: Threshold): Promise<AgentLevelResult> {
    const withoutSetLevel = (): AgentLevelResult => (wantsMore(level, this.declared) ? 'needs-restart' : 'unsupported');
    if (this.knowsSetLevel === false) return withoutSetLevel();
    try {
      // RFC 5424 has no "off". Ask for the most severe level; the view hides the rest.
      await within(
        this.options.setLevelTimeout,
        this.peer.request('logging/setLevel', { level: level === 'off' ? 'emergency' : level }),
      );
      this.knowsSetLevel = true;
      return 'applied';
    } catch (error) {
      if (!(error instanceof AgentError) || error.code !== methodNotFound) return 'failed';
      this.knowsSetLevel = false;
      return withoutSetLevel();
    }
  }

  /** Cancels running turns, so that the agent doesn't continue them while it is shutting down. */
  async prepareStop(open: readonly OpenRequest[]): Promise<void> {
    this.permissions.cancelAll();
    const turns = open.filter(({ method, direction }) => method === 'session/prompt' && direction === 'out');
    await Promise.allSettled(turns.map(({ sessionId = '' }) => this.cancelTurn(sessionId)));
    // Background work ends only with its session.
    if (this.dialect.endsWithAnswer) return;
    await Promise.allSettled(this.opened.keys().map((sessionId) => this.closeSession(sessionId)));
  }

  async finish(how: string | undefined): Promise<void> {
    await this.peer.finish(how);
    this.openTurns.fail(`${this.options.agentName} ${how ?? 'ended'} before the turn was over.`);
    this.end.cancel();
    this.permissions.cancelAll();
  }

  /** Sends a request, and repeats it once after a login if the agent requires one. */
  private async loggedIn<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof AgentError) || error.code !== loginRequired) throw error;
      await this.authenticate(error);
      return ask();
    }
  }

  private async authenticate(why: AgentError): Promise<void> {
    if (this.authMethods.length === 0) {
      throw new HumanError(`${why.message}. It names no way to log in: do so with its own tools, then try again.`, [
        'output',
      ]);
    }
    const methodId = await this.options.chooseAuthMethod(this.authMethods, why.agentMessage, this.end.token);
    if (methodId === undefined) throw new Declined(`${why.message}. Nobody logged in.`);
    const { method, params } = this.dialect.logIn(methodId);
    await this.peer.request(method, params);
  }

  /** Handles the updates that our requests depend on; everything else is read from the wire. */
  private updated(params: JsonObject): void {
    const named = textOf(params['sessionId']);
    if (named === undefined) return;
    const sessionId = boundedSessionId(named);
    const update = objectOf(params['update']);
    const child = textOf(update['sessionId']);
    if (update['sessionUpdate'] === 'subagent_update' && child !== undefined) {
      this.subagents.announce(sessionId, boundedSessionId(child), update);
    }
    if (update['sessionUpdate'] === 'config_option_update' && this.opened.has(sessionId)) {
      const { modes } = this.opened.get(sessionId) ?? {};
      this.opened.update(sessionId, { modes, configOptions: update['configOptions'] });
    }
    this.openTurns.update(sessionId, update);
  }

  /** @throws HumanError for a subagent's session, which only its agent can change */
  private checkOwn(sessionId: string, what: string): void {
    if (this.subagents.get(boundedSessionId(sessionId))) throw childError(this.options.agentName, `can't be ${what}`);
  }
}

function childError(agent: string, what: string): HumanError {
  return new HumanError(`A subagent's session ${what}: ${agent} runs it. Use the session that started it.`);
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

/** A login method that the client can start. Skips `terminal` methods: we don't declare support for them (ACP "Authentication"). */
function authMethod(value: unknown): AuthMethod[] {
  const method = objectOf(value);
  const id = textOf(method['id']) ?? textOf(method['methodId']);
  if (id === undefined || method['type'] === 'terminal') return [];
  const description = textOf(method['description']);
  return [{ id, name: textOf(method['name']) ?? id, ...(description !== undefined && { description }) }];
}
