import { duration, oneLine } from '../../../log/text';

/** How a turn ended. */
export interface TurnEnd {
  readonly outcome: 'ok' | 'failed' | 'interrupted';
  /** Why it failed, in the agent's words. */
  readonly error?: string | undefined;
  /** ACP name: `end_turn`, `max_tokens`, `refusal`. */
  readonly stopReason?: string | undefined;
  /** Milliseconds. */
  readonly took?: number | undefined;
  /** True if it ends one of the agent's own commands, such as `/compact`. */
  readonly isCommand?: boolean;
}

/** `failed after 2.3 s: why`. */
export function describeTurnEnd(
  { outcome, error, stopReason, isCommand = false }: TurnEnd,
  took: number | undefined,
): string {
  const after = took === undefined ? '' : ` after ${duration(took)}`;
  if (outcome === 'failed') return `failed${after}${error === undefined ? '' : `: ${oneLine(error, 2000)}`}`;
  if (outcome === 'interrupted') return `interrupted${after}${error === undefined ? '' : ` (${oneLine(error, 200)})`}`;
  const isNews = stopReason !== undefined && stopReason !== 'end_turn' && !isCommand;
  return `ended${after}${isNews ? ` (${oneLine(stopReason, 60)})` : ''}`;
}

/** Removes the status that provider errors often begin with. */
export function withoutStatus(why: string, status: number): string {
  const prefix = String(status);
  return why.startsWith(prefix) ? why.slice(prefix.length).replace(/^[\s:]+/, '') : why;
}
