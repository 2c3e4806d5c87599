import { timeOf } from '../../protocols/logFields/timeOf';
import type { JsonObject } from '../../text/json';
import { objectOf, textOf } from '../../text/json';
import type { LineOrigin } from '../reading/saved/savedReader';

/** Copies are written in one go; what the thread itself does comes later, in milliseconds. */
const pause = 200;
/** After this, lines are the thread's own, whatever they are, in milliseconds. */
const longPause = 60_000;
/** Lines that a turn of the thread itself may begin with. */
const beginnings = new Set(['turn_context', 'task_started', 'user_message', 'thread_settings_applied', 'world_state']);

/**
 * Whose the lines of a rollout are. Up to 0.150, a fork has its parent's header after its own, and then the parent's lines, under new
 * timestamps some milliseconds apart. Newer ones refer to the parent's file instead.
 */
export class CodexOrigins {
  /** The file's thread, and when it began, in milliseconds since the epoch. */
  private thread: { readonly id: string; readonly at: number } | undefined;
  private isCopying = false;
  /** The thread that the lines were copied from. */
  private from: string | undefined;
  /** When the last copy was written, in milliseconds since the epoch. */
  private copiedAt = 0;

  of(line: JsonObject): LineOrigin | undefined {
    const payload = objectOf(line['payload']);
    if (line['type'] === 'session_meta') return this.ofHeader(line, payload);
    if (!this.isCopying) return undefined;
    const at = timeOf(line['timestamp']) ?? this.copiedAt;
    if (this.isOwn(line, payload, at)) {
      this.isCopying = false;
      return undefined;
    }
    this.copiedAt = Math.max(this.copiedAt, at);
    return { type: 'copied', from: this.from };
  }

  private ofHeader(line: JsonObject, header: JsonObject): LineOrigin | undefined {
    const id = textOf(header['id']);
    if (id === undefined) return undefined;
    if (!this.thread) {
      this.thread = { id, at: timeInUuid(id) };
      return undefined;
    }
    // The same thread again: it was resumed.
    if (id === this.thread.id) return undefined;
    this.isCopying = true;
    this.from ??= id;
    this.copiedAt = timeOf(line['timestamp']) ?? this.copiedAt;
    return { type: 'copied', from: this.from };
  }

  private isOwn(line: JsonObject, payload: JsonObject, at: number): boolean {
    const turn = timeInUuid(textOf(payload['turn_id']) ?? '');
    const began = this.thread?.at ?? NaN;
    if (Number.isFinite(turn) && Number.isFinite(began)) return turn >= began;
    const type = textOf(payload['type']) ?? '';
    const isPrompt = type === 'message' && payload['role'] !== 'assistant';
    const mayBegin = beginnings.has(textOf(line['type']) ?? '') || beginnings.has(type) || isPrompt;
    return at > this.copiedAt + (mayBegin ? pause : longPause);
  }
}

/** The time in a UUID of version 7, in milliseconds since the epoch; NaN for other IDs. */
function timeInUuid(id: string): number {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-7/i.test(id) ? Number.parseInt(id.slice(0, 13).replace('-', ''), 16) : NaN;
}
