import type { JsonObject } from '../../text/json';
import { numberOf, objectOf, textOf } from '../../text/json';
import { outputText } from '../../protocols/agentWriter/toolText';
import { partsOf } from '../reading/saved/parts';
import type { LineOrigin, SavedReader } from '../reading/saved/savedReader';
import type { SavedForm } from '../savedForm';
import { anyFolder } from '../savedForm';
import { readAbout } from './about';
import { inputOf, toolEndOf } from './content';
import { messageLines } from './document';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';
import type { ToolEnd } from '../../protocols/agentWriter/verbs';
import { usageOf } from '../../work/usage/usage';

/** Cline: `ID.messages.json`, converted into a line for the session and one per message (`documentLines`). */
export const saved: SavedForm = {
  type: 'files',
  tried: { version: '3.0' },
  waits: { records: [], tools: { ask_question: 'answer', ask_followup_question: 'answer' }, permissions: 'unrecorded' },
  deletion: { asOf: '3.0.65', rule: 'deletes none' },
  recognises: (line) => line['type'] === 'cline.session' || line['type'] === 'cline.message',
  reader: () => new ClineReader(),
  document: { list: 'messages', lines: messageLines },
  roots: [['CLINE_DATA_DIR'], ['CLINE_DIR', 'data'], ['~', '.cline', 'data']],
  files: [{ below: ['sessions', anyFolder], file: (id) => `${id}.messages.json` }],
  subagents: { place: () => [], file: /\.messages\.json$/ },
  about: { file: (id) => `${id}.json`, read: readAbout, isEnough: true },
};

class ClineReader implements SavedReader {
  /** When the session was made, in milliseconds since the epoch. */
  private startedAt = 0;

  readonly read = read;

  /** A fork begins with the messages of its origin, which only the file beside it names. They are older than the session's ID. */
  originOf(line: JsonObject): LineOrigin | undefined {
    if (line['type'] === 'cline.session') {
      this.startedAt = Number(/^(\d{13})_/.exec(textOf(line['sessionId']) ?? '')?.[1] ?? 0);
    }
    const at = numberOf(objectOf(line['message'])['ts']);
    if (at === undefined) return undefined;
    return { type: at < this.startedAt ? 'copied' : 'own' };
  }
}

function read(line: JsonObject, writer: AgentWriter): void {
  if (line['type'] === 'cline.session') return readSession(line, writer);
  if (line['type'] !== 'cline.message') return writer.unknown(textOf(line['type']));
  writer.settle();
  const message = objectOf(line['message']);
  const blocks = partsOf(message['content']);
  if (message['role'] === 'assistant') readAnswer(message, blocks, writer);
  else readUser(blocks, writer);
}

function readAnswer(message: JsonObject, blocks: readonly JsonObject[], writer: AgentWriter): void {
  if (objectOf(message['metadata'])['displayRole'] === 'error') {
    const error = outputText(blocks);
    // This is how an interrupted run is saved.
    const isInterrupted = /\bdisconnected before request was resolved\b/.test(error);
    return writer.turnEnded({ outcome: isInterrupted ? 'cancelled' : 'error', error });
  }
  writer.answeredBy(textOf(objectOf(message['modelInfo'])['id']));
  let hasCall = false;
  for (const block of blocks) {
    if (block['type'] === 'tool_use') {
      hasCall = true;
      writer.toolStarted(textOf(block['id']), textOf(block['name']), inputOf(block['input']));
    } else if (block['type'] === 'thinking') writer.thought(textOf(block['thinking']) ?? '');
    else writer.answer(textOf(block['text']) ?? '');
  }
  writer.usage(textOf(message['id']), usageOf(objectOf(message['metrics']), 'turn'));
  if (!hasCall && blocks.length > 0) writer.mayEnd({ outcome: 'ok' });
}

function readSession(line: JsonObject, writer: AgentWriter): void {
  const parent = textOf(line['parent']);
  writer.in({ id: textOf(line['sessionId']) ?? 'session', parent });
  const details = [parent !== undefined && 'subagent'];
  writer.started({ agent: 'Cline', version: textOf(line['version']), details });
}

function readUser(blocks: readonly JsonObject[], writer: AgentWriter): void {
  const asked: string[] = [];
  let isStopped = false;
  for (const block of blocks) {
    const text = textOf(block['text']);
    if (block['type'] === 'tool_result') isStopped = readResult(block, writer) === 'cancelled' || isStopped;
    else if (text === undefined) writer.other(`block of type ${textOf(block['type']) ?? 'unknown'}`, 'prompt');
    // What else is in the text was added.
    else asked.push(/^<user_input[^>]{0,100}>([\s\S]*?)<\/user_input>/.exec(text)?.[1] ?? text);
  }
  // Nothing else says it.
  if (isStopped) writer.turnEnded({ outcome: 'cancelled' });
  writer.prompt(asked.join('\n'));
}

function readResult(block: JsonObject, writer: AgentWriter): ToolEnd['outcome'] {
  const end = toolEndOf(block['content'], block['is_error'] === true);
  writer.toolEnded(textOf(block['tool_use_id']), end);
  return end.outcome;
}
