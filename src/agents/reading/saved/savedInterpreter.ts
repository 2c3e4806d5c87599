import { oneLine } from '../../../text/text';
import type { Interpreter } from '../../../protocols/interpreter';
import { valueOrFields } from '../../../protocols/leadingFields';
import { sizeOf } from '../../../protocols/agentWriter/recordText';
import type { WriterContext } from '../../../protocols/agentWriter/verbs';
import type { JsonObject } from '../../../text/json';
import { isObject, numberOf, textOf } from '../../../text/json';
import type { WireEvent, WireMessage } from '../../../wire/wireEvent';
import { MemberReader } from './memberReader';

/** Maximum number of subagents with their own reader; the rest share one. */
const maxMembers = 1000;
const markType = 'agent-logs.member';

/** A line in a journal exported from a saved session: the lines after it come from this file of the session, counted from 0. */
export function memberMark(member: number): JsonObject {
  return { type: markType, member };
}

/** Reads a session that an agent saved to disk, one record per line. The first unambiguous line determines the format. */
export class SavedInterpreter implements Interpreter {
  /** One for each file of the session. */
  private readonly members = new Map<number, MemberReader>();
  private current: MemberReader;

  constructor(private readonly context: WriterContext) {
    this.current = this.member(0);
  }

  accept(event: WireEvent): void {
    // A saved session consists only of lines.
    if (event.dir === 'a2c') this.acceptLine(event);
  }

  get holdsFacts(): boolean {
    return this.current.holdsLines;
  }

  complete(event: WireEvent): void {
    if (event.dir !== 'a2c' || event.bytes !== undefined) return;
    const { msg } = event;
    if (isObject(msg) && msg['type'] !== markType) this.current.complete(msg);
  }

  quiet(t: number): void {
    for (const member of this.members.values()) member.quiet(t);
  }

  finish(): void {
    for (const member of this.members.values()) member.finish();
  }

  get isWaiting(): boolean {
    return [...this.members.values()].some((member) => member.isWaiting);
  }

  private member(index: number): MemberReader {
    const key = Math.min(index, maxMembers);
    const member = this.members.get(key) ?? new MemberReader(this.context);
    this.members.set(key, member);
    return member;
  }

  private acceptLine(event: WireMessage): void {
    if (event.bytes !== undefined) {
      const fields = valueOrFields(event.line);
      const type = isObject(fields) ? textOf(fields['type']) : undefined;
      const what = type === undefined ? 'A line' : `A line of type "${oneLine(type, 60)}"`;
      return this.current.unreadable(event, `${what} is too long to read (${sizeOf(event.bytes)})`);
    }
    if (event.line.trim() === '') return;
    const { msg } = event;
    if (!isObject(msg)) {
      const what = `Not a JSON object (${sizeOf(event.line.length)}): damaged, or not complete yet`;
      return this.current.unreadable(event, what);
    }
    if (msg['type'] === markType) this.current = this.member(numberOf(msg['member']) ?? 0);
    else this.current.read(event, msg);
  }
}
