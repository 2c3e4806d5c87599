import type { AvailableCommand, SessionMode, SessionUpdate } from '@agentclientprotocol/sdk';
import { methods } from '@agentclientprotocol/sdk';
import type { Connection, Level } from './connection';

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

/** A session, and its updates to the client. */
export class Session {
  modeId = 'default';
  name: string | undefined;
  updatedAt = new Date();
  isClosed = false;
  /** Cancels its running subagents, by session ID. */
  readonly children = new Map<string, AbortController>();
  private readonly history: SessionUpdate[] = [];
  /** The running turn and those that wait for it. */
  private readonly turns = new Set<AbortController>();
  private lastTurn: Promise<unknown> = Promise.resolve();

  constructor(
    readonly id: string,
    readonly connection: Connection,
    readonly cwd: string,
  ) {}

  get verbose(): boolean {
    return this.modeId === 'verbose';
  }

  /** Logs a message for this session. Resolves with `false` if it is below the threshold. */
  log(level: Level, logger: string, message: string, data?: unknown): Promise<boolean> {
    return this.connection.log(level, logger, message, data, this.id);
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
    return this.connection.client.notify(methods.client.session.update, { sessionId: this.id, update });
  }

  announce(availableCommands: AvailableCommand[]): Promise<void> {
    return this.update({ sessionUpdate: 'available_commands_update', availableCommands });
  }

  /** Names the session after its first prompt. */
  async title(text: string): Promise<void> {
    this.updatedAt = new Date();
    if (this.name !== undefined) return;
    const line = text.trim().split('\n', 1)[0] ?? '';
    const title = line.length > titleLength ? `${line.slice(0, titleLength - 1).trimEnd()}…` : line;
    if (title === '') return;
    this.name = title;
    await this.update({ sessionUpdate: 'session_info_update', title, updatedAt: this.updatedAt.toISOString() });
  }

  /** Runs a turn, after those before it. Its signal is aborted when the client cancels the session's turns or closes it. */
  run<T>(turn: (cancelled: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    this.turns.add(controller);
    const outcome = this.lastTurn.then(() => turn(controller.signal));
    this.lastTurn = outcome.catch(() => undefined).finally(() => this.turns.delete(controller));
    return outcome;
  }

  /** Cancels the running turn and those that wait for it, and resolves once they have ended. */
  async cancel(): Promise<void> {
    for (const controller of this.turns) controller.abort();
    await this.lastTurn;
  }
}
