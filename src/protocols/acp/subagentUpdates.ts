import { boundedJson } from '../../text/boundedJson';
import { shortId, shortenId } from '../../text/sessionLabel';
import { oneLine } from '../../text/text';
import { contentText } from '../contentText';
import type { InterpreterSink } from '../interpreter';
import type { JsonObject } from '../../text/json';
import { isObject, objectOf, textOf } from '../../text/json';
import type { ExchangeText } from '../jsonrpc/exchangeText';
import { errorMessage } from '../jsonrpc/exchangeText';
import { rpcError } from '../../work/rpcError';
import type { SessionIds } from '../sessionIds';
import type { AcpSessions } from './session';
import { keyOf } from './session';
import type { Child, Misannounced, Subagents } from './subagents';
import { childChanged, nameOf, subagent } from './subagents';
import type { Turns } from './turns';
import type { AcpWriter } from './writer';

/** Minimum length of an ID to search for; a shorter one may be part of a word. */
const minDistinct = 12;

const problems: Readonly<Record<Misannounced, string>> = {
  itself: 'a session announced as its own subagent',
  ancestor: 'a session announced as a subagent of its own subagent',
  'other-parent': 'a subagent that another session announced first',
  'too-many': 'too many subagents, or nested too deeply; further ones are shown at the top level',
};

/** Reads what sessions report about their subagents: announcements, states, and messages between sessions. */
export class SubagentUpdates {
  constructor(
    private readonly out: AcpWriter,
    private readonly sink: Pick<InterpreterSink, 'session'>,
    private readonly ids: SessionIds,
    private readonly sessions: AcpSessions,
    private readonly subagents: Subagents,
    private readonly turns: Pick<Turns, 'stateChanged'>,
  ) {}

  update(parent: string, update: JsonObject): void {
    const { out } = this;
    const { t } = out.event;
    const named = textOf(update['sessionId']);
    if (named === undefined) return out.record(parent, withoutId(update));
    const id = this.ids.file(named, t);
    const { child, isNew, problem } = this.subagents.announce(parent, id, update);
    if (problem !== undefined || !child) {
      const message = `ignored …${shortId(id)}: ${problems[problem ?? 'too-many']}`;
      out.fact(parent, { ...subagent(id, child), change: 'refused', problem });
      return out.record(parent, { level: 'debug', logger: 'subagent', message });
    }
    if (isNew) this.sink.session({ type: 'seen', sessionId: id, at: t, parent });
    if (isNew || 'title' in update || 'description' in update) {
      this.sink.session({ type: 'titled', sessionId: id, title: child.title ?? child.description });
    }
    out.record(parent, this.describe(child, update, isNew));
    const { state } = update;
    // In version 1, only the parent learns a child's state. Without one, its announcement counts as a start.
    if (isObject(state)) {
      if (child.state !== textOf(state['state'])) this.turns.stateChanged(id, state);
    } else if ('state' in update) this.subagents.changeState(id, undefined);
    else if (child.hasStarted !== true) childChanged(out, child, { state: 'running' });
  }

  isChild(sessionId: string | undefined): boolean {
    return this.subagents.get(sessionId) !== undefined;
  }

  /** The record of a `session_message`. */
  message(sessionId: string, update: JsonObject): ExchangeText {
    const lead = this.leadOf(sessionId, update);
    const { content } = update;
    // The text follows in chunks.
    const text = content === undefined ? lead.trim() : `${lead}${oneLine(this.shortened(contentText(content)), 2000)}`;
    const level = content !== undefined && lead.startsWith('from') ? 'info' : 'debug';
    return { level, logger: 'message', message: text };
  }

  /** `from "Count files": `, or `to …`, from this session's point of view. */
  leadOf(sessionId: string, { messageId, senderSessionId, recipientSessionId }: JsonObject): string {
    const { leads } = this.sessions.thingsOf(sessionId);
    const key = keyOf(textOf(messageId) ?? '');
    const sender = textOf(senderSessionId);
    const recipient = textOf(recipientSessionId);
    if (sender === undefined && recipient === undefined) return leads.get(key) ?? '';
    const isOutgoing = sender !== undefined && this.ids.file(sender, 0) === sessionId;
    const other = isOutgoing ? recipient : sender;
    const lead = `${isOutgoing ? 'to' : 'from'} ${this.nameFor(sessionId, other)}: `;
    leads.set(key, lead);
    return lead;
  }

  private nameFor(sessionId: string, other: string | undefined): string {
    if (other === undefined) return 'another session';
    const id = this.ids.file(other, 0);
    return this.subagents.get(sessionId)?.parent === id ? 'its parent' : this.subagents.nameOf(id);
  }

  /** Shortens the IDs of child sessions in tool input: Codex sends them without the parent's. */
  withShortIds(data: JsonObject): JsonObject {
    if (this.subagents.size === 0) return data;
    const json = boundedJson(data);
    const short = this.shortened(json);
    if (short === json) return data;
    try {
      return objectOf(JSON.parse(short));
    } catch {
      return { cut: short }; // Cut JSON no longer parses.
    }
  }

  private shortened(text: string): string {
    return this.subagents.newest(50).reduce((short, { id }) => {
      const own = id.slice(id.lastIndexOf(':') + 1);
      return own.length < minDistinct || !short.includes(own) ? short : shortenId(shortenId(short, id), own);
    }, text);
  }

  private describe(child: Child, update: JsonObject, isNew: boolean): ExchangeText {
    const name = `"${nameOf(child)}"`;
    const { state: told, sessionUpdate: _kind, sessionId: _id, title: _title, description: _text, ...others } = update;
    const state = isObject(told) ? told : undefined;
    const text = (level: ExchangeText['level'], message: string): ExchangeText => ({
      level,
      logger: 'subagent',
      message,
    });
    const { shown } = child;
    const next = textOf(state?.['state']) ?? shown;
    child.shown = next?.slice(0, 40);
    if (isNew && next !== 'idle') {
      const about = child.title === undefined ? undefined : child.description;
      return text('info', `started ${name}${about === undefined ? '' : `: ${about}`}`);
    }
    if (state && next !== shown) return stateText(text, name, state, shown);
    const rest = Object.keys(others).length === 0 ? '' : ` ${boundedJson(others, 300)}`;
    const how = 'state' in update ? ` ${textOf(state?.['state']) ?? 'state unknown'}` : '';
    return text('debug', `${name}${how}${rest}`);
  }
}

function stateText(
  text: (level: ExchangeText['level'], message: string) => ExchangeText,
  name: string,
  state: JsonObject,
  before: string | undefined,
): ExchangeText {
  const error = rpcError(state['error']);
  switch (state['state']) {
    case 'idle':
      // The child's log has this as an error.
      if (error) return text('warning', `${name} failed: ${errorMessage(error)}`);
      return text('info', `${name} ended: ${textOf(state['stopReason']) ?? 'no stop reason'}`);
    case 'running':
      return before === 'idle' ? text('info', `${name} runs again`) : text('debug', `${name} runs`);
    case 'requires_action':
      return text('debug', `${name} waits for the user`);
    default:
      return text('debug', `${name}: state ${oneLine(textOf(state['state']) ?? 'unknown', 40)}`);
  }
}

function withoutId(update: JsonObject): ExchangeText {
  return { level: 'debug', logger: 'subagent', message: `announced without a sessionId: ${boundedJson(update, 300)}` };
}
