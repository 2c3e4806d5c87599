import type { AuthMethod, ClientCapabilities } from '@agentclientprotocol/sdk';
import type { CancellationToken, NotificationMessage } from 'vscode-jsonrpc/node';
import { CancellationReceiverStrategy, CancellationTokenSource } from 'vscode-jsonrpc/node';
import { boundedJson } from '../../log/boundedJson';
import type { OpenRequest } from '../../protocols/jsonrpc/requests';
import type { AgentClient, AgentLevelResult, SessionClient } from '../connection/agentClient';
import { AgentError } from '../connection/agentError';
import { greetingOf } from '../connection/greeting';
import type { Threshold } from '../../log/level';
import { wantsMore } from '../../log/level';
import type { JsonObject } from '../../protocols/json';
import { arrayOf, isObject, objectOf, requestIdOf, textOf } from '../../protocols/json';
import type { RequestId } from '../../protocols/json';
import { Declined, HumanError } from '../humanError';
import type { JsonRpcPipes } from '../connection/jsonRpcPeer';
import { JsonRpcPeer } from '../connection/jsonRpcPeer';
import type { PermissionAsker } from './permissions';
import { Permissions } from './permissions';
import { Cancelled } from '../waiting';

const protocolVersion = 1;
/** JSON-RPC 2.0 section 5.1, and ACP "Error codes". */
const methodNotFound = -32601;
const authRequired = -32000;
/** How a turn ends that is given up before it is the agent's (ACP "Prompt Turn", "Cancellation"). */
const cancelled = { stopReason: 'cancelled' };

export interface AcpClientOptions {
  /** What the agent is called, for the person. */
  readonly agentName: string;
  readonly clientInfo: { readonly name: string; readonly title: string; readonly version: string };
  readonly askPermission: PermissionAsker;
  /** Lets the person choose how to log in; `undefined` when they would rather not. */
  readonly chooseAuthMethod: (
    methods: readonly AuthMethod[],
    why: string,
    token: CancellationToken,
  ) => Promise<string | undefined>;
  /** How long an answer to `logging/setLevel` is waited for, in milliseconds. */
  readonly setLevelTimeout: number;
}

/** Speaks the Agent Client Protocol as its client. */
export class AcpClient implements AgentClient, SessionClient {
  readonly sessions = this;
  private readonly peer: JsonRpcPeer;
  private readonly permissions: Permissions;
  private readonly turns = new Set<{ readonly sessionId: string; isCancelled: boolean }>();
  private declared: Threshold = 'off';
  private knowsSetLevel: boolean | undefined;
  private authMethods: readonly AuthMethod[] = [];
  private capabilities: JsonObject = {};
  private readonly end = new CancellationTokenSource();

  constructor(
    pipes: JsonRpcPipes,
    private readonly options: AcpClientOptions,
  ) {
    this.permissions = new Permissions(options.askPermission);
    this.peer = new JsonRpcPeer(pipes, options.agentName, {
      cancellationStrategy: {
        receiver: CancellationReceiverStrategy.Message,
        sender: {
          sendCancellation: (connection, requestId) => connection.sendNotification('$/cancel_request', { requestId }),
          cleanup: () => undefined,
        },
      },
    });
    const { connection } = this.peer;
    connection.onRequest('session/request_permission', async (params: unknown, token: CancellationToken) => ({
      outcome: await this.permissions.answer(params, token),
    }));
    connection.listen();
  }

  /** The agent's `initialize` answer, in what concerns a person: its name and version as it gives them. */
  async initialize(level: Threshold, token: CancellationToken): Promise<JsonObject> {
    this.declared = level;
    const answer = this.peer.request(
      'initialize',
      { protocolVersion, clientCapabilities: capabilitiesFor(level), clientInfo: this.options.clientInfo },
      token,
    );
    const result = objectOf(await greetingOf(this.options.agentName, 'acp', answer));
    const answered = result['protocolVersion'];
    if (answered !== protocolVersion) {
      throw new HumanError(
        `${this.options.agentName} speaks version ${boundedJson(answered ?? null, 40)} of the Agent Client Protocol, Agent Logs speaks version ${protocolVersion}. ` +
          'Look for a version of the agent, or of Agent Logs, that speaks the same.',
        ['output'],
      );
    }
    this.authMethods = arrayOf(result['authMethods']).flatMap(authMethod);
    this.capabilities = objectOf(result['agentCapabilities']);
    return result;
  }

  /** Opens a session, logging in first where the agent wants that; answers the session's id. */
  async newSession(cwd: string, token?: CancellationToken): Promise<string> {
    const result = await this.loggedIn(() => {
      if (token?.isCancellationRequested) throw new Cancelled();
      return this.peer.request('session/new', { cwd, mcpServers: [] }, token);
    });
    const sessionId = textOf(objectOf(result)['sessionId']);
    if (sessionId === undefined) {
      throw new HumanError(`${this.options.agentName} opened a session but gave no sessionId.`, ['output']);
    }
    return sessionId;
  }

  /** Runs one turn; answers its stop reason. */
  async prompt(sessionId: string, text: string): Promise<{ stopReason: string }> {
    const prompt = [{ type: 'text', text }];
    const turn = { sessionId, isCancelled: false };
    this.turns.add(turn);
    this.permissions.turnStarted(sessionId);
    try {
      const result = await this.loggedIn(async () =>
        turn.isCancelled ? cancelled : this.peer.request('session/prompt', { sessionId, prompt }),
      );
      return { stopReason: textOf(objectOf(result)['stopReason']) ?? 'unknown' };
    } finally {
      this.turns.delete(turn);
      this.permissions.turnEnded(sessionId);
    }
  }

  /** Cancels the session's turn: the agent should answer its prompt with `cancelled`. */
  async cancelTurn(sessionId: string): Promise<void> {
    for (const turn of this.turns) turn.isCancelled ||= turn.sessionId === sessionId;
    this.permissions.turnCancelled(sessionId);
    await this.peer.notify('session/cancel', { sessionId });
  }

  /** Asks the agent to give up a request (ACP "Cancellation"); it may go on all the same. */
  async cancelRequest(requestId: RequestId): Promise<void> {
    await this.peer.notify('$/cancel_request', { requestId });
  }

  /** Whether the agent offers `session/close`. */
  get canCloseSessions(): boolean {
    return isObject(objectOf(this.capabilities['sessionCapabilities'])['close']);
  }

  async closeSession(sessionId: string): Promise<void> {
    this.permissions.turnCancelled(sessionId);
    await this.peer.request('session/close', { sessionId });
  }

  async setMode(sessionId: string, modeId: string): Promise<void> {
    await this.peer.request('session/set_mode', { sessionId, modeId });
  }

  /**
   * Asks the agent for another level. ACP's proposal fixes it at `initialize`; `logging/setLevel` is MCP's way, which some agents answer.
   * Where this one does not, a restart is needed only if more is wanted than was declared: less, the view's gate does.
   */
  async setLevel(level: Threshold): Promise<AgentLevelResult> {
    const withoutSetLevel = (): AgentLevelResult => (wantsMore(level, this.declared) ? 'needs-restart' : 'unsupported');
    if (this.knowsSetLevel === false) return withoutSetLevel();
    try {
      // RFC 5424 has no "off": the most severe level comes nearest, and the gate does the rest.
      await this.within(this.peer.request('logging/setLevel', { level: level === 'off' ? 'emergency' : level }));
      this.knowsSetLevel = true;
      return 'applied';
    } catch (error) {
      if (!(error instanceof AgentError) || error.code !== methodNotFound) return 'failed';
      this.knowsSetLevel = false;
      return withoutSetLevel();
    }
  }

  /** Cancels the turns that run, so that the agent does not go on working while it is asked to end. */
  async prepareStop(open: readonly OpenRequest[]): Promise<void> {
    this.permissions.cancelAll();
    const turns = open.filter(({ method, direction }) => method === 'session/prompt' && direction === 'out');
    await Promise.allSettled(turns.map(({ sessionId = '' }) => this.cancelTurn(sessionId)));
  }

  async finish(how: string | undefined): Promise<void> {
    await this.peer.finish(how);
    this.end.cancel();
    this.permissions.cancelAll();
  }

  /** Asks, and where the agent wants somebody to be logged in first, once more after that. */
  private async loggedIn<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof AgentError) || error.code !== authRequired) throw error;
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
    await this.peer.request('authenticate', { methodId });
  }

  private within<T>(answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('no answer')), this.options.setLevelTimeout);
      void answer.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }
}

/**
 * What we can do. `logging` is the proposal's (pull request 392); the same under `_meta` is for agents that keep to "Extensibility", by which
 * a field of one's own belongs there. Without a level, no capability: the agent is not asked for logs at all.
 */
function capabilitiesFor(level: Threshold): ClientCapabilities & { logging?: { level: Threshold } } {
  const logging = level === 'off' ? {} : { logging: { level } };
  return {
    fs: { readTextFile: false, writeTextFile: false },
    terminal: false,
    session: { notices: {} },
    ...logging,
    ...(level !== 'off' && { _meta: { 'agent-logs': logging } }),
  };
}

/** The `$/cancel_request` of ACP in vscode-jsonrpc's words; no other notification concerns the client. */
export function notificationForClient(notification: NotificationMessage): NotificationMessage | undefined {
  if (notification.method !== '$/cancel_request') return undefined;
  const id = requestIdOf(objectOf(notification.params)['requestId']);
  return id === undefined ? undefined : { jsonrpc: '2.0', method: '$/cancelRequest', params: { id } as never };
}

/** A way to log in that a client can start; `terminal` ones were not asked for and must not be sent (ACP "Authentication"). */
function authMethod(value: unknown): AuthMethod[] {
  const method = objectOf(value);
  const id = textOf(method['id']);
  if (id === undefined || method['type'] === 'terminal') return [];
  const description = textOf(method['description']);
  return [{ id, name: textOf(method['name']) ?? id, ...(description !== undefined && { description }) }];
}
