import type { JsonObject } from '../../text/json';
import { isObject, numberOf, objectOf, textOf } from '../../text/json';
import { BoundedMap } from '../../text/boundedMap';
import { ownTitle } from './generation';
import { usageOf } from '../../work/usage/usage';
import { convention } from './usage';
import { exportLines } from './document';
import { endingOf, finished } from './endings';
import { EntryReader } from './entryReader';
import { callOf } from './tools';
import type { SavedInDatabase } from '../savedForm';
import { beside } from './beside';
import { database } from './database';
import type { LineOrigin, SavedReader } from '../reading/saved/savedReader';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';

/** Maximum number of message and part IDs to remember: a row is read again when it changes. */
const maxKnown = 20_000;
/** OpenCode: a session's rows in the database, or the output of `opencode export`, converted into lines (`documentLines`). */
export const saved: SavedInDatabase = {
  type: 'database',
  tried: { version: '1.18', recorded: '2.0' },
  waits: { records: [], tools: { question: 'answer', plan_exit: 'plan' }, permissions: 'unrecorded' },
  deletion: { asOf: '1.18.33', rule: 'deletes none' },
  recognises: (line) => /^opencode\.(?:session|message|part|entry|content)$/.test(textOf(line['type']) ?? ''),
  reader: () => new OpencodeReader(),
  document: { list: 'messages', lines: exportLines },
  programs: ['opencode', 'opencode-ai'],
  roots: [
    ['XDG_DATA_HOME', 'opencode'],
    ['~', '.local', 'share', 'opencode'],
  ],
  database,
  beside,
};

export class OpencodeReader implements SavedReader {
  private readonly messages = new BoundedMap<string, JsonObject>(maxKnown);
  private readonly done = new BoundedMap<string, true>(maxKnown);
  /** Incomplete text, by part ID. */
  private readonly unfinished = new BoundedMap<string, JsonObject>(100);

  private readonly entries = new EntryReader();

  /** The message whose text started the newest turn. */
  private prompted: string | undefined;
  /** When the session was created, in milliseconds since the epoch. */
  private createdAt: number | undefined;
  /** IDs of messages that version 1 copied for a fork, under new IDs. */
  private readonly copied = new BoundedMap<string, true>(maxKnown);

  /** @param agent its name */
  constructor(private readonly agent = 'OpenCode') {}

  /** Copied messages are older than their session. */
  originOf(line: JsonObject): LineOrigin | undefined {
    const info = objectOf(line['info']);
    const created = numberOf(objectOf(info['time'])['created']);
    if (line['type'] === 'opencode.session') this.createdAt = created;
    if (line['type'] === 'opencode.message' && created !== undefined && created < (this.createdAt ?? 0)) {
      this.copied.set(textOf(info['id']) ?? '', true);
      return { type: 'copied' };
    }
    const isOfCopy =
      line['type'] === 'opencode.part' && this.copied.has(textOf(objectOf(line['part'])['messageID']) ?? '');
    return isOfCopy ? { type: 'copied' } : undefined;
  }

  read(line: JsonObject, writer: AgentWriter): void {
    switch (line['type']) {
      case 'opencode.entry':
        return this.entries.readEntry(objectOf(line['entry']), writer);
      case 'opencode.content':
        return this.entries.readContent(line, writer);
      case 'opencode.session':
        return this.readSession(objectOf(line['info']), writer);
      case 'opencode.message':
        return this.readMessage(objectOf(line['info']), writer);
      case 'opencode.part':
        return this.readPart(objectOf(line['part']), writer);
      default:
        return writer.unknown(textOf(line['type']));
    }
  }

  private readSession(info: JsonObject, writer: AgentWriter): void {
    writer.in({ id: textOf(info['id']) ?? 'session', parent: textOf(info['parentID']) });
    writer.title(ownTitle(info['title']));
    writer.started({
      agent: this.agent,
      version: textOf(info['version']),
      model: textOf(objectOf(info['model'])['id']),
      // Version 2's export has a location.
      folder: textOf(info['directory']) ?? textOf(objectOf(info['location'])['directory']),
    });
    const origin = textOf(info['forkedFrom']);
    if (origin !== undefined) writer.forked(origin);
  }

  private readMessage(info: JsonObject, writer: AgentWriter): void {
    const id = textOf(info['id']) ?? '';
    if (!this.messages.has(id)) {
      this.messages.set(id, info);
      // Version 1 may continue a session of version 2.
      if (info['role'] === 'user') writer.settle();
      // A summary may be by another model.
      if (info['role'] === 'user') writer.uses(objectOf(info['model'])['modelID']);
      else if (info['summary'] !== true) writer.uses(info['modelID'], true);
    }
    if (info['role'] !== 'assistant' || this.done.has(id)) return;
    const completed = numberOf(objectOf(info['time'])['completed']);
    const error = isObject(info['error']) ? info['error'] : undefined;
    if (completed === undefined && !error) return;
    this.done.set(id, true);
    this.flush(id, writer);
    if (error) return writer.turnEnded(endingOf(error));
    const finish = textOf(info['finish']);
    if (finish === undefined) return writer.turnEnded({ outcome: 'ok', isCommand: true });
    const end = finished(finish);
    if (end) writer.turnEnded({ ...end, isCommand: info['summary'] === true });
  }

  private readPart(part: JsonObject, writer: AgentWriter): void {
    const id = textOf(part['id']) ?? '';
    const known = this.messages.get(textOf(part['messageID']) ?? '');
    const message = known ?? {};
    if (part['type'] === 'tool') return this.readTool(id, part, writer);
    if (this.done.has(id)) return;
    const isUser = message['role'] === 'user';
    switch (part['type']) {
      case 'text':
      case 'reasoning':
        if (!known) {
          const [level, logger] =
            part['type'] === 'text' ? (['info', 'message'] as const) : (['debug', 'thought'] as const);
          writer.note({ level, logger, message: textOf(part['text']) ?? '' });
          break;
        }
        // An answer is complete when it has an end time.
        if (!isUser && numberOf(objectOf(part['time'])['end']) === undefined && !this.isOver(message)) {
          this.unfinished.set(id, part);
          return;
        }
        this.readText(part, message, writer);
        break;
      case 'step-finish':
        writer.usage(id, usageOf(objectOf(part['tokens']), 'turn', { convention, cost: part['cost'] }));
        break;
      case 'compaction':
        writer.turnStarted('/compact');
        writer.compacted(part['auto'] === true ? 'automatic' : 'manual');
        break;
      case 'retry':
        writer.retry({
          attempt: numberOf(part['attempt']),
          why: textOf(objectOf(objectOf(part['error'])['data'])['message']) ?? 'the model did not answer',
        });
        break;
      case 'file':
      case 'agent':
      case 'subtask': {
        const what = textOf(part['filename']) ?? textOf(part['name']) ?? textOf(part['description']) ?? '';
        writer.note({
          level: 'info',
          logger: isUser ? 'prompt' : 'agent',
          content: isUser ? 'prompt' : 'answer',
          message: `(${part['type']} ${what})`,
        });
        break;
      }
      case 'step-start':
      case 'snapshot':
      case 'patch':
        break;
      default:
        writer.unknown(`part/${textOf(part['type']) ?? ''}`);
    }
    this.done.set(id, true);
  }

  private isOver(message: JsonObject): boolean {
    return this.done.has(textOf(message['id']) ?? '');
  }

  private readText(part: JsonObject, message: JsonObject, writer: AgentWriter): void {
    const text = textOf(part['text']) ?? '';
    if (part['type'] === 'reasoning') return writer.thought(text);
    if (message['role'] === 'user') {
      if (part['synthetic'] === true) return writer.insertedPrompt(text);
      const id = textOf(message['id']) ?? '';
      // Another part of the same prompt.
      const isMore = this.prompted === id && writer.isInTurn;
      this.prompted = id;
      return writer.prompt(text, { startsTurn: !isMore });
    }
    if (message['summary'] === true) return writer.insertedPrompt(text);
    writer.answer(text);
  }

  /** Reports the unfinished parts of a message that has ended. */
  private flush(messageId: string, writer: AgentWriter): void {
    for (const id of this.unfinished.keys()) {
      const part = this.unfinished.get(id);
      if (!part || part['messageID'] !== messageId) continue;
      this.unfinished.delete(id);
      this.done.set(id, true);
      this.readText(part, this.messages.get(messageId) ?? {}, writer);
    }
  }

  private readTool(id: string, part: JsonObject, writer: AgentWriter): void {
    if (this.done.has(id)) return;
    const { id: key = id, name, input, status, end } = callOf(part);
    if (status === 'pending') return;
    if (!writer.hasTool(key)) writer.toolStarted(key, name, input);
    if (!end) return;
    this.done.set(id, true);
    writer.toolEnded(key, end);
  }
}
