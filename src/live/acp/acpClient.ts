import type { Words } from '../../text/translator';
import { t } from '../../text/translator';
import type { AuthMethod } from '@agentclientprotocol/sdk';
import type { CancellationToken } from 'vscode-jsonrpc/node';
import { CancellationReceiverStrategy, CancellationTokenSource } from 'vscode-jsonrpc/node';
import { boundedJson } from '../../text/boundedJson';
import type { OpenRequest } from '../../work/requests';
import type { AgentClient, AgentLevelResult } from '../connection/agentClient';
import { AgentError } from '../connection/agentError';
import { greetingOf } from '../connection/greeting';
import type { Threshold } from '../../text/level';
import { wantsMore } from '../../text/level';
import type { JsonObject, RequestId } from '../../text/json';
import { arrayOf, objectOf, textOf } from '../../text/json';
import { AgentGone, Declined, HumanError } from '../../text/humanError';
import type { JsonRpcPipes } from '../connection/jsonRpcPeer';
import { JsonRpcPeer } from '../connection/jsonRpcPeer';
import type { PermissionAsker } from './permissions';
import { Permissions } from './permissions';
import { SessionMap } from '../../protocols/acp/session';
import { AcpSessions } from './acpSessions';
import type { AcpVersion, Dialect } from './dialect';
import { dialects, initializeParams, spokenVersion } from './dialect';
import { within } from '../../time/waiting';
import { loginRequired, methodNotFound } from '../../work/errorCodes';

/** How long to wait for the answer to a repeated `initialize`, in milliseconds. Agents take about 30 ms. */
const repeatTimeout = 1000;

export interface AcpClientOptions {
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
  /** Looks for MCP servers for a session in a folder. Default: none. */
  readonly mcpServers?: (cwd: string, dialect: Dialect, initialized: JsonObject) => Promise<readonly JsonObject[]>;
  /** How long to wait for the answer to `logging/setLevel`, in milliseconds. */
  readonly setLevelTimeout: number;
}

/** A client of the Agent Client Protocol. */
export class AcpClient implements AgentClient {
  readonly sessions: AcpSessions;
  private peer: JsonRpcPeer;
  private readonly permissions: Permissions;
  private declared: Threshold = 'off';
  private knowsSetLevel: boolean | undefined;
  private authMethods: readonly AuthMethod[] = [];
  /** The response to `initialize`. */
  initialized: JsonObject = {};
  dialect: Dialect = dialects[1];
  private end = new CancellationTokenSource();
  private endNegotiation: (() => void) | undefined;
  /** Resolves when `initialize` has been answered or has failed. */
  readonly negotiated = new Promise<void>((resolve) => (this.endNegotiation = resolve));
  /** The latest answer to `initialize`. */
  private answered: JsonObject | undefined;

  /** @param restarted resolves with the agent's new process if it was restarted because it exited during `initialize` */
  constructor(
    pipes: JsonRpcPipes,
    private readonly options: AcpClientOptions,
    private readonly restarted: () => Promise<JsonRpcPipes | undefined> | undefined = () => undefined,
  ) {
    const sessions = new SessionMap();
    this.permissions = new Permissions(options.askPermission, sessions);
    this.sessions = new AcpSessions(this, this.permissions, sessions);
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
    connection.onNotification('session/update', (params: unknown) => this.sessions.updated(objectOf(params)));
    connection.listen();
    return peer;
  }

  async mcpServers(cwd: string): Promise<readonly JsonObject[]> {
    return (await this.options.mcpServers?.(cwd, this.dialect, this.initialized)) ?? [];
  }

  /** Returns the parts of the agent's `initialize` response that matter to users, such as its name and version. */
  async initialize(level: Threshold, token: CancellationToken): Promise<JsonObject> {
    this.declared = level;
    const result = await this.greet(level, token);
    const version = spokenVersion(result);
    if (version === undefined || version > this.offered) {
      const answered = boundedJson(result['protocolVersion'] ?? null, 40);
      const ours = this.offered === 1 ? t('version 1') : t('versions 1 and 2');
      throw new HumanError(
        t(
          '{0} speaks version {1} of the Agent Client Protocol; Agent Logs speaks {2}. Update the agent or Agent Logs.',
          this.options.agentName,
          answered,
          ours,
        ),
        ['output'],
      );
    }
    this.dialect = dialects[version];
    this.authMethods = arrayOf(result['authMethods']).flatMap(authMethod);
    this.initialized = result;
    return result;
  }

  get agentName(): string {
    return this.options.agentName;
  }

  request(method: string, params: JsonObject, token?: CancellationToken): Promise<unknown> {
    return this.peer.request(method, params, token);
  }

  notify(method: string, params: JsonObject): Promise<void> {
    return this.peer.notify(method, params);
  }

  private get offered(): AcpVersion {
    return this.options.version ?? 2;
  }

  /** Whether the agent may exit because of what `initialize` offers. */
  get isNegotiating(): boolean {
    return this.offered === 2 && this.endNegotiation !== undefined;
  }

  /** Whether the agent has answered an `initialize`. */
  get hasAnswered(): boolean {
    return this.answered !== undefined;
  }

  private async greet(level: Threshold, token: CancellationToken): Promise<JsonObject> {
    const ask = async (version: AcpVersion): Promise<JsonObject> => {
      const params = initializeParams(version, level, this.options.clientInfo);
      const answer = this.peer.request('initialize', params, token);
      return (this.answered = objectOf(await greetingOf(this.options.agentName, 'acp', answer)));
    };
    if (this.offered === 1) return ask(1);
    try {
      return await negotiate(ask);
    } catch (error) {
      if (!(error instanceof AgentGone)) throw error;
      const pipes = await this.restarted();
      if (!pipes && this.answered) return this.answered;
      if (!pipes) throw error;
      this.end = new CancellationTokenSource();
      this.peer = this.connect(pipes);
      return await ask(1);
    } finally {
      this.endNegotiation?.();
      this.endNegotiation = undefined;
    }
  }

  /** Asks the agent to cancel a request (ACP "Cancellation"). The agent may ignore that. */
  async cancelRequest(requestId: RequestId): Promise<void> {
    await this.peer.notify('$/cancel_request', { requestId });
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
    await Promise.allSettled(turns.map(({ sessionId = '' }) => this.sessions.cancelTurn(sessionId)));
    // Background work ends only with its session.
    if (!this.dialect.endsWithAnswer) await this.sessions.closeAll();
  }

  async finish(how: Words | undefined): Promise<void> {
    await this.peer.finish(how);
    this.sessions.fail(how);
    this.end.cancel();
    this.permissions.cancelAll();
  }

  /** Sends a request, and repeats it once after a login if the agent requires one. */
  async loggedIn<T>(ask: () => Promise<T>): Promise<T> {
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
      throw new HumanError(
        t('{0}. It offers no way to log in here. Log in with its own command, then try again.', why.words),
        ['output'],
      );
    }
    const methodId = await this.options.chooseAuthMethod(this.authMethods, why.agentMessage, this.end.token);
    if (methodId === undefined) throw new Declined(t('{0}. The login was dismissed.', why.words));
    const { method, params } = this.dialect.logIn(methodId);
    await this.peer.request(method, params);
  }
}

/**
 * Offers version 2 with the fields of both versions. Agents that answer 1 may have ignored that offer's capabilities, so `initialize` is
 * repeated in version 1's form. The repeat is optional: if it fails, the first answer counts.
 * @param ask sends `initialize` and waits for the answer
 * @throws AgentGone if the agent exited
 */
async function negotiate(ask: (version: AcpVersion) => Promise<JsonObject>): Promise<JsonObject> {
  let answered: JsonObject;
  try {
    answered = await ask(2);
  } catch (error) {
    if (!(error instanceof AgentError)) throw error;
    return ask(1);
  }
  if (spokenVersion(answered) !== 1) return answered;
  try {
    const again = await within(repeatTimeout, ask(1));
    return spokenVersion(again) === 1 ? again : answered;
  } catch (error) {
    if (error instanceof AgentGone) throw error;
    return answered;
  }
}

/** A login method that the client can start. Skips `terminal` methods: we don't declare support for them (ACP "Authentication"). */
function authMethod(value: unknown): AuthMethod[] {
  const method = objectOf(value);
  const id = textOf(method['id']) ?? textOf(method['methodId']);
  if (id === undefined || method['type'] === 'terminal') return [];
  const description = textOf(method['description']);
  return [{ id, name: textOf(method['name']) ?? id, ...(description !== undefined && { description }) }];
}
