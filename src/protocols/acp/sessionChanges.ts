import { oneLine } from '../../log/text';
import type { InterpreterSink } from '../interpreter';
import type { JsonObject } from '../json';
import { objectOf, textOf } from '../json';
import { availableModes, modeIdOf, modeOption } from './sessionModes';

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
    if (kind === 'config_option_update') this.options(sessionId, update);
  }

  /** What the answer that opened a session says of its modes. */
  opened(sessionId: string, result: JsonObject): void {
    const { modes } = result;
    const current = modeIdOf(objectOf(modes)['currentModeId']);
    if (current === undefined) return this.options(sessionId, result);
    this.sink.session({ type: 'modes', sessionId, current, available: availableModes(modes) });
  }

  /** In version 2 the mode is a configuration option. */
  options(sessionId: string, fields: JsonObject): void {
    const option = modeOption(fields);
    if (option) this.sink.session({ type: 'modes', sessionId, current: option.current, available: option.modes });
  }

  /** The one that it is in now. */
  mode(sessionId: string, modeId: unknown): void {
    const current = modeIdOf(modeId);
    if (current !== undefined) this.sink.session({ type: 'modes', sessionId, current });
  }
}
