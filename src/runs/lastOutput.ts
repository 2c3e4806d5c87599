import { ownHead } from '../log/ownText';
import type { WireEvent } from '../wire/wireEvent';
import type { Wire } from './agentConnection';

const maxLines = 30;
const maxLine = 500;

/** What a process has written last, but for messages. */
export class LastOutput {
  private readonly errors: string[] = [];
  private readonly printed: string[] = [];

  /** The newest lines of standard error. */
  get stderr(): readonly string[] {
    return this.errors;
  }

  /** The newest lines of standard output that are no JSON. */
  get stdout(): readonly string[] {
    return this.printed;
  }

  /** The same wire, with a look at what crosses it. */
  watching(wire: Wire): Wire {
    return {
      ...wire,
      onEvent: (event) => {
        this.note(event);
        wire.onEvent(event);
      },
    };
  }

  private note(event: WireEvent): void {
    if (event.dir === 'err') keep(this.errors, event.line);
    else if (event.dir === 'a2c' && event.msg === undefined) keep(this.printed, event.line);
  }
}

function keep(lines: string[], line: string): void {
  lines.push(ownHead(line, maxLine));
  if (lines.length > maxLines) lines.shift();
}
