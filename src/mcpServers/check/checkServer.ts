import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { CancellationToken } from 'vscode-jsonrpc/node';
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import { httpFailure } from '../../diagnosis/failures/httpFailure';
import { missingPart } from '../../diagnosis/failures/calls/missingThing';
import { objectOf, textOf } from '../../text/json';
import type { JsonObject } from '../../text/json';
import { oneLine } from '../../text/text';
import type { Words } from '../../text/translator';
import { inEnglish, t, verbatim } from '../../text/translator';
import type { ProcessEvent, WireProcessEvent } from '../../wire/wireEvent';
import type { LaunchSpec, RemoteSpec, RunDefinition } from '../../live/config/launchSpec';
import { environment } from '../../live/config/launchSpec';
import type { Connector } from '../../live/connection/agentConnection';
import { AgentGone, HumanError, messageOf } from '../../text/humanError';
import type { McpClient } from '../../live/mcp/mcpClient';
import type { ProcessReaper } from '../../live/process/processReaper';
import { interpretation, unjudged } from '../../runLog/reading/interpretation';
import type { LineRedactor } from '../../runLog/reading/redactEvent';
import { Run } from '../../live/run';
import { Cancelled } from '../../time/waiting';
import type { CheckTarget } from './checkTarget';
import type { CheckedServer, CheckFailure } from './checkedServer';
import { greetingOf } from './checkedServer';
import type { List } from './listPages';
import { listPages } from './listPages';
import { RecordedServer } from './recordedServer';
import { listedTools } from './rules/listedTool';

export interface CheckOptions {
  readonly reaper: ProcessReaper;
  readonly redactor: LineRedactor;
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** For the start and the lists together, in milliseconds. */
  readonly timeout: number;
  /** When the time is over. Default: `AbortSignal.timeout`. */
  readonly limit?: (ms: number) => AbortSignal;
  readonly onFault?: (error: Error) => void;
}

/** MCP "Ping" was removed with this revision. */
const firstWithoutPing = '2026-07-28';
/** How long to wait for `server/discover`, in milliseconds. */
const probeTimeout = 3000;
/** How long a server without tools may take to have some, in milliseconds. */
const changeWait = 1000;
const stop = { close: 400, terminate: 300 } as const;
const megabyte = 1024 * 1024;

/**
 * Starts a server, asks for its lists, and ends it with its children. Sends nothing that makes it do anything: `initialize` or
 * `server/discover`, lists and `ping`.
 * @throws Cancelled
 */
export async function checkServer(
  target: CheckTarget,
  options: CheckOptions,
  signal: AbortSignal,
): Promise<CheckedServer> {
  const none = { target, source: { type: 'started' }, tools: [], notes: [] } as const;
  if (target.asksUser) return { ...none, failure: asksForInput(target) };
  if (target.start.type === 'http' && !URL.canParse(target.start.url)) return { ...none, failure: noUrl(target) };
  const check = new OneCheck(target, options);
  const source = new CancellationTokenSource();
  const { timeout, limit = (ms: number) => AbortSignal.timeout(ms) } = options;
  const late = limit(timeout);
  AbortSignal.any([signal, late]).addEventListener('abort', () => source.cancel());
  try {
    return { ...none, ...(await check.run(source.token)) };
  } catch (error) {
    if (signal.aborted) throw new Cancelled();
    const failure = late.aborted ? tooLate(timeout) : check.failure(error);
    return { ...none, ...check.known, conduct: check.crossed.conduct, failure };
  } finally {
    source.dispose();
    await check.end();
  }
}

/** One server that is started once. */
class OneCheck {
  /** What is known so far. */
  known: Partial<Omit<CheckedServer, 'target'>> = {};
  private readonly started: Run;
  private client: McpClient | undefined;
  /** Reads what crosses, as from a recording. */
  readonly crossed = new RecordedServer();
  private toolsChanged: (() => void) | undefined;
  /** What was refused since the last message came: servers without a stream of their own refuse that, and answer what comes next. */
  private lastHttp: Extract<ProcessEvent, { ev: 'http' }> | undefined;

  constructor(
    private readonly target: CheckTarget,
    private readonly options: CheckOptions,
  ) {
    const { redactor, timeout, onFault } = options;
    const spec = specOf(target, options.env);
    this.started = new Run({
      id: randomUUID(),
      agent: definitionOf(target),
      spec,
      level: 'off',
      limits: {
        maxLineBytes: megabyte,
        maxMessageBytes: 16 * megabyte,
        maxMemory: 4 * megabyte,
        initializeTimeout: timeout * 2, // Ours comes first.
        waitingNotice: timeout,
        stop,
      },
      interpretation: (sink) => interpretation('mcp', sink),
      connect: this.connector(spec),
      redactor,
      ...(onFault && { onFault }),
      now: Date.now,
    });
    const steps = unjudged('mcp', this.crossed);
    this.started.onEvent((event) => {
      if (event.dir === 'a2c') this.lastHttp = undefined;
      else if (event.dir === 'ev' && isHttp(event)) this.lastHttp = event;
      steps.accept(event);
      if (this.crossed.hasOtherTools) this.toolsChanged?.();
    });
  }

  async run(token: CancellationToken): Promise<Partial<CheckedServer>> {
    const begun = performance.now();
    await this.started.start({ token, onWaiting: () => undefined });
    const { client } = this;
    if (!client) throw new Cancelled();
    const greeting = objectOf(this.started.agent);
    const { name, version } = objectOf(greeting['agentInfo']);
    const protocolVersion = textOf(greeting['protocolVersion']);
    this.learn({
      startMs: performance.now() - begun,
      ...greetingOf({ name, version, protocolVersion, instructions: greeting['instructions'] }),
    });
    const capabilities = objectOf(greeting['capabilities']);
    await this.listTools(client, capabilities, token);
    for (const list of ['prompts', 'resources'] as const) {
      if (list in capabilities) await this.count(client, list, token);
      else this.learn({ [list]: 0 });
    }
    if (protocolVersion !== undefined && protocolVersion < firstWithoutPing) await this.ping(client, token);
    await this.listOtherTools(client, capabilities, token);
    return { ...this.known, conduct: this.crossed.conduct };
  }

  async end(): Promise<void> {
    await this.started.stop();
  }

  failure(error: unknown): CheckFailure {
    const { start, file } = this.target;
    if (this.lastHttp && start.type === 'http') return httpTrouble(this.lastHttp, start.url, file);
    const missing = error instanceof HumanError ? error.missing : undefined;
    if (missing) {
      return { message: missingPart(missing).what, advice: t('Correct the command in {0}, or install it.', file) };
    }
    if (error instanceof HumanError) return { message: error.words };
    return { message: verbatim(oneLine(messageOf(error), 300)) };
  }

  private async listTools(client: McpClient, capabilities: JsonObject, token: CancellationToken): Promise<void> {
    const begun = performance.now();
    try {
      const { tools, notes } = listedTools(await this.entriesOf(client, 'tools', token));
      this.learn({ tools, listMs: this.known.listMs ?? performance.now() - begun });
      for (const note of notes) this.note(note);
    } catch (error) {
      if ('tools' in capabilities || token.isCancellationRequested) throw error;
      this.learn({ tools: [] }); // It has none, and says so.
    }
  }

  /** Once more, if it has others by now. Some servers have tools only once they have asked for roots. */
  private async listOtherTools(client: McpClient, capabilities: JsonObject, token: CancellationToken): Promise<void> {
    const mayChange = objectOf(capabilities['tools'])['listChanged'] === true;
    if (mayChange && this.known.tools?.length === 0 && !this.crossed.hasOtherTools) {
      const changed = new Promise<void>((resolve) => (this.toolsChanged = resolve));
      await Promise.race([changed, delay(changeWait, undefined, { ref: false })]);
    }
    if (this.crossed.hasOtherTools) await this.listTools(client, capabilities, token);
  }

  private async count(client: McpClient, list: Exclude<List, 'tools'>, token: CancellationToken): Promise<void> {
    try {
      this.learn({ [list]: (await this.entriesOf(client, list, token)).length });
    } catch (error) {
      this.unlessCancelled(error, token);
    }
  }

  private async entriesOf(client: McpClient, list: List, token: CancellationToken): Promise<readonly unknown[]> {
    const { entries, cutBy } = await listPages((cursor) => client.ask(`${list}/list`, cursor, token), list);
    if (cutBy) this.note(cutBy);
    return entries;
  }

  private async ping(client: McpClient, token: CancellationToken): Promise<void> {
    const begun = performance.now();
    try {
      await client.ask('ping', {}, token);
      this.learn({ pingMs: performance.now() - begun });
    } catch (error) {
      this.unlessCancelled(error, token);
    }
  }

  private unlessCancelled(error: unknown, token: CancellationToken): void {
    if (token.isCancellationRequested || error instanceof AgentGone || !(error instanceof HumanError)) throw error;
    this.note(error.words);
  }

  private note(words: Words): void {
    const { notes = [] } = this.known;
    if (!notes.some((known) => inEnglish(known) === inEnglish(words))) this.learn({ notes: [...notes, words] });
  }

  private learn(more: Partial<CheckedServer>): void {
    this.known = { ...this.known, ...more };
  }

  private connector(spec: LaunchSpec | RemoteSpec): Connector {
    const { reaper, version } = this.options;
    const options = {
      agentName: this.target.name,
      clientInfo: { name: 'agent-logs', title: 'Agent Logs', version },
      workspaceFolders: () => [this.target.cwd],
      setLevelTimeout: 1000,
      keepsLevel: true,
      probeTimeout,
    };
    return async (wire) => {
      if ('url' in spec) {
        const { McpHttpConnection } = await import('../../live/mcp/http/mcpHttpConnection');
        const connection = new McpHttpConnection(spec, wire, options);
        this.client = connection.client;
        return connection;
      }
      const { McpStdioConnection } = await import('../../live/mcp/mcpStdioConnection');
      const connection = await McpStdioConnection.start(spec, reaper, wire, options);
      this.client = connection.client;
      return connection;
    };
  }
}

function specOf({ start, cwd }: CheckTarget, env: CheckOptions['env']): LaunchSpec | RemoteSpec {
  if (start.type === 'http') return { url: start.url, headers: start.headers, cwd };
  const { command, args, env: own } = start;
  return { command, args, env: environment(env, Object.entries(own)), cwd };
}

function definitionOf({ name, start }: CheckTarget): RunDefinition {
  const common = { name, protocol: 'mcp' } as const;
  return start.type === 'http'
    ? { ...common, url: start.url, headers: start.headers }
    : { ...common, command: start.command, args: start.args, env: start.env };
}

function isHttp(event: WireProcessEvent): event is Extract<WireProcessEvent, { ev: 'http' }> {
  return event.ev === 'http';
}

function asksForInput({ clients }: CheckTarget): CheckFailure {
  const [first] = clients;
  return {
    message: t('Not started: its settings ask for a value when it starts'),
    advice: t('Check it in {0}, which asks for it.', first?.label ?? ''),
  };
}

function noUrl({ file }: CheckTarget): CheckFailure {
  return { message: t('The `url` is no address'), advice: t('Correct it in {0}.', file) };
}

function tooLate(ms: number): CheckFailure {
  return {
    message: t('No answer within {0}, so it was stopped', { ms }),
    advice: t('Start its command in a terminal to see what it waits for.'),
  };
}

function httpTrouble(failed: Parameters<typeof httpFailure>[0], url: string, file: string): CheckFailure {
  const { what, code } = httpFailure(failed, url);
  if (code === 'authentication-required') {
    return {
      message: what,
      advice: t('Log in with the client that uses it, or check the `headers` in {0}. Nothing logs in here.', file),
      needsLogin: true,
    };
  }
  return { message: what, advice: t('Check that the server runs, and its `url` in {0}.', file) };
}
