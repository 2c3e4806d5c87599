import { oneLine } from '../../text/text';

/** A hook of an agent, a program that it runs before or after its own steps, that ran into its time limit. */
export interface HookTimeout {
  /** Its command if the text has it, otherwise its event: `npm run lint`, `PostToolUse:Edit`. */
  readonly name: string;
  /** The limit in milliseconds, if the text has it. */
  readonly limit: number | undefined;
}

const timedOut =
  /\bhooks?\b[^\n]{0,200}?\b(?:timed out|exceeded (?:its |the )?time(?:[- ]?out| limit)?)\b(?:[^\n\d]{0,12}(\d{1,9}(?:\.\d{1,3})?)\s?(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?)\b)?/i;
/** The command behind a colon, or in quotes. */
const command = /^[^\n:]{0,12}:\s*(\S[^\n]{0,300})/;
const quoted = /["'`[(]([^"'`\])\n]{2,300})["'`\])]/;
/** What precedes the word: `PostToolUse:Edit hook`. */
const event = /([\w:.-]{3,80})["'`]?\s+hooks?\b/i;
const maxText = 2000;
const maxName = 200;
const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000 };

/** The hook that a text says timed out. */
export function hookTimeoutIn(text: string): HookTimeout | undefined {
  const head = text.slice(0, maxText);
  const match = timedOut.exec(head);
  if (!match) return undefined;
  const [said, time, unit = ''] = match;
  const after = head.slice(match.index + said.length);
  const name = command.exec(after)?.[1] ?? quoted.exec(said)?.[1] ?? event.exec(head.slice(0, match.index + 5))?.[1];
  const factor = /^m(?:s|illi)/i.test(unit) ? 1 : (units[unit.charAt(0).toLowerCase()] ?? 1);
  return {
    name: oneLine(name ?? '', maxName).replace(/[\s"'`.]+$/, ''),
    limit: time === undefined ? undefined : Number(time) * factor,
  };
}
