import type { Level, Threshold } from './level';
import { reaches } from './level';

/** The part of the SDK's connection that takes notifications. */
export interface Notifier {
  notify(method: string, params: unknown): Promise<void>;
}

/** A log message as the agent writes it. Without a session it belongs to the connection. */
export interface LogEntry {
  readonly level: Level;
  readonly logger: string;
  readonly message: string;
  readonly data?: unknown;
  readonly sessionId?: string;
}

/** Sends `log` notifications (proposed in agent-client-protocol#392), and only those the client asked for. */
export class LogSender {
  /** Nothing is sent before the client has asked for it. */
  threshold: Threshold = 'off';

  constructor(private readonly now: () => Date) {}

  /** Settles when the connection has taken the message; `false` when its level is not wanted. */
  async send(client: Notifier, entry: LogEntry): Promise<boolean> {
    if (!reaches(entry.level, this.threshold)) return false;
    const { level, sessionId, logger, message, data } = entry;
    await client.notify('log', { level, sessionId, logger, message, timestamp: this.now().toISOString(), data });
    return true;
  }
}
