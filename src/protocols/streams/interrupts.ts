import type { JsonObject } from '../json';
import { objectOf, requestIdOf, textOf } from '../json';

type TurnState = 'none' | 'open' | 'interrupted';

/** An interrupt by a longer id is not taken back. */
const maxId = 200;

/**
 * Which turns a person has interrupted. Gemini's results say so. Claude Code is asked to stop by its control protocol: such a turn ends as an
 * error, of which the text is for its makers, and only newer versions say why. An interrupt while nothing runs is none, and the next message
 * may be sent before the turn has ended.
 */
export class Interrupts {
  private current: TurnState = 'none';
  /** The turn of a message that was sent after the current one was interrupted. */
  private next: TurnState = 'none';
  private latest: string | number | undefined;

  /** Any event of the stream; a `result` is for `end`. */
  see(event: JsonObject, isInput: boolean): void {
    switch (event['type']) {
      case 'user':
        if (isInput && this.current === 'interrupted') {
          if (this.next === 'none') this.next = 'open';
          return;
        }
        return this.begin();
      case 'assistant':
      case 'stream_event':
        return this.begin();
      case 'system':
        return event['subtype'] === 'init' ? this.begin() : undefined;
      case 'control_request':
        if (isInput && objectOf(event['request'])['subtype'] === 'interrupt') this.interrupt(event['request_id']);
        return;
      case 'control_response':
        return this.answer(objectOf(event['response']));
      default:
    }
  }

  /** Whether the turn that runs was interrupted. */
  get isInterrupted(): boolean {
    return this.current === 'interrupted';
  }

  /** A `result`: the end of a turn. Answers whether it was interrupted. */
  end(result: JsonObject): boolean {
    const wasInterrupted = this.current === 'interrupted';
    this.current = this.next;
    this.next = 'none';
    this.latest = undefined;
    if (objectOf(result['error'])['type'] === 'FatalCancellationError') return true;
    const reason = textOf(result['terminal_reason']);
    return reason?.startsWith('aborted') ?? (wasInterrupted && result['subtype'] === 'error_during_execution');
  }

  private begin(): void {
    if (this.current === 'none') this.current = 'open';
  }

  private interrupt(requestId: unknown): void {
    if (this.next === 'open') this.next = 'interrupted';
    else if (this.current === 'open') this.current = 'interrupted';
    else return;
    const id = requestIdOf(requestId);
    this.latest = typeof id === 'string' && id.length > maxId ? undefined : id;
  }

  /** An interrupt that was refused has not happened. */
  private answer(response: JsonObject): void {
    const id = requestIdOf(response['request_id']);
    if (id === undefined || id !== this.latest || response['subtype'] !== 'error') return;
    this.latest = undefined;
    if (this.next === 'interrupted') this.next = 'open';
    else if (this.next === 'none') this.current = 'open';
  }
}
