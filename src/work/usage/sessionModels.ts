import { BoundedMap } from '../../text/boundedMap';
import { oneLine } from '../../text/text';
import type { Usage } from '../activity';
import { isSameModel } from './modelNames';
import { maxName } from '../step';
import type { SessionContext } from './usage';
import { contextAfter } from './usage';

const maxSessions = 1000;

/** The model of each session, and how full its context is. A subagent has its own. */
export class SessionModels {
  private readonly names = new BoundedMap<string, string>(maxSessions);
  private readonly contexts = new BoundedMap<string, SessionContext>(maxSessions);

  /** The name of the session's model, if known. */
  nameOf(sessionId: string): string | undefined {
    return this.names.get(sessionId);
  }

  /** How full the session's context is, as far as its agent says so. */
  contextOf(sessionId = ''): SessionContext | undefined {
    return this.contexts.get(sessionId);
  }

  /** The session uses this model from here on. Returns its name, cut. */
  use(sessionId: string, model: string): string {
    const name = oneLine(model, maxName);
    const before = this.names.get(sessionId);
    this.names.set(sessionId, name);
    const context = this.contexts.get(sessionId);
    if (context && before !== undefined && !isSameModel(before, name)) {
      this.contexts.set(sessionId, { tokens: context.tokens, window: undefined });
    }
    return name;
  }

  /** Returns what is known now. */
  noteContext(sessionId = '', usage: Partial<Usage> | undefined): SessionContext | undefined {
    const context = contextAfter(this.contexts.get(sessionId), usage);
    if (context) this.contexts.set(sessionId, context);
    return context;
  }
}
