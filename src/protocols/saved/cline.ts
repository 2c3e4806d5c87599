import type { JsonObject } from '../json';
import { arrayOf, isObject, numberOf, objectOf, textOf } from '../json';
import { outputText } from '../streams/toolText';
import type { SavedFormat, SavedReader } from './savedFormat';
import type { Place } from './writer/savedNotes';
import type { SavedWriter } from './writer/savedWriter';
import { usageOf } from './writer/turnUsage';

const tokens = { input: 'inputTokens', output: 'outputTokens', cached: 'cacheReadTokens' };
/** Maximum number of blocks to read from one message. */
const maxBlocks = 200;

/** Cline: `ID.messages.json`, converted into a line for the session and one per message (`documentLines`). */
export const cline: SavedFormat = {
  agent: 'cline',
  recognises: (line) => line['type'] === 'cline.session' || line['type'] === 'cline.message',
  reader: () => new ClineReader(),
};

class ClineReader implements SavedReader {
  private ending: Place | undefined;

  get isHolding(): boolean {
    return this.ending !== undefined;
  }

  read(line: JsonObject, writer: SavedWriter): void {
    if (line['type'] === 'cline.session') return readSession(line, writer);
    if (line['type'] !== 'cline.message') return writer.unknown(textOf(line['type']));
    this.settle(writer);
    const message = objectOf(line['message']);
    const { content } = message;
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : arrayOf(content).map(objectOf);
    const isAnswer = message['role'] === 'assistant';
    if (isAnswer) this.readAnswer(message, blocks.slice(0, maxBlocks), writer);
    else for (const block of blocks.slice(0, maxBlocks)) readUserBlock(block, writer);
  }

  settle(writer: SavedWriter): void {
    if (!this.ending) return;
    const { ending } = this;
    this.ending = undefined;
    writer.at(ending, () => writer.turnEnded({ outcome: 'ok' }));
  }

  private readAnswer(message: JsonObject, blocks: readonly JsonObject[], writer: SavedWriter): void {
    if (objectOf(message['metadata'])['displayRole'] === 'error') {
      const error = outputText(blocks);
      // This is how an interrupted run is saved.
      const isInterrupted = /\bdisconnected before request was resolved\b/.test(error);
      return writer.turnEnded({ outcome: isInterrupted ? 'interrupted' : 'failed', error });
    }
    let hasCall = false;
    for (const block of blocks) {
      if (block['type'] === 'tool_use') {
        hasCall = true;
        writer.toolStarted(textOf(block['id']), textOf(block['name']) ?? 'tool', inputOf(block['input']));
      } else if (block['type'] === 'thinking') writer.thought(textOf(block['thinking']) ?? '');
      else writer.answer(textOf(block['text']) ?? '');
    }
    const id = textOf(message['id']);
    if (id !== undefined) writer.usage(id, usageOf(objectOf(message['metrics']), tokens));
    if (!hasCall && blocks.length > 0) this.ending = writer.place;
  }
}

function readSession(line: JsonObject, writer: SavedWriter): void {
  writer.in({ id: textOf(line['sessionId']) ?? 'session', parent: textOf(line['parent']) });
  const isSubagent = textOf(line['parent']) !== undefined;
  writer.started({ agent: 'Cline', version: textOf(line['version']), details: isSubagent ? ['subagent'] : [] });
}

function readUserBlock(block: JsonObject, writer: SavedWriter): void {
  if (block['type'] === 'tool_result') return readResult(block, writer);
  const text = textOf(block['text']);
  if (text === undefined) return writer.other(`block of type ${textOf(block['type']) ?? 'unknown'}`, 'prompt');
  const typed = /^<user_input[^>]{0,100}>([\s\S]*?)<\/user_input>/.exec(text)?.[1];
  writer.prompt(typed ?? text);
}

function readResult(block: JsonObject, writer: SavedWriter): void {
  const { content } = block;
  const results = arrayOf(content).slice(0, maxBlocks).map(objectOf);
  const failed = results.find((result) => result['success'] === false);
  const output = results.map((result) => textOf(result['result']) ?? textOf(result['error']) ?? '').join('\n');
  const text = typeof content === 'string' ? content : output;
  const code = /\bCommand (?:exited|failed) with (?:exit )?code (\d{1,10})\b/.exec(text.slice(0, 2000))?.[1];
  writer.toolEnded(textOf(block['tool_use_id']), {
    outcome: failed || block['is_error'] === true ? 'failed' : 'ok',
    exitCode: code === undefined ? undefined : numberOf(Number(code)),
    output: text.replace(/^\[Command exited with code \d+\]\s*/, ''),
  });
}

/** Joins the commands of `run_commands`. */
function inputOf(input: unknown): unknown {
  if (!isObject(input) || !Array.isArray(input['commands'])) return input;
  const commands = arrayOf(input['commands'])
    .slice(0, 20)
    .map((command) => textOf(command) ?? textOf(objectOf(command)['command']) ?? '');
  const { commands: _commands, ...rest } = input;
  return { command: commands.join(' && '), ...rest };
}
