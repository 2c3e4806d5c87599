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

/** Reports internal errors while a run is read, once per place, because what fails once usually fails for every line. */
export class Faults {
  private readonly reported = new Set<WireEvent['dir']>();

  constructor(
    private readonly agentName: string,
    private readonly report: (error: Error) => void,
    private readonly redactor: LineRedactor | undefined,
  ) {}

  readonly onFault: OnFault = (dir, error) => {
    if (this.reported.has(dir)) return;
    this.reported.add(dir);
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.report(
      new Error(
        `Agent Logs failed to handle ${places[dir]} ${this.agentName}. The run goes on, but its log may be incomplete. ` +
          'Further failures of this kind are not reported.',
        // An error may quote what the agent sent.
        { cause: redactedLine(what, this.redactor) },
      ),
    );
  };
}
