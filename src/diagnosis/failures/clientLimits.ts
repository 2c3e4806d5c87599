import { t } from '../../text/translator';
import type { LineFact } from '../../work/facts';
import type { EndCause } from '../../wire/termination';
import type { Protocol } from '../../wire/protocol';
import { causes } from '../causes';

const mebibyte = 1024 * 1024;

/** How many MiB of a message the official client of a protocol reads. At more, it closes the connection and ends the agent. */
const limits: Readonly<Partial<Record<Protocol, number>>> = { acp: 32, mcp: 10 };

/** A message of the agent that is larger than what the official client reads, sizes in bytes and MiB. */
export interface Oversized {
  readonly bytes: number;
  readonly limit: number;
  /** In milliseconds since the epoch. */
  readonly at: number;
}

export const sendLess = t('Send less at once: return a link, a smaller picture, or a part of the content.');

/** How an agent says that nobody reads its output. */
const brokenPipe =
  /\bEPIPE\b|\bbroken pipe\b|\bERR_STREAM_(?:DESTROYED|WRITE_AFTER_END)\b|\bos error (?:32|109|232)\b/i;

/** The message of the agent, or a part of it, if it is larger than that. */
export function oversizedIn({ event }: LineFact, protocol: Protocol): Oversized | undefined {
  const limit = limits[protocol];
  if (limit === undefined || event.dir !== 'a2c') return undefined;
  const bytes = event.bytes ?? event.line.length;
  return bytes > limit * mebibyte ? { bytes, limit, at: event.t } : undefined;
}

/** Why an agent ended, if it is because its client had stopped reading. @param words of the agent, if it said anything */
export function clientHungUp(words: string | undefined, oversized: Oversized | undefined): EndCause | undefined {
  if (oversized) {
    const what = t('the client stopped reading at a message of {0}', { bytes: oversized.bytes });
    return { what, short: causes.clientHungUp, advice: sendLess };
  }
  if (words === undefined || !brokenPipe.test(words)) return undefined;
  return {
    what: t('the client stopped reading: {0}', words),
    short: causes.clientHungUp,
    advice: t('See in the log of the client why it closed the connection.'),
  };
}
