import type { JsonObject } from '../../../text/json';
import { objectOf, requestIdOf, textOf } from '../../../text/json';

type TurnState = 'none' | 'open' | 'interrupted';

/** Longer IDs can't be withdrawn, in characters. */
const maxId = 200;

/**
 * Tracks which turns the user has interrupted. Claude Code is interrupted with its control protocol: the turn then ends with an
 * error meant for its developers, and only newer versions give the reason. An interrupt while idle has no effect, and the next message may be sent
 * before the turn has ended.
 */
export class Interrupts {
  private current: TurnState = 'none';
  /** The turn of a message sent after the current turn was interrupted. */
  private next: TurnState = 'none';
  private latest: string | number | undefined;

  /** Handles any event except `result`, which goes to `end`. */
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

  /** True if the current turn was interrupted. */
  get isInterrupted(): boolean {
    return this.current === 'interrupted';
  }

  /** Handles a `result`, which ends the turn. Returns true if the turn was interrupted. */
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

  /** Drops an interrupt that was refused. */
  private answer(response: JsonObject): void {
    const id = requestIdOf(response['request_id']);
    if (id === undefined || id !== this.latest || response['subtype'] !== 'error') return;
    this.latest = undefined;
    if (this.next === 'interrupted') this.next = 'open';
    else if (this.next === 'none') this.current = 'open';
  }
}
