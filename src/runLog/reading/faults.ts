import type { WireEvent } from '../../wire/wireEvent';
import type { LineRedactor } from './redactEvent';
import { redactedLine } from './redactEvent';

/** Receives internal errors of Agent Logs while handling an event of this direction. */
export type OnFault = (dir: WireEvent['dir'], error: unknown) => void;

const places: Readonly<Record<WireEvent['dir'], string>> = {
  a2c: 'messages from',
  c2a: 'messages to',
  err: 'standard error of',
  ev: 'process events of',
};

/**
 * Reports internal errors while a run is read, once per place, because what fails once usually fails for every line.
 * @param redactor an error may quote what the agent sent
 */
export function faultReporter(
  agentName: string,
  report: (error: Error) => void,
  redactor: LineRedactor | undefined,
): OnFault {
  const reported = new Set<WireEvent['dir']>();
  return (dir, error) => {
    if (reported.has(dir)) return;
    reported.add(dir);
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const message =
      `Agent Logs failed to handle ${places[dir]} ${agentName}. The run goes on, but its log may be incomplete. ` +
      'Further failures of this kind are not reported.';
    report(new Error(message, { cause: redactedLine(what, redactor) }));
  };
}
