import type { AgentContext, AvailableCommand, SessionMode, SessionUpdate } from '@agentclientprotocol/sdk';
import { methods } from '@agentclientprotocol/sdk';
import type { Level, LogSender } from './logging';

export const modes: readonly SessionMode[] = [
  { id: 'default', name: 'Default', description: 'Logs what it does.' },
  { id: 'verbose', name: 'Verbose', description: 'Also shows its thoughts, and logs each model request in full.' },
];

/** Maximum length of the title, in characters of the first prompt. */
const titleLength = 40;

/** Maximum number of updates to keep for replay. */
const maxHistory = 1000;
/** Updates that belong to a session's history. */
const conversation: ReadonlySet<string> = new Set([
  'user_message_chunk',
  'agent_message_chunk',
  'agent_thought_chunk',
  'tool_call',
  'tool_call_update',
]);

/** What a session needs from its connection. */
export interface SessionLink {
  readonly client: AgentContext;
  readonly logs: LogSender;
  /** Whether the client shows notices (`clientCapabilities.session.notices`). */
  readonly notices: boolean;
}

/** A session, and its updates to the client. */
export class Session {
  modeId = 'default';
  name: string | undefined;
  updatedAt: Date;
  /** Cancels its running subagents, by session ID. */
  readonly children = new Map<string, AbortController>();
  private readonly history: SessionUpdate[] = [];
  private running: { readonly controller: AbortController; readonly ended: Promise<unknown> } | undefined;

  constructor(
    readonly id: string,
    readonly link: SessionLink,
    readonly cwd: string,
    createdAt: Date,
  ) {
    this.updatedAt = createdAt;
  }

  get busy(): boolean {
    return this.running !== undefined;
  }

  get verbose(): boolean {
    return this.modeId === 'verbose';
  }

  /** Logs a message for this session. Resolves with `false` if it is below the threshold. */
  log(level: Level, logger: string, message: string, data?: unknown): Promise<boolean> {
    return this.link.logs.send(this.link.client, { level, logger, message, data, sessionId: this.id });
  }

  update(update: SessionUpdate): Promise<void> {
    this.keep(update);
    return this.send(update);
  }

  /** Sends the session's history again. */
  async replay(): Promise<void> {
    for (const update of this.history) await this.send(update);
  }

  /** Adds an update to the history. */
  keep(update: SessionUpdate): void {
    if (conversation.has(update.sessionUpdate) && this.history.length < maxHistory) this.history.push(update);
  }

  private send(update: SessionUpdate): Promise<void> {
    return this.link.client.notify(methods.client.session.update, { sessionId: this.id, update });
  }

  announce(availableCommands: AvailableCommand[]): Promise<void> {
    return this.update({ sessionUpdate: 'available_commands_update', availableCommands });
  }

  /** Names the session after its first prompt. */
  async title(text: string, updatedAt: Date): Promise<void> {
    this.updatedAt = updatedAt;
    if (this.name !== undefined) return;
    const line = text.trim().split('\n', 1)[0] ?? '';
    const title = line.length > titleLength ? `${line.slice(0, titleLength - 1).trimEnd()}…` : line;
    if (title === '') return;
    this.name = title;
    await this.update({ sessionUpdate: 'session_info_update', title, updatedAt: updatedAt.toISOString() });
  }

  /** Runs a turn. Its signal is aborted when the client cancels the turn or closes the session. */
  async run<T>(turn: (cancelled: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const outcome = turn(controller.signal);
    this.running = { controller, ended: outcome.catch(() => undefined) };
    try {
      return await outcome;
    } finally {
      this.running = undefined;
    }
  }

  /** Cancels the running turn, if any, and resolves once it has ended. */
  async cancel(): Promise<void> {
    this.running?.controller.abort();
    await this.running?.ended;
  }
}
