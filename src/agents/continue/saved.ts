import type { JsonObject } from '../../text/json';
import { arrayOf, numberOf, objectOf, textOf } from '../../text/json';
import { BoundedMap } from '../../text/boundedMap';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';
import type { ToolEnd } from '../../protocols/agentWriter/verbs';
import type { Usage } from '../../work/activity';
import { usageOf } from '../../work/usage/usage';
import { numberIn, textIn } from '../reading/saved/parts';
import type { SavedReader } from '../reading/saved/savedReader';
import type { SavedForm } from '../savedForm';
import { named } from '../savedForm';
import { historyLines } from './document';

const maxCalls = 200;
const maxKnown = 20_000;
/** The title of sessions without one. */
const untitled = 'Untitled Session';
/** How Continue words a command that failed. Its standard output is lost. */
const failed = /^(?:Error executing tool [^:\n]{1,100}: )?Error \(exit code (\d{1,10})\): /;

/** Continue: `sessions/UUID.json`, converted into a line for the session and one per item (`documentLines`). */
export const saved: SavedForm = {
  type: 'files',
  tried: { version: '1.5' },
  waits: { records: [], tools: { AskQuestion: 'answer' }, permissions: 'unrecorded' },
  deletion: { asOf: '1.5.47', rule: 'deletes none' },
  recognises: (line) => line['type'] === 'continue.session' || line['type'] === 'continue.item',
  reader: () => new ContinueReader(),
  document: { list: 'history', lines: historyLines },
  roots: [['CONTINUE_GLOBAL_DIR'], ['~', '.continue']],
  programs: ['cn'],
  files: [{ below: ['sessions'], name: named('', '\\.json') }],
};

class ContinueReader implements SavedReader {
  /** Calls that have ended: an item is read again when it changes. */
  private readonly ended = new BoundedMap<string, true>(maxKnown);
  /** How many items were read. */
  private items = 0;

  read(line: JsonObject, writer: AgentWriter): void {
    if (line['type'] === 'continue.session') return readSession(line, writer);
    if (line['type'] !== 'continue.item') return writer.unknown(textOf(line['type']));
    const message = objectOf(line['message']);
    const index = numberOf(line['index']) ?? this.items;
    // A prompt in the place of another item is new: a compaction leaves fewer.
    if (index < this.items && message['role'] !== 'user') return this.readCalls(line, message, writer);
    this.items = index + 1;
    const text = textIn(message['content']);
    writer.settle();
    switch (message['role']) {
      case 'user':
        return writer.prompt(text);
      case 'assistant':
        writer.answer(text);
        writer.answeredBy(textOf(objectOf(message['usage'])['model']));
        writer.usage(String(index), usageIn(objectOf(message['usage'])));
        return this.readCalls(line, message, writer);
      case 'thinking':
        return writer.thought(text);
      case 'system':
        return writer.insertedPrompt(text);
      default:
        writer.unknown(`message/${textOf(message['role']) ?? ''}`);
    }
  }

  private readCalls(line: JsonObject, message: JsonObject, writer: AgentWriter): void {
    const calls = arrayOf(line['toolCallStates']).slice(0, maxCalls).map(objectOf);
    for (const call of calls) this.readCall(call, writer);
    if (calls.length === 0 && arrayOf(message['toolCalls']).length === 0) writer.mayEnd({ outcome: 'ok' });
  }

  private readCall(call: JsonObject, writer: AgentWriter): void {
    const id = textOf(call['toolCallId']);
    if (id === undefined || this.ended.has(id)) return;
    const { name } = objectOf(objectOf(call['toolCall'])['function']);
    if (!writer.hasTool(id)) writer.toolStarted(id, textOf(name), call['parsedArgs']);
    const outcome = outcomes.get(textOf(call['status']) ?? '');
    if (outcome === undefined) return;
    this.ended.set(id, true);
    const output = arrayOf(call['output'])
      .map((part) => textOf(objectOf(part)['content']) ?? '')
      .join('\n');
    writer.toolEnded(id, { outcome, exitCode: numberIn(output, failed), output: output.replace(failed, '') });
  }
}

const outcomes: ReadonlyMap<string, ToolEnd['outcome'] & string> = new Map([
  ['done', 'ok'],
  ['errored', 'error'],
  ['canceled', 'cancelled'],
]);

function readSession(line: JsonObject, writer: AgentWriter): void {
  writer.in({ id: textOf(line['sessionId']) ?? 'session' });
  writer.started({ agent: 'Continue', folder: textOf(line['workspaceDirectory']) });
  if (line['title'] !== untitled) writer.title(textOf(line['title']));
}

/** The sum in the file leaves out the cache, and guesses a cost, also for models without one. */
function usageIn(fields: JsonObject): Usage | undefined {
  const { prompt_tokens: input, completion_tokens: output, total_tokens: total, cost_cents: cents } = fields;
  const cached = objectOf(fields['prompt_tokens_details'])['cached_tokens'];
  const reasoning = objectOf(fields['completion_tokens_details'])['reasoning_tokens'];
  const cost = (numberOf(cents) ?? 0) / 100;
  return usageOf({ input, output, total, cached, reasoning }, 'turn', cost > 0 ? { cost } : {});
}
