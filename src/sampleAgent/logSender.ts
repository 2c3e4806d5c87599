import type { Level, Threshold } from './level';
import { reaches } from './level';

/** The part of the SDK's connection that sends notifications. */
export interface Notifier {
  notify(method: string, params: unknown): Promise<void>;
}

/** A log message before it is sent. Without a session, it belongs to the connection. */
export interface LogEntry {
  readonly level: Level;
  readonly logger: string;
  readonly message: string;
  readonly data?: unknown;
  readonly sessionId?: string;
}

/** Sends `log` notifications (proposed in agent-client-protocol#392) at or above the level that the client requested. */
export class LogSender {
  /** Nothing is sent until the client requests a level. */
  threshold: Threshold = 'off';

  constructor(private readonly now: () => Date) {}

  /** Resolves once the message is handed to the connection, or with `false` if it is below the threshold. */
  async send(client: Notifier, entry: LogEntry): Promise<boolean> {
    if (!reaches(entry.level, this.threshold)) return false;
    const { level, sessionId, logger, message, data } = entry;
    await client.notify('log', { level, sessionId, logger, message, timestamp: this.now().toISOString(), data });
    return true;
  }
}
