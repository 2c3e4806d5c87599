import { oneLine } from '../../log/text';
import type { JsonObject } from '../../protocols/json';
import { arrayOf, objectOf, textOf } from '../../protocols/json';
import { BoundedMap } from '../../protocols/boundedMap';
import type { Conversation } from '../conversation';
import type { ToolEnd } from '../toolEnd';
import { toolFinding } from '../toolEnd';
import { commandOf, contentTextOf, exitCodeIn } from '../tools';
import type { StreamFinding } from './streamRule';
import { failedTurn, StreamRule } from './streamRule';

const maxTools = 500;
const maxWords = 2000;
/** Limits whose names are no words. */
const limits: ReadonlyMap<string, string> = new Map([
  ['budget_usd', 'budget in US dollars used up'],
  ['structured_output_retries', 'limit of retries for structured output reached'],
]);

/**
 * Streams that end in a `result` line: Claude Code's (`is_error`, `subtype`), Qwen Code's after it, and Gemini's (`status`). `success` is no
 * proof: a turn that failed for want of a login says so too.
 */
export class ResultLines extends StreamRule {
  /** What tools were called with, by the call's id. */
  private readonly tools = new BoundedMap<string, Pick<ToolEnd, 'title' | 'isCommand'>>(maxTools);
  /** What an `error` line of this turn has said (Gemini); its `result` may not say it again. */
  private told: string | undefined;

  protected override *judge(msg: JsonObject, conversation: Conversation): Generator<StreamFinding> {
    switch (msg['type']) {
      case 'result':
        // Where the agent ends after a turn that was interrupted, as it does without more input, that is why.
        if (conversation.wasInterrupted) conversation.hasToldFailure = true;
        else yield* judgeResult(msg, this.told, conversation);
        this.told = undefined;
        return;
      case 'init':
        this.told = undefined;
        return;
      case 'error':
        if (textOf(msg['severity']) !== undefined) this.told = textOf(msg['message'])?.slice(0, maxWords);
        return;
      case 'tool_use':
        this.note(msg['tool_id'], msg['tool_name'], msg['parameters']);
        return;
      case 'tool_result':
        yield* this.toolEnded(msg['tool_id'], msg['status'] === 'error', {
          error: textOf(objectOf(msg['error'])['message']),
          exitCode: exitCodeIn(msg),
          output: contentTextOf(msg['output']) ?? '',
        });
        return;
      case 'assistant':
      case 'user':
        for (const found of this.judgeBlocks(objectOf(msg['message'])['content'])) {
          yield conversation.isInterrupted ? { ...found, level: 'notice' } : found;
        }
        return;
      default:
    }
  }

  private *judgeBlocks(content: unknown): Generator<StreamFinding> {
    for (const block of arrayOf(content).slice(0, 200).map(objectOf)) {
      if (block['type'] === 'tool_use') this.note(block['id'], block['name'], block['input']);
      if (block['type'] !== 'tool_result') continue;
      const output = linesOf(block['content']);
      yield* this.toolEnded(block['tool_use_id'], block['is_error'] === true, { exitCode: undefined, output });
    }
  }

  private note(id: unknown, name: unknown, input: unknown): void {
    const key = textOf(id)?.slice(0, 200);
    if (key === undefined) return;
    const command = commandOf(input);
    this.tools.set(key, {
      title: (command ?? textOf(name) ?? 'a tool').slice(0, 1000),
      isCommand: command !== undefined,
    });
  }

  private *toolEnded(
    id: unknown,
    hasFailed: boolean,
    how: Pick<ToolEnd, 'error' | 'exitCode' | 'output'>,
  ): Generator<StreamFinding> {
    const tool = this.tools.get(textOf(id)?.slice(0, 200) ?? '') ?? { title: 'a tool', isCommand: false };
    const found = toolFinding({ ...tool, hasFailed, isCompleted: !hasFailed, ...how });
    if (found) yield found;
  }
}

/** The text of a result with its line breaks, which tell where an exit code stands. */
function linesOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return arrayOf(content)
    .slice(0, 20)
    .flatMap((block) => textOf(objectOf(block)['text']) ?? [])
    .join('\n');
}

/** @param told what was said to have gone wrong before */
function* judgeResult(msg: JsonObject, told: string | undefined, conversation: Conversation): Generator<StreamFinding> {
  const { subtype, status } = msg;
  const limit = typeof subtype === 'string' && /^error_max_(\w+)$/.exec(subtype)?.[1];
  if (typeof limit === 'string') {
    const why = limits.get(limit) ?? `limit of ${limit.replaceAll('_', ' ').slice(0, 60)} reached`;
    yield { code: 'turn-cut-short', level: 'warning', what: `Turn cut short: ${why}`, cause: 'cut short' };
    return;
  }
  const hasFailed =
    msg['is_error'] === true || status === 'error' || (typeof subtype === 'string' && subtype.startsWith('error'));
  if (!hasFailed) {
    if (told === undefined) return;
    const what = `Turn cut short: ${oneLine(told, 240).replace(/\.$/, '')}. (The agent reported \`success\`.)`;
    yield { code: 'turn-cut-short', level: 'warning', what, cause: 'cut short' };
    return;
  }
  const error = objectOf(msg['error']);
  const first: unknown = arrayOf(msg['errors'])[0];
  const words =
    textOf(msg['result']) ??
    textOf(error['message']) ??
    textOf(msg['error']) ??
    textOf(first) ??
    told ??
    textOf(subtype) ??
    textOf(status) ??
    'no reason given';
  yield failedTurn(words, conversation, subtype === 'success' ? subtype : undefined);
}
