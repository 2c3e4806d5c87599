import { oneLine } from '../../log/text';
import type { InterpreterSink } from '../interpreter';
import type { JsonObject } from '../json';
import { objectOf, textOf } from '../json';
import { availableModes, modeIdOf } from './sessionModes';

/** Requests that end a session, and with it its turn (ACP "Session Setup"). */
const closing = new Set(['session/close', 'session/delete']);

/** Whether a request ends its session. */
export function closesSession(method: string): boolean {
  return closing.has(method);
}

/** What is known of a session beside its records: title and mode. */
export class SessionChanges {
  constructor(private readonly sink: Pick<InterpreterSink, 'session'>) {}

  /** An update of the session (ACP "Session Modes", "Session Info"). */
  update(sessionId: string, kind: string | undefined, update: JsonObject): void {
    if (kind === 'session_info_update' && 'title' in update) {
      const title = textOf(update['title']);
      this.sink.session({ type: 'titled', sessionId, title: title === undefined ? title : oneLine(title, 200) });
    }
    if (kind === 'current_mode_update') this.mode(sessionId, update['currentModeId']);
  }

  /** The modes that a session says it has. */
  modes(sessionId: string, modes: unknown): void {
    const current = modeIdOf(objectOf(modes)['currentModeId']);
    if (current === undefined) return;
    this.sink.session({ type: 'modes', sessionId, current, available: availableModes(modes) });
  }

  /** The one that it is in now. */
  mode(sessionId: string, modeId: unknown): void {
    const current = modeIdOf(modeId);
    if (current !== undefined) this.sink.session({ type: 'modes', sessionId, current });
  }
}
