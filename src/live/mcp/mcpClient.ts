import type {
  ElicitRequestParams,
  ElicitResult,
  RequestOptions,
  StandardSchemaV1,
  Transport,
} from '@modelcontextprotocol/client';
import { Client, ProtocolError } from '@modelcontextprotocol/client';
import { notRunning } from '../agentRequests';
import type { Words } from '../../text/translator';
import { t } from '../../text/translator';
import { methodNotFound } from '../../work/errorCodes';
import { setTimeout as delay } from 'node:timers/promises';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CancellationToken } from 'vscode-jsonrpc/node';
import type { Threshold } from '../../text/level';
import { oneLine } from '../../text/text';
import type { JsonObject, RequestId } from '../../text/json';
import { objectOf } from '../../text/json';
import { tasksExtension } from '../../protocols/mcp/subject';
import { taskIn } from '../../protocols/mcp/tasks';
import type { AgentClient, AgentLevelResult, Tool, ToolCallOptions, ToolClient } from '../connection/agentClient';
import { AgentError } from '../connection/agentError';
import { checkProtocol } from '../connection/greeting';
import { HumanError } from '../../text/humanError';
import type { McpCall, McpCalls } from './mcpCalls';
import { cancelReason } from './mcpCalls';
import { webPage } from '../webPage';
import type { AskUser } from './elicitation';
import type { LoginPorts } from './login/loginPorts';
import { mcpError } from './mcpError';
import { TaskCancelled, taskResult } from './mcpTasks';
import { Cancelled } from '../../time/waiting';

/** `auto` tries 2026-07-28 with `server/discover` and falls back to `initialize`; `modern` and `legacy` use only one of them. */
export type McpEra = 'auto' | 'legacy' | 'modern';

/** Connects a client over a transport. If that fails, the transport isn't used again. */
export type McpConnect = (transport: Transport, era: McpEra, probeTimeout?: number) => Promise<void>;

/** Tries transports and eras: calls `connect` until one succeeds. */
export type McpDial = (connect: McpConnect) => Promise<void>;

export interface McpClientOptions {
  readonly agentName: string;
  /** The server's URL, if it has one. */
  readonly address?: string;
  readonly clientInfo: { readonly name: string; readonly title: string; readonly version: string };
  /** Returns the paths of the open folders, which servers get as roots. */
  readonly workspaceFolders: () => readonly string[];
  /** Timeout of `logging/setLevel`, in milliseconds. */
  readonly setLevelTimeout: number;
  /** How long to wait for `server/discover` over stdio before trying `initialize`, in milliseconds. */
  readonly probeTimeout: number;
  /** Lets users log in to servers that ask for it (OAuth). Without it, a refused request is only reported. */
  readonly login?: LoginPorts;
  /** Leaves the server's log level as it is: nothing but what the caller asks for is sent. */
  readonly keepsLevel?: boolean;
  /** Without it, elicitation requests are declined. */
  readonly askUser?: AskUser;
}

interface Sending {
  readonly client: Client;
  readonly call: McpCall;
  readonly _meta: Record<string, unknown>;
  readonly options: RequestOptions;
}

/** The first revision without `initialize`. */
const modernVersion = '2026-07-28';
/** Key in `_meta` for the log level of a request (MCP 2026-07-28 "Logging"). */
const logLevelKey = 'io.modelcontextprotocol/logLevel';
/** The longest timer that Node supports, in milliseconds. Users decide how long to wait. */
const forever = 2 ** 31 - 1;
/** How long a start waits for `logging/setLevel`, in milliseconds. */
const firstLevelGrace = 1000;

/** A client for the Model Context Protocol, based on the official library. */
export class McpClient implements AgentClient, ToolClient {
  readonly tools = this;
  private client: Client | undefined;
  private transport: Transport | undefined;
  private level: Threshold = 'off';
  private how: Words = t('ended');

  constructor(
    private readonly calls: McpCalls,
    private readonly dial: McpDial,
    private readonly options: McpClientOptions,
  ) {}

  /** Connects in whichever era the server supports; returns its version, capabilities and `agentInfo`. */
  async initialize(level: Threshold, _token: CancellationToken): Promise<JsonObject> {
    this.level = level;
    try {
      await this.dial((transport, era, probeTimeout) => this.connect(transport, era, probeTimeout));
    } catch (error) {
      const failed = await this.describeError('initialize', error);
      const { greeting: result } = this.calls;
      const answer = failed instanceof AgentError ? { error: failed.message } : { result };
      await checkProtocol(this.options.agentName, 'mcp', answer);
      throw failed;
    }
    const keepsLevel = this.isModern || this.options.keepsLevel === true;
    if (!keepsLevel) await Promise.race([this.setLevel(level), delay(firstLevelGrace, undefined, { ref: false })]);
    const instructions = this.client?.getInstructions();
    return {
      protocolVersion: this.client?.getNegotiatedProtocolVersion(),
      agentInfo: this.client?.getServerVersion(),
      capabilities: this.client?.getServerCapabilities() ?? {},
      ...(instructions !== undefined && { instructions }),
    };
  }

  /** Up to 2025-11-25 this is a request (MCP "Logging"); since 2026-07-28 every request carries the level. */
  async setLevel(level: Threshold): Promise<AgentLevelResult> {
    this.level = level;
    const { client } = this;
    if (!client?.getServerCapabilities()?.logging) return 'unsupported';
    if (this.isModern) return 'applied';
    try {
      // RFC 5424 has no "off", so ask for the most severe level; the view hides the rest.
      const params = { level: level === 'off' ? 'emergency' : level };
      await client.request({ method: 'logging/setLevel', params }, { timeout: this.options.setLevelTimeout });
      return 'applied';
    } catch (error) {
      const failed = await this.describeError('logging/setLevel', error);
      return failed instanceof AgentError && failed.code === methodNotFound ? 'unsupported' : 'failed';
    }
  }

  listTools(token?: CancellationToken): Promise<readonly Tool[]> {
    return this.request('tools/list', { ...(token && { token }) }, async ({ client, _meta, options }) => {
      const { tools } = await client.listTools({ _meta }, { ...options, cacheMode: 'refresh' });
      return tools.map(({ name, title, description, inputSchema }) => ({
        name,
        ...(title !== undefined && { title }),
        ...(description !== undefined && { description }),
        inputSchema,
      }));
    });
  }

  /** Sends any request. Returns its result unchanged. */
  ask(method: string, params: JsonObject, token?: CancellationToken): Promise<JsonObject> {
    return this.request(method, { ...(token && { token }) }, async ({ client, call, _meta, options }) => {
      const result = await client.request({ method, params: { ...params, _meta } }, anyObject, options);
      return call.result ?? result;
    });
  }

  callTool(name: string, args: JsonObject, callOptions: ToolCallOptions = {}): Promise<JsonObject> {
    return this.request('tools/call', callOptions, async ({ client, call, _meta, options }) => {
      const result = await client.callTool({ name, arguments: args, _meta }, options);
      const task = taskIn(call.result);
      return task ? this.resultOf(task.id, task.fields, client, call) : (call.result ?? result);
    });
  }

  /** Follows the task that a call became. */
  private async resultOf(taskId: string, created: JsonObject, client: Client, call: McpCall): Promise<JsonObject> {
    const { signal } = call.abort;
    try {
      return await taskResult(taskId, created, {
        signal,
        onProgress: call.onProgress,
        request: (method, params, signal) => {
          const options = { timeout: forever, ...(signal && { signal }) };
          return client.request({ method, params: { ...params, _meta: this.levelMeta } }, anyObject, options);
        },
        respond: async (method, params) => {
          if (method === 'roots/list') return { roots: this.roots() };
          if (method !== 'elicitation/create') return undefined;
          return this.elicit(params as ElicitRequestParams, signal);
        },
      });
    } catch (error) {
      if (error instanceof TaskCancelled) call.cancelledByServer = oneLine(error.message, 300);
      throw error;
    }
  }

  /** Cancels a request: its caller gets an error immediately, and the server is notified. */
  cancelRequest(requestId: RequestId): Promise<void> {
    const call = this.calls.find(requestId);
    if (!call) {
      return Promise.reject(new HumanError(t('{0} no longer has this request.', this.options.agentName)));
    }
    this.cancel(call);
    return Promise.resolve();
  }

  prepareStop(): Promise<void> {
    for (const call of this.calls.all) this.cancel(call);
    return Promise.resolve();
  }

  async finish(how: Words | undefined): Promise<void> {
    this.how = how ?? this.how;
    await this.transport?.close();
  }

  private get isModern(): boolean {
    return this.client?.getProtocolEra() === 'modern';
  }

  private async connect(transport: Transport, era: McpEra, probeTimeout = forever): Promise<void> {
    const { askUser } = this.options;
    const client = new Client(this.options.clientInfo, {
      capabilities: {
        roots: {},
        ...(askUser && { elicitation: { form: {}, url: {} } }),
        extensions: { [tasksExtension]: {} },
      },
      versionNegotiation: {
        mode: era === 'modern' ? { pin: modernVersion } : era,
        probe: { timeoutMs: probeTimeout },
      },
      jsonSchemaValidator: {
        getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
      },
    });
    client.setRequestHandler('roots/list', () => ({ roots: this.roots() }));
    if (askUser) {
      client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) => this.elicit(params, mcpReq.signal));
    }
    client.fallbackRequestHandler = ({ method }) => Promise.reject(this.refusal(method));
    client.onerror = () => undefined; // The log is read off the wire instead.
    this.transport = transport;
    await client.connect(transport, { timeout: forever });
    this.client = client;
  }

  private roots(): { uri: string; name: string }[] {
    return this.options.workspaceFolders().map(rootOf);
  }

  private async elicit(params: ElicitRequestParams, signal: AbortSignal): Promise<ElicitResult> {
    const { askUser } = this.options;
    const page = params.mode === 'url' ? webPage(params.url) : undefined;
    return askUser ? askUser(params, page, signal) : { action: 'decline' };
  }

  /** Sampling, for example, is shown and declined. */
  private refusal(method: string): Error {
    const { title } = this.options.clientInfo;
    return new ProtocolError(methodNotFound, `${title} declines ${oneLine(method, 100)}: it only shows what happens.`);
  }

  private async request<T>(
    method: string,
    { token, onProgress }: ToolCallOptions,
    send: (sending: Sending) => Promise<T>,
  ): Promise<T> {
    const { client } = this;
    if (!client) throw notRunning(this.options.agentName);
    if (token?.isCancellationRequested === true) throw new Cancelled();
    const call = this.calls.open(method, onProgress);
    const listener = token?.onCancellationRequested(() => this.cancel(call));
    try {
      const options = { signal: call.abort.signal, timeout: forever };
      return await send({ client, call, _meta: this.metaFor(call), options });
    } catch (error) {
      throw call.abort.signal.aborted ? new Cancelled() : await this.describeError(method, error, call);
    } finally {
      listener?.dispose();
      this.calls.close(call);
    }
  }

  private metaFor({ token }: McpCall): Record<string, unknown> {
    return { progressToken: token, ...this.levelMeta };
  }

  private get levelMeta(): Record<string, unknown> {
    return this.isModern && this.level !== 'off' ? { [logLevelKey]: this.level } : {};
  }

  /** The library sends `notifications/cancelled`, or closes the response stream if that's how the transport cancels. */
  private cancel({ abort }: McpCall): void {
    abort.abort(cancelReason);
  }

  private describeError(method: string, error: unknown, call?: McpCall): Promise<Error> {
    const { agentName, address } = this.options;
    return mcpError({ agentName, method, error, how: this.how, address, ...(call && { call }) });
  }
}

/** Accepts any result of a request that the library doesn't know. */
const anyObject: StandardSchemaV1<unknown, JsonObject> = {
  '~standard': { version: 1, vendor: 'agent-logs', validate: (value) => ({ value: objectOf(value) }) },
};

function rootOf(path: string): { uri: string; name: string } {
  return { uri: pathToFileURL(path).href, name: basename(path) };
}
