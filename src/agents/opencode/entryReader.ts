import { BoundedMap } from '../../text/boundedMap';
import type { JsonObject } from '../../text/json';
import { arrayOf, isObject, numberOf, objectOf, textOf } from '../../text/json';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';
import type { TurnEnding } from '../../protocols/agentWriter/verbs';
import { usageOf } from '../../work/usage/usage';
import { endingOf, errorOf, finished } from './endings';
import { callOf } from './tools';
import { convention } from './usage';

/** Maximum number of messages and parts to remember: they are read again when they change. */
const maxKnown = 20_000;
/** Messages that don't end a turn that was copied from version 1. */
const partsOfTurns: ReadonlySet<string> = new Set(['synthetic', 'system', 'skill', 'idle']);

/**
 * Reads the messages of version 2. A turn ends where the session goes idle; prompts before that are part of it. Turns that were copied from
 * version 1 have no such end: the next prompt ends them.
 */
export class EntryReader {
  private readonly done = new BoundedMap<string, true>(maxKnown);
  /** True if the newest answer was copied from version 1. */
  private isCopied = false;
  /** Why the conversation could not be compacted in this turn. */
  private failure: TurnEnding | undefined;

  readEntry(entry: JsonObject, writer: AgentWriter): void {
    const id = textOf(entry['id']) ?? '';
    if (entry['type'] === 'assistant') return this.readStep(id, entry, writer);
    if (this.done.has(id)) return;
    const isOpen = entry['status'] === 'running';
    if (!isOpen) this.done.set(id, true);
    if (this.isCopied && !partsOfTurns.has(textOf(entry['type']) ?? '')) writer.settle();
    switch (entry['type']) {
      case 'user':
        return this.readPrompt(entry, writer);
      case 'synthetic':
      case 'system':
      case 'skill':
        return writer.insertedPrompt(textOf(entry['text']) ?? '');
      case 'shell':
        return readShell(id, entry, writer);
      case 'compaction':
        return isOpen ? undefined : this.readCompaction(id, entry, writer);
      case 'idle':
        return this.readIdle(textOf(entry['outcome']), writer);
      case 'model-switched':
        return writer.model(textOf(objectOf(entry['model'])['id']) ?? 'another model', { level: 'info' });
      case 'agent-switched':
        return writer.note({ level: 'debug', logger: 'agent', message: `now ${textOf(entry['agent']) ?? 'another'}` });
      case 'location-switched': {
        const folder = textOf(objectOf(entry['location'])['directory']) ?? 'another folder';
        return writer.note({ level: 'debug', logger: 'session', message: `moved to ${folder}` });
      }
      default:
        return writer.unknown(textOf(entry['type']));
    }
  }

  /** Reads a part of an answer. */
  readContent(line: JsonObject, writer: AgentWriter): void {
    const key = `${textOf(line['message']) ?? ''} ${numberOf(line['index']) ?? ''}`;
    const part = objectOf(line['part']);
    if (this.done.has(key)) return;
    switch (part['type']) {
      case 'text':
      case 'reasoning': {
        // It begins empty, and gets its text at its end.
        const text = textOf(part['text']) ?? '';
        if (text === '') return;
        if (part['type'] === 'text') writer.answer(text);
        else writer.thought(text);
        break;
      }
      case 'tool':
        if (!readTool(part, writer)) return;
        break;
      default:
        writer.unknown(`content/${textOf(part['type']) ?? ''}`);
    }
    this.done.set(key, true);
  }

  private readPrompt(entry: JsonObject, writer: AgentWriter): void {
    writer.prompt(textOf(entry['text']), { startsTurn: this.isCopied || !writer.isInTurn });
    this.isCopied = false;
    for (const file of [...arrayOf(entry['files']), ...arrayOf(entry['agents'])].map(objectOf)) {
      const what = textOf(file['name']) ?? textOf(file['filename']) ?? 'without a name';
      writer.note({ level: 'info', logger: 'prompt', content: 'prompt', message: `(attached: ${what})` });
    }
  }

  /** Reads a model request: its beginning, or its end. */
  private readStep(id: string, entry: JsonObject, writer: AgentWriter): void {
    if (this.done.has(id)) return;
    const { streamed, completed } = objectOf(entry['time']);
    if (!this.done.has(`${id} begun`)) {
      this.done.set(`${id} begun`, true);
      const failure = writer.continueTurn();
      if (failure?.outcome === 'error') writer.retry({ why: failure.error ?? 'the model did not answer' });
      writer.answeredBy(textOf(objectOf(entry['model'])['id']));
    }
    this.readRetry(id, entry['retry'], writer);
    const error = isObject(entry['error']) ? entry['error'] : undefined;
    if (completed === undefined && !error) return;
    this.done.set(id, true);
    this.isCopied = streamed === undefined && !error;
    writer.usage(id, usageOf(objectOf(entry['tokens']), 'turn', { convention, cost: entry['cost'] }));
    const end = error ? endingOf(error) : finished(textOf(entry['finish']));
    if (end) writer.mayEnd(end);
  }

  private readRetry(id: string, retry: unknown, writer: AgentWriter): void {
    if (!isObject(retry)) return;
    const attempt = numberOf(retry['attempt']);
    const key = `${id} retry ${attempt ?? ''}`;
    if (this.done.has(key)) return;
    this.done.set(key, true);
    const { message, name, status } = errorOf(objectOf(retry['error']));
    writer.retry({ attempt, status, why: message ?? name ?? 'the model did not answer' });
  }

  private readCompaction(id: string, entry: JsonObject, writer: AgentWriter): void {
    const isOwnTurn = !writer.isInTurn;
    if (isOwnTurn) writer.turnStarted('/compact');
    writer.usage(id, usageOf(objectOf(entry['tokens']), 'turn', { convention, cost: entry['cost'] }));
    const failure = isObject(entry['error']) ? endingOf(entry['error']) : undefined;
    if (failure) {
      const message = `the conversation could not be compacted: ${failure.error ?? 'interrupted'}`;
      writer.note({ level: 'warning', logger: 'compaction', message });
    } else {
      writer.compacted(entry['reason'] === 'auto' ? 'automatic' : 'manual');
      writer.insertedPrompt(textOf(entry['summary']) ?? '');
    }
    if (isOwnTurn) writer.turnEnded({ ...(failure ?? { outcome: 'ok' }), isCommand: true });
    else this.failure = failure;
  }

  /** The session waits for the next prompt. */
  private readIdle(outcome: string | undefined, writer: AgentWriter): void {
    const ends = [writer.continueTurn(), this.failure];
    this.failure = undefined;
    this.isCopied = false;
    if (!writer.isInTurn) return;
    const how = outcome === 'failed' ? 'error' : outcome === 'interrupted' ? 'cancelled' : 'ok';
    const known = ends.find((end) => end?.outcome === how);
    writer.turnEnded(known ?? { outcome: how });
  }
}

/** @returns true if the call has ended */
function readTool(part: JsonObject, writer: AgentWriter): boolean {
  const { id, name, input, status, end } = callOf(part);
  if (!end && status !== 'running') return false;
  if (!writer.hasTool(id)) writer.toolStarted(id, name, input);
  if (end) writer.toolEnded(id, end);
  return end !== undefined;
}

/** A command that the user ran. */
function readShell(id: string, entry: JsonObject, writer: AgentWriter): void {
  if (!writer.hasTool(id)) writer.toolStarted(id, 'shell', { command: entry['command'] }, { isUsers: true });
  if (entry['status'] === 'running') return;
  const exitCode = numberOf(entry['exit']);
  const { created, completed } = objectOf(entry['time']);
  const [from, to] = [numberOf(created), numberOf(completed)];
  writer.toolEnded(id, {
    outcome: exitCode === undefined && entry['status'] !== 'exited' ? 'cancelled' : 'ok',
    exitCode,
    ...(from !== undefined && to !== undefined && { ms: Math.max(0, to - from) }),
    output: textOf(objectOf(entry['output'])['output']) ?? textOf(entry['output']) ?? '',
  });
}
