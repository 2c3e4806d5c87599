import { oneLine } from '../../log/text';
import type { JsonObject } from '../../protocols/json';
import { objectOf, textOf } from '../../protocols/json';
import type { Conversation } from '../conversation';
import { causeOf, classOfText } from '../failureClass';
import type { StreamFinding } from '../stream/streamRule';
import { failedTurn, StreamRule } from '../stream/streamRule';
import { toolFinding } from '../toolEnd';
import { commandOf } from '../tools';
import { tellsOfFallback, tellsOfRetry } from '../troubleText';

/** `codex exec --json`: items that failed, retries as `error` lines, `turn.failed`. */
export class CodexStream extends StreamRule {
  protected override *judge(msg: JsonObject, conversation: Conversation): Generator<StreamFinding> {
    const words = textOf(msg['message']) ?? textOf(objectOf(msg['error'])['message']) ?? '';
    switch (msg['type']) {
      case 'turn.failed':
        yield failedTurn(words, conversation);
        return;
      case 'error':
        // In a turn, its end tells what became of it.
        if (tellsOfRetry(words) && conversation.turns.values().length === 0) yield retrying(words);
        return;
      case 'item.completed':
        yield* judgeItem(objectOf(msg['item']));
        return;
      default:
    }
  }
}

function retrying(words: string): StreamFinding {
  const failure = classOfText(words);
  const code = failure === 'rate-limit' ? 'rate-limited' : 'retrying';
  return { code, level: 'notice', what: `Retrying: ${oneLine(words, 240)}`, cause: causeOf(failure) };
}

function* judgeItem(item: JsonObject): Generator<StreamFinding> {
  const { type, status, exit_code: exit } = item;
  if (type === 'error') {
    const words = textOf(item['message']) ?? '';
    if (tellsOfFallback(words)) {
      yield { code: 'model-fallback', level: 'notice', what: oneLine(words, 400), key: words };
    }
    return;
  }
  const found = toolFinding({
    title: commandOf(item) ?? textOf(item['tool']) ?? textOf(type) ?? 'a tool',
    isCommand: item['command'] !== undefined,
    hasFailed: status === 'failed' && (typeof exit !== 'number' || exit !== 0),
    isCompleted: status === 'completed',
    exitCode: typeof exit === 'number' ? exit : undefined,
    error: textOf(objectOf(item['error'])['message']),
    output: textOf(item['aggregated_output']) ?? '',
  });
  if (found) yield found;
}
