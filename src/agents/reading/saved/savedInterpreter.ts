import type { Interpreter } from '../../../protocols/interpreter';
import type { JsonObject } from '../../../text/json';
import { isObject, numberOf, textOf } from '../../../text/json';
import { valueOrFields } from '../../../protocols/leadingFields';
import type { WireEvent, WireMessage } from '../../../wire/wireEvent';
import { besideRetry } from './besideLines';
import type { AgentReader } from '../../../protocols/agentWriter/agentReader';
import { AgentWriter } from '../../../protocols/agentWriter/agentWriter';
import { sizeOf } from '../../../protocols/agentWriter/recordText';
import type { WriterContext } from '../../../protocols/agentWriter/verbs';
import { ofFile } from '../../../protocols/agentWriter/verbs';
import { recogniseSaved } from '../../agents';

/** One file of a session: the session's own, or a subagent's. */
interface Member {
  readonly writer: AgentWriter;
  reader?: AgentReader | undefined;
}

/** Maximum number of subagents with their own reader; the rest share one. */
const maxMembers = 1000;
const markType = 'agent-logs.member';

/** A line in a journal exported from a saved session: the lines after it come from this file of the session, counted from 0. */
export function memberMark(member: number): JsonObject {
  return { type: markType, member };
}

/** Reads a session that an agent saved to disk, one record per line. The first unambiguous line determines the format. */
export class SavedInterpreter implements Interpreter {
  private readonly members = new Map<number, Member>();
  private current: Member;

  constructor(private readonly context: WriterContext) {
    this.current = this.member(0);
  }

  accept(event: WireEvent): void {
    // A saved session consists only of lines.
    if (event.dir === 'a2c') this.acceptLine(event);
  }

  quiet(): void {
    for (const { writer } of this.members.values()) writer.settle();
  }

  finish(): void {
    this.quiet();
    for (const { writer } of this.members.values()) writer.endOfFile();
  }

  get isWaiting(): boolean {
    return [...this.members.values()].some(({ writer }) => writer.isWaiting);
  }

  private member(index: number): Member {
    const key = Math.min(index, maxMembers);
    const member = this.members.get(key) ?? { writer: new AgentWriter(this.context, ofFile) };
    this.members.set(key, member);
    return member;
  }

  private acceptLine(event: WireMessage): void {
    if (event.bytes !== undefined) {
      const fields = valueOrFields(event.line);
      const type = isObject(fields) ? textOf(fields['type']) : undefined;
      const what = type === undefined ? 'A line' : `A line of type "${type.slice(0, 60)}"`;
      return this.unreadable(event, `${what} is too long to read (${sizeOf(event.bytes)})`);
    }
    if (event.line.trim() === '') return;
    const { msg } = event;
    if (!isObject(msg)) {
      const what = `Not a JSON object (${sizeOf(event.line.length)}): damaged, or not complete yet`;
      return this.unreadable(event, what);
    }
    if (msg['type'] === markType) {
      this.current = this.member(numberOf(msg['member']) ?? 0);
      return;
    }
    const { current } = this;
    current.writer.begin(event, event.t);
    const retry = besideRetry(msg);
    if (retry) return current.writer.retry(retry);
    current.reader ??= recogniseSaved(msg)?.form.reader();
    if (current.reader) current.reader.read(msg, current.writer);
    else current.writer.unknown(textOf(msg['type']));
  }

  private unreadable(event: WireMessage, message: string): void {
    const { writer } = this.current;
    writer.begin(event, event.t);
    writer.note({ level: 'notice', logger: 'session', message });
  }
}
