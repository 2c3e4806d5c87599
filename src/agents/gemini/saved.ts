import { changesOfDisplay } from './changes';
import type { JsonObject } from '../../text/json';
import { arrayOf, isObject, objectOf, textOf, textsOf } from '../../text/json';
import { BoundedMap } from '../../text/boundedMap';
import { timeOf } from '../../protocols/logFields/timeOf';
import { outputText } from '../../protocols/agentWriter/toolText';
import { numberIn, textIn, withoutEnd } from '../reading/saved/parts';
import { providerError } from '../../work/failures/errorText';
import type { SavedForm } from '../savedForm';
import { anyFolder } from '../savedForm';
import type { KeyedLine } from '../reading/saved/keyedLine';
import type { AgentReader } from '../../protocols/agentWriter/agentReader';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';
import { usageOf } from '../../work/usage/usage';
import { deletion } from './deletion';
import { convention } from './usage';

/** Maximum number of message IDs to remember. A message is saved again when it changes. */
const maxKnown = 10_000;
/** How much of a message was already reported, in characters and thoughts. */
interface Known {
  readonly text: number;
  readonly thoughts: number;
}

/** Gemini CLI: `tmp/PROJECT/chats/session-TIME-ID.jsonl`. A line with a known ID replaces that message. */
export const saved: SavedForm = {
  type: 'files',
  tried: { version: '0.61' },
  waits: { records: [], tools: { ask_user: 'answer', exit_plan_mode: 'plan' }, permissions: 'unrecorded' },
  deletion,
  recognises: (line) =>
    (textOf(line['sessionId']) !== undefined && textOf(line['projectHash']) !== undefined) ||
    (isObject(line['$set']) && Object.keys(line).length === 1),
  reader: () => new GeminiReader(),
  document: { list: 'messages', lines: documentLines },
  programs: ['gemini', 'gemini-cli'],
  roots: [
    ['GEMINI_CLI_HOME', '.gemini'],
    ['~', '.gemini'],
  ],
  files: [{ below: ['tmp', anyFolder, 'chats'], name: /^session-(.+)\.jsonl?$/ }],
  subagents: {
    place: ({ id }) => [id],
    // JSON up to version 0.26.
    file: /\.jsonl?$/,
    needsId: true,
    parent: { header: 'projectHash', field: 'parentSessionId' },
  },
  folderFile: { name: '.project_root', folder: (text) => text.trim() },
};

class GeminiReader implements AgentReader {
  private readonly known = new BoundedMap<string, Known>(maxKnown);
  private readonly tools = new BoundedMap<string, true>(maxKnown);
  private hasHeader = false;
  private count = 0;
  /** ID of the newest prompt. */
  private promptId: string | undefined;
  /** ID of the newest answer without a tool call: if nothing else follows, the turn has ended. */
  private endingId: string | undefined;

  read(line: JsonObject, writer: AgentWriter): void {
    if (isObject(line['$set'])) return this.readSet(line['$set'], writer);
    if (line['$rewindTo'] !== undefined) {
      return writer.note({ level: 'notice', logger: 'session', message: 'rewound: later messages no longer count' });
    }
    if (textOf(line['projectHash']) !== undefined) return this.readHeader(line, writer);
    this.readMessage(line, writer);
  }

  private readHeader(line: JsonObject, writer: AgentWriter): void {
    const id = textOf(line['sessionId']);
    if (id === undefined) return;
    // A resumed session begins with a few messages, too.
    this.promptId = undefined;
    writer.settle();
    writer.in({ id, parent: textOf(line['parentSessionId']) });
    const details = [line['kind'] === 'subagent' && 'subagent'];
    writer.started({ agent: 'Gemini CLI', details, isResumed: this.hasHeader });
    this.hasHeader = true;
  }

  private readSet(set: JsonObject, writer: AgentWriter): void {
    writer.title(textOf(set['summary']));
    if (!Array.isArray(set['messages'])) return;
    const messages = arrayOf(set['messages']).map(objectOf);
    const isSummarized = messages.some((message) => !this.known.has(textOf(message['id']) ?? ''));
    if (messages.length < this.count && isSummarized) {
      writer.settle();
      const message = `conversation compacted from ${this.count} messages to ${messages.length}`;
      writer.note({ level: 'info', logger: 'compaction', message });
    }
    this.count = messages.length;
    if (!isSummarized) this.readTakenBack(messages, writer);
    // After a resume, messages have other IDs, or their text is split into parts.
    for (const message of messages) this.remember(message);
  }

  /**
   * Gemini takes back the prompt of a turn that was cancelled, or whose first request failed. Why, a terminal's session says in a record that
   * follows; without one, it failed: few headless runs are cancelled.
   */
  private readTakenBack(messages: readonly JsonObject[], writer: AgentWriter): void {
    const { promptId } = this;
    if (promptId === undefined || !writer.isInTurn || messages.some(({ id }) => id === promptId)) return;
    this.promptId = undefined;
    writer.mayEnd({ outcome: 'error', error: 'the request failed (Gemini CLI saved no reason)' });
  }

  private remember(message: JsonObject): void {
    const id = textOf(message['id']);
    if (id !== undefined) this.known.set(id, { text: Infinity, thoughts: Infinity });
    for (const call of arrayOf(message['toolCalls']).slice(0, 500)) {
      const tool = textOf(objectOf(call)['id']);
      if (tool !== undefined) this.tools.set(tool, true);
    }
  }

  private readMessage(line: JsonObject, writer: AgentWriter): void {
    const type = textOf(line['type']);
    const id = textOf(line['id']) ?? '';
    const known = this.known.get(id);
    const text = contentOf(line['content']);
    if (!known && (type === 'user' || type === 'gemini')) this.count++;
    switch (type) {
      case 'user':
        if (!known) this.readPrompt(text, id, writer);
        break;
      case 'gemini':
        this.readAnswer(line, id, known, text, writer);
        break;
      case 'info':
      case 'warning':
      case 'error':
        if (!known) this.readNotice(type, text, writer);
        break;
      default:
        writer.unknown(type);
    }
    if (type !== 'gemini') this.known.set(id, { text: text.length, thoughts: 0 });
  }

  private readPrompt(text: string, id: string, writer: AgentWriter): void {
    // The rest are tool results, which have separate records.
    if (text.trim() === '') return;
    if (/^(?:<session_context>|System: )/.test(text)) return writer.insertedPrompt(text);
    writer.settle();
    if (text.startsWith('I ran the following shell command:')) {
      return writer.note({ level: 'info', logger: 'command', message: text });
    }
    this.promptId = id;
    const start = text.lastIndexOf('<hook_context>');
    const output = start < 0 ? undefined : hookContext.exec(text.slice(start))?.[1]?.trim();
    writer.prompt(output === undefined ? text : text.slice(0, start).trimEnd());
    if (output !== undefined) writer.hookEnded(undefined, { name: 'BeforeAgent', outcome: 'ok', output });
  }

  private readAnswer(line: JsonObject, id: string, known: Known | undefined, text: string, writer: AgentWriter): void {
    // The same answer again, now with its tools.
    if (this.endingId === id) writer.continueTurn();
    writer.settle();
    const thoughts = arrayOf(line['thoughts']).map(objectOf);
    for (const thought of thoughts.slice(known?.thoughts ?? 0)) {
      const { subject, description } = thought;
      writer.thought(textsOf(subject, description).join(': '));
    }
    writer.answer(text.slice(known?.text ?? 0));
    this.known.set(id, { text: text.length, thoughts: thoughts.length });
    writer.answeredBy(textOf(line['model']));
    if (isObject(line['tokens'])) writer.usage(id, usageOf(line['tokens'], 'turn', { convention }));
    const calls = arrayOf(line['toolCalls']).slice(0, 500).map(objectOf);
    for (const call of calls) this.readTool(call, writer);
    if (calls.length === 0 && text.trim() !== '' && writer.isInTurn) {
      this.endingId = id;
      writer.mayEnd({ outcome: 'ok' });
    }
  }

  private readTool(call: JsonObject, writer: AgentWriter): void {
    const key = textOf(call['id']);
    if (key !== undefined && this.tools.has(key)) return;
    const status = textOf(call['status']);
    const isOver = status === 'success' || status === 'error' || status === 'cancelled';
    if (!writer.hasTool(key)) {
      // An interrupted command is saved after the turn has ended.
      const isUsers = status === 'cancelled' && !writer.isInTurn;
      writer.toolStarted(key, textOf(call['name']), call['args'], { isUsers });
    }
    if (!isOver) return;
    if (key !== undefined) this.tools.set(key, true);
    const output = resultOf(call);
    const endedAt = timeOf(call['timestamp']);
    writer.toolEnded(key, {
      outcome: status === 'cancelled' ? 'cancelled' : status === 'error' ? 'error' : 'ok',
      exitCode: numberIn(output, /\nExit Code: (-?\d{1,10})\b/),
      changes: changesOfDisplay(call['resultDisplay']),
      ...(endedAt !== undefined && { ms: Math.max(0, endedAt - writer.place.event.t) }),
      output: withoutEnd(output, /(?:\n(?:Exit Code: -?\d+|Process Group PGID: \d+))+\s*$/),
    });
  }

  private readNotice(level: 'info' | 'warning' | 'error', text: string, writer: AgentWriter): void {
    if (text.trim() === '') return;
    if (text === 'Request cancelled.') return writer.turnEnded({ outcome: 'cancelled' });
    if (level === 'error' && writer.isInTurn) {
      return writer.turnEnded({ outcome: 'error', error: providerError(text) });
    }
    writer.note({ level: level === 'info' ? 'notice' : level, kind: 'notice', message: text });
  }
}

/** What a hook adds to a prompt. */
const hookContext = /^<hook_context>([^<]*)<\/hook_context>\s*$/;

/** The text of a message without its thoughts. */
function contentOf(content: unknown): string {
  return textIn(Array.isArray(content) ? content.filter((part) => objectOf(part)['thought'] !== true) : content);
}

function resultOf(call: JsonObject): string {
  const parts = arrayOf(call['result'])
    .slice(0, 20)
    .map((part) => objectOf(objectOf(objectOf(part)['functionResponse'])['response']));
  const text = parts.map((response) => textOf(response['output']) ?? textOf(response['error']) ?? '').join('\n');
  if (text !== '') {
    return text.replace(/^<untrusted_context>\n(?:Output: )?/, '').replace(/\n<\/untrusted_context>$/, '');
  }
  return textOf(call['resultDisplay']) ?? outputText(undefined);
}

/** The document of a session up to version 0.26 as lines. */
function documentLines(whole: JsonObject, all: readonly JsonObject[]): readonly KeyedLine[] | undefined {
  if (textOf(whole['projectHash']) === undefined) return undefined;
  const { messages: _messages, ...header } = whole;
  const lines = all.map((line, index): KeyedLine => ({ key: textOf(line['id']) ?? `message ${index}`, line }));
  return [{ key: 'header', line: header }, ...lines];
}
