import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import type { LogRecord } from '../../src/text/record';
import type { Protocol } from '../../src/wire/protocol';
import type { Termination } from '../../src/wire/termination';
import type { AcpClientOptions } from '../../src/live/acp/acpClient';
import type { RunDefinition, LaunchSpec, RemoteDefinition, RunSpec } from '../../src/live/config/launchSpec';
import type { LspClientOptions } from '../../src/live/lsp/lspAgent';
import type { LspSettings } from '../../src/live/lsp/lspSettings';
import type { McpClientOptions } from '../../src/live/mcp/mcpClient';
import { ProcessReaper } from '../../src/live/process/processReaper';
import type { RunLimits, RunOptions } from '../../src/live/runOptions';
import { Run } from '../../src/live/run';
import type { LineRedactor } from '../../src/runLog/reading/redactEvent';
import { protocolSupport } from '../../src/live/connection/connectors';
import type { JournalWriter } from '../../src/wire/journal/journalWriter';
import { HumanError } from '../../src/text/humanError';
import { createPlainLanguageClient } from './plainLanguageClient';

const workspace = '/home/dev/project';
/** The workspace folder that servers receive. */
export const workspaceUri = pathToFileURL(workspace).href;

export interface TestRunOptions {
  /** The protocol. Default: by the name of the fake agent. */
  readonly protocol?: Protocol;
  readonly args?: readonly string[];
  readonly level?: RunOptions['level'];
  readonly limits?: Partial<RunLimits>;
  readonly client?: Partial<AcpClientOptions>;
  readonly mcp?: Partial<McpClientOptions>;
  readonly lsp?: Partial<LspClientOptions> & LspSettings;
  readonly spec?: Partial<LaunchSpec>;
  readonly journal?: JournalWriter;
  readonly redactor?: LineRedactor;
  readonly onFault?: (error: Error) => void;
  readonly now?: () => number;
}

const limits: RunLimits = {
  maxLineBytes: 1024 * 1024,
  maxMessageBytes: 64 * 1024 * 1024,
  maxMemory: 16 * 1024 * 1024,
  initializeTimeout: 10_000,
  waitingNotice: 5000,
  stop: { close: 2000, terminate: 2000 },
};

/** Creates runs of fake agents, and ends them together. */
export class TestRuns {
  private reaper: ProcessReaper | undefined;
  private readonly runs: Run[] = [];

  /** For a suite of mocha: the runs of a test end with it. */
  static ofSuite(): TestRuns {
    const runs = new TestRuns();
    afterEach(() => runs.end());
    return runs;
  }

  /** Creates a run without starting it. */
  create(fake: string, options: TestRunOptions = {}): Run {
    const script = resolve(join('test', 'fakeAgents', `${fake}.mjs`));
    const protocol = options.protocol ?? protocolOf(fake);
    return this.createFor(
      { name: fake, protocol, command: process.execPath, args: [], env: {} },
      {
        command: process.execPath,
        args: [script, ...(options.args ?? [])],
        env: { PATH: process.env['PATH'] ?? '' },
        cwd: process.cwd(),
        ...(options.lsp && { lsp: options.lsp }),
        ...options.spec,
      },
      options,
    );
  }

  /** Creates a run of an MCP server over HTTP without starting it. */
  createRemote(url: string, options: TestRunOptions & Partial<Pick<RemoteDefinition, 'headers' | 'oauth'>> = {}): Run {
    const { headers = {}, oauth } = options;
    const there = { url, headers, ...(oauth && { oauth }) };
    return this.createFor({ name: 'Remote', protocol: 'mcp', ...there }, { ...there, cwd: process.cwd() }, options);
  }

  private createFor(agent: RunDefinition, spec: RunSpec, options: TestRunOptions): Run {
    const common = {
      agentName: agent.name,
      clientInfo: { name: 'agent-logs', title: 'Agent Logs', version: '0' },
      setLevelTimeout: 1000,
    };
    const run = new Run({
      id: randomUUID(),
      agent,
      spec,
      level: options.level ?? 'info',
      limits: { ...limits, ...options.limits },
      redactor: undefined,
      ...protocolSupport(agent, spec, {
        reaper: (this.reaper ??= new ProcessReaper()),
        acp: {
          ...common,
          askPermission: () => Promise.resolve(undefined),
          chooseAuthMethod: () => Promise.resolve(undefined),
          ...options.client,
        },
        lsp: {
          ...common,
          workspaceFolders: () => [workspace],
          showMessage: () => Promise.resolve(undefined),
          loadLanguageClient: () => Promise.resolve(createPlainLanguageClient),
          ...options.lsp,
        },
        mcp: { ...common, workspaceFolders: () => [workspace], probeTimeout: 5000, ...options.mcp },
      }),
      ...(options.journal && { journal: options.journal }),
      ...(options.redactor && { redactor: options.redactor }),
      onFault:
        options.onFault ??
        ((error) => {
          throw error;
        }),
      now: options.now ?? Date.now,
    });
    this.runs.push(run);
    return run;
  }

  async start(fake: string, options: TestRunOptions = {}): Promise<Run> {
    const run = this.create(fake, options);
    await start(run);
    return run;
  }

  async end(): Promise<void> {
    await Promise.all(this.runs.splice(0).map((run) => run.stop({ close: 0, terminate: 0 })));
    this.reaper?.dispose();
    this.reaper = undefined;
  }
}

/** The protocol of a fake agent, by the prefix of its name. */
function protocolOf(fake: string): Protocol {
  if (fake.startsWith('stream-')) return 'stream-json';
  return fake.startsWith('mcp-') ? 'mcp' : fake.startsWith('lsp-') ? 'lsp' : 'acp';
}

/** Tells whether an error is one for people, with such a message. */
export function human(pattern: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof HumanError && pattern.test(error.message);
}

/** Starts a run. */
export function start(run: Run, source = new CancellationTokenSource()): Promise<void> {
  return run.start({ token: source.token, onWaiting: () => undefined });
}

/** Waits until the run has ended. */
export function ended(run: Run): Promise<Termination> {
  return new Promise((resolveEnd) => {
    const look = (): void => {
      if (run.state.type !== 'ended') return;
      listener.dispose();
      resolveEnd(run.state.termination);
    };
    const listener = run.onDidChangeState(look);
    look();
  });
}

/** Waits for a matching record. */
export function recordOf(run: Run, fits: (record: LogRecord) => boolean): Promise<LogRecord> {
  const there = run.log.store.query().find(fits);
  if (there) return Promise.resolve(there);
  return new Promise((resolveRecord) => {
    const listener = run.log.onDidChange(({ records }) => {
      const found = records.find(fits);
      if (!found) return;
      listener.dispose();
      resolveRecord(found);
    });
  });
}

/** `level logger: message` of all records, or those of a kind. */
export function linesOf(run: Run, kind?: LogRecord['kind']): string[] {
  return run.log.store
    .query(kind === undefined ? {} : { kinds: [kind] })
    .map(({ level, logger, message }) => `${level} ${logger === undefined ? '' : `${logger}: `}${message}`);
}

/** Whether a process is running. Zombies aren't. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Waits until a process is gone, so that its files are closed. Nothing announces the end of one that isn't our child. */
export async function gone(pid: number): Promise<void> {
  const deadline = Date.now() + 50_000;
  while (isAlive(pid)) {
    if (Date.now() > deadline) throw new Error(`process ${pid} is still there`);
    await new Promise((next) => setTimeout(next, 10));
  }
}
