import type { Clock } from './clock';

/** What the agent needs of the process it runs in, apart from the connection. */
export interface Host {
  readonly clock: Clock;
  newId(): string;
  /** Settles when the text is written, so that it is not lost when the process exits. */
  writeError(text: string): Promise<void>;
  /** Ends the process when everything sent to the client is written. */
  exit(code: number): Promise<never>;
}
