import { boundedJson } from '../../text/boundedJson';
import type { JsonObject } from '../../text/json';
import { isObject, objectOf, textOf } from '../../text/json';
import { markedId, shortenId } from '../../text/sessionLabel';
import { oneLine } from '../../text/text';
import { maxActivityId } from '../../work/activity';
import { contentText } from '../../work/tools/contentText';
import { otherSessions } from '../sessionIds';
import type { AcpSession, Child, SessionMap } from './session';
import { keyOf, maxDepth, nameOf } from './session';
import type { Misannounced } from './words';
import { describeMessage, describeSubagent, misannounced, withoutId } from './words';
import type { AcpWriter } from './writer';

interface Announcement {
  readonly child: Child | undefined;
  readonly isNew: boolean;
  readonly problem?: Misannounced;
}

const maxChildren = 1000;
const maxText = 200;
/** How many subagents, newest first, to search for in a text. */
const maxSearched = 50;
/** Minimum length of an ID to search for; a shorter one may be part of a word. */
const minDistinct = 12;

/** A session announces another as its subagent. */
export function announce(sessions: SessionMap, parent: string, id: string, update: JsonObject): Announcement {
  const known = sessions.get(id)?.child;
  const problem = problemWith(sessions, parent, id);
  if (problem !== undefined) return { child: known, isNew: false, problem };
  const child = known ?? { id, parent, title: undefined, description: undefined, state: undefined };
  if ('title' in update) child.title = textIn(update['title']);
  if ('description' in update) child.description = textIn(update['description']);
  if ('capabilities' in update) child.canCancel = isObject(objectOf(update['capabilities'])['cancel']);
  if (!known) sessions.of(id).lasting.child = child;
  return { child, isNew: !known };
}

/** Why an announcement is invalid, or `undefined`. Invalid ones are shown but otherwise ignored. */
function problemWith(sessions: SessionMap, parent: string, id: string): Misannounced | undefined {
  const known = sessions.get(id)?.child;
  if (id === parent) return 'itself';
  if (id === otherSessions || parent === otherSessions) return 'too-many';
  if (known) return known.parent === parent ? undefined : 'other-parent';
  const above = sessions.lineage(parent);
  if (above.includes(id)) return 'ancestor';
  return above.length > maxDepth || sessions.children.length >= maxChildren ? 'too-many' : undefined;
}

/** Stores a state. Returns whether it is new: in version 2, both sides report it. */
export function changeState(child: Child, state: unknown): boolean {
  const next = textOf(objectOf(state)['state']) ?? textOf(state);
  const before = child.state;
  child.state = next?.slice(0, 40);
  return before !== child.state;
}

/**
 * Reads a `subagent_update`, which contains only changed fields. Returns the subagent's session if the update says its state, which only the
 * parent learns in version 1.
 */
export function subagentUpdated(
  { id: parent }: AcpSession,
  update: JsonObject,
  out: AcpWriter,
): { readonly session: AcpSession; readonly state: JsonObject } | undefined {
  const { t } = out.event;
  const named = textOf(update['sessionId']);
  if (named === undefined) {
    out.record(parent, withoutId(update));
    return undefined;
  }
  const id = out.ids.file(named, t);
  const { child, isNew, problem } = announce(out.sessions, parent, id, update);
  if (problem !== undefined || !child) {
    out.fact(parent, { ...subagent(id, child), change: 'refused', problem });
    out.record(parent, misannounced(id, problem ?? 'too-many'));
    return undefined;
  }
  if (isNew) out.sink.session({ type: 'seen', sessionId: id, at: t, parent });
  if (isNew || 'title' in update || 'description' in update) {
    out.sink.session({ type: 'titled', sessionId: id, title: child.title ?? child.description });
  }
  const { state } = update;
  out.record(parent, describeSubagent(child, update, isNew, child.shown));
  child.shown = textOf(objectOf(state)['state'])?.slice(0, 40) ?? child.shown;
  if (isObject(state)) {
    return child.state === textOf(state['state']) ? undefined : { session: out.sessions.of(id), state };
  }
  if ('state' in update) changeState(child, undefined);
  // Without a state, its announcement counts as a start.
  else if (child.hasStarted !== true) childChanged(child, { state: 'running' }, out);
  return undefined;
}

/** Reads a `session_message`, whose text may follow in chunks. */
export function messageSent(session: AcpSession, update: JsonObject, out: AcpWriter): void {
  const { content } = update;
  const text = content === undefined ? undefined : oneLine(shortened(contentText(content), out), 2000);
  out.record(session.id, describeMessage(leadOf(session, update, out), text));
}

/** Reads a `session_message_chunk`. */
export function messageContinued(session: AcpSession, update: JsonObject, out: AcpWriter): void {
  const lead = leadOf(session, update, out);
  const { messageId, content } = update;
  out.add({
    sessionId: session.id,
    speaker: 'message',
    messageId: textOf(messageId),
    text: contentText(content),
    lead,
    isMinor: lead.startsWith('to '),
  });
}

/** `from "Count files": `, or `to …`, from this session's point of view. */
function leadOf(session: AcpSession, update: JsonObject, { ids, sessions }: AcpWriter): string {
  const key = keyOf(textOf(update['messageId']) ?? '');
  const sender = textOf(update['senderSessionId']);
  const recipient = textOf(update['recipientSessionId']);
  if (sender === undefined && recipient === undefined) return session.leads.get(key) ?? '';
  const isOutgoing = sender !== undefined && ids.file(sender, 0) === session.id;
  const named = isOutgoing ? recipient : sender;
  const other = named && ids.file(named, 0);
  const name = other !== undefined && session.child?.parent === other ? 'its parent' : nameIn(sessions, other);
  const lead = `${isOutgoing ? 'to' : 'from'} ${name}: `;
  session.leads.set(key, lead);
  return lead;
}

/** The name of a session in the log of another. */
export function nameIn(sessions: SessionMap, id: string | undefined): string {
  if (id === undefined) return 'another session';
  const child = sessions.get(id)?.child;
  return child ? `"${nameOf(child)}"` : markedId(id);
}

/** Shortens the IDs of subagents' sessions in tool input: Codex sends them without the parent's. */
export function withShortIds(data: JsonObject, out: AcpWriter): JsonObject {
  if (out.sessions.children.length === 0) return data;
  const json = boundedJson(data);
  const short = shortened(json, out);
  if (short === json) return data;
  try {
    return objectOf(JSON.parse(short));
  } catch {
    return { cut: short }; // Cut JSON no longer parses.
  }
}

function shortened(text: string, { sessions }: AcpWriter): string {
  return sessions.children.slice(-maxSearched).reduce((short, { id }) => {
    const own = id.slice(id.lastIndexOf(':') + 1);
    return own.length < minDistinct || !short.includes(own) ? short : shortenId(shortenId(short, id), own);
  }, text);
}

/** Reports that a subagent starts or stops working, by its state. */
export function childChanged(child: Child, { state, stopReason, error }: JsonObject, out: AcpWriter): void {
  if (out.isReplay) return;
  const { isWorking = false, parent } = child;
  child.hasStarted = true;
  if ((state === 'running' || state === 'requires_action') && !isWorking) {
    child.isWorking = true;
    out.fact(parent, { ...subagent(child.id, child), change: 'started' });
    return;
  }
  if (state !== 'idle' || !isWorking) return;
  child.isWorking = false;
  const isFailed = (error !== undefined && error !== null) || stopReason === 'error';
  const outcome = isFailed ? 'error' : stopReason === 'cancelled' ? 'cancelled' : 'ok';
  out.fact(parent, { ...subagent(child.id, child), change: 'ended', outcome });
}

/** What a fact says about any subagent. */
function subagent(
  id: string,
  child: Child | undefined,
): { readonly type: 'subagent'; readonly id: string; readonly title: string | undefined } {
  return { type: 'subagent', id: id.slice(0, maxActivityId), title: child && nameOf(child) };
}

function textIn(value: unknown): string | undefined {
  const text = textOf(value);
  return text === undefined ? undefined : oneLine(text, maxText);
}
