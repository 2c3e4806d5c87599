import { LastLines } from '../../protocols/lastLines';
import type { WireEvent } from '../../wire/wireEvent';
import type { Wire } from '../connection/agentConnection';

const maxLines = 30;

/** Keeps the last output of a process for error messages. */
export class LastOutput {
  private readonly errors = new LastLines(maxLines);
  private readonly printed = new LastLines(maxLines);

  /** The newest lines of standard error. */
  get stderr(): readonly string[] {
    return this.errors.all;
  }

  /** The newest stdout lines that aren't JSON. */
  get stdout(): readonly string[] {
    return this.printed.all;
  }

  /** Wraps a wire to watch what crosses it. */
  watching(wire: Wire): Wire {
    return {
      ...wire,
      onEvent: (event) => {
        wire.onEvent(event);
        this.note(event);
      },
    };
  }

  private note(event: WireEvent): void {
    if (event.dir === 'err') this.errors.keep(event);
    else if (event.dir === 'a2c' && event.isLog !== true && event.msg === undefined) this.printed.keep(event);
  }
}
