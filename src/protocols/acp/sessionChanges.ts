import { oneLine } from '../../text/text';
import type { InterpreterSink, SessionCommand } from '../interpreter';
import type { JsonObject } from '../../text/json';
import { arrayOf, objectOf, textOf } from '../../text/json';
import type { AcpSessions } from './session';
import { availableModes, modeIdOf, modeOption } from './sessionModes';

/** Requests that end a session and its turn (ACP "Session Setup"). */
const closing = new Set(['session/close', 'session/delete']);

export function closesSession(method: string): boolean {
  return closing.has(method);
}

/** Maximum length of a title. */
const maxTitle = 200;

/** Reports changes of a session's title, mode and commands. */
export class SessionChanges {
  /** The latest commands of any session: most sessions of an agent have the same, which are kept once. */
  private commandsText = '';
  private available: readonly SessionCommand[] = [];

  constructor(
    private readonly sessions: AcpSessions,
    private readonly sink: Pick<InterpreterSink, 'session'>,
  ) {}

  /** The agent sets or, with `undefined`, removes the title. */
  titled(sessionId: string, title: string | undefined): void {
    const own = title === undefined ? '' : oneLine(title, maxTitle);
    const { lasting } = this.sessions.of(sessionId);
    lasting.isTitled = own !== '';
    this.sink.session({ type: 'titled', sessionId, title: own === '' ? lasting.firstPrompt : own });
  }

  /** The user says something. The first prompt is the session's title until the agent sets one. */
  prompted(sessionId: string, text: string): void {
    const { lasting } = this.sessions.of(sessionId);
    if (lasting.firstPrompt !== undefined) return;
    const title = oneLine(text, maxTitle);
    if (title === '') return;
    lasting.firstPrompt = title;
    if (lasting.isTitled !== true) this.sink.session({ type: 'titled', sessionId, title });
  }

  /** Reads the modes from the response that opened the session. */
  opened(sessionId: string, result: JsonObject): void {
    const { modes } = result;
    const current = modeIdOf(objectOf(modes)['currentModeId']);
    if (current === undefined) return this.options(sessionId, result);
    this.sink.session({ type: 'modes', sessionId, current, available: availableModes(modes) });
  }

  /** In version 2, the mode is a configuration option. */
  options(sessionId: string, fields: JsonObject): void {
    const option = modeOption(fields);
    if (option) this.sink.session({ type: 'modes', sessionId, current: option.current, available: option.modes });
  }

  commands(sessionId: string, update: JsonObject): void {
    const available = availableCommands(update);
    const text = JSON.stringify(available);
    if (text !== this.commandsText) [this.commandsText, this.available] = [text, available];
    this.sink.session({ type: 'commands', sessionId, available: this.available });
  }

  /** Reports the current mode. */
  mode(sessionId: string, modeId: unknown): void {
    const current = modeIdOf(modeId);
    if (current !== undefined) this.sink.session({ type: 'modes', sessionId, current });
  }
}

/** Limits on what is kept. A name is sent back unchanged, so one that is too long is dropped rather than cut. */
const maxCommands = 200;
const maxName = 100;
const maxDescription = 300;

/** The commands that an agent offers for a session's prompts (ACP "Slash Commands"). */
function availableCommands(update: JsonObject): readonly SessionCommand[] {
  return arrayOf(update['availableCommands'])
    .slice(0, maxCommands)
    .map(objectOf)
    .flatMap((command) => {
      const name = textOf(command['name'])?.replace(/^\//, '');
      if (name === undefined || name.length > maxName || !/^\S+$/.test(name)) return [];
      const description = oneLine(textOf(command['description']) ?? '', maxDescription);
      const hint = textOf(objectOf(command['input'])['hint']);
      return [{ name, description, ...(hint !== undefined && { hint: oneLine(hint, maxName) }) }];
    });
}
