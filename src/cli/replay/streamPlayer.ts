import { setTimeout as delay } from 'node:timers/promises';
import type { WireEvent } from '../../wire/wireEvent';
import type { RecordedExit } from './script';
import { exitOf } from './script';

export interface StreamPlayerOptions {
  readonly speed: number;
  readonly send: (text: string) => void;
  readonly stderr: (line: string) => void;
  /** Settles with the next line of the client; false if there is none. */
  readonly input: () => Promise<boolean>;
}

/**
 * Plays an agent that prints a JSON stream: a line of the client was answered by what followed it.
 * @returns how the agent exited; `undefined` if the recording doesn't say
 */
export async function playStream(
  events: readonly WireEvent[],
  { speed, send, stderr, input }: StreamPlayerOptions,
): Promise<RecordedExit | undefined> {
  let last = events[0]?.t ?? 0;
  const sent = new Set<string>();
  for (const event of events) {
    const ms = (event.t - last) / speed;
    last = event.t;
    if (event.dir === 'c2a') {
      if (!(await input())) return undefined;
      continue;
    }
    if (ms >= 1) await delay(ms);
    if (event.dir === 'err') stderr(event.line);
    else if (event.dir === 'a2c') send(event.line);
    else if ('ev' in event && event.ev === 'signal') sent.add(event.signal);
    else if ('ev' in event && event.ev === 'exit') return exitOf(event, sent);
  }
  return undefined;
}
