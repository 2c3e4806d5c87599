import { boundedJson } from '../../log/boundedJson';
import type { JsonObject } from '../../protocols/json';
import { objectOf, textOf } from '../../protocols/json';
import type { Conversation } from '../conversation';
import type { StreamFinding } from '../stream/streamRule';
import { failedTurn, StreamRule } from '../stream/streamRule';
import { toolFinding } from '../toolEnd';
import { commandOf, exitCodeIn } from '../tools';

/** `opencode run --format json`: tools with their state, and an `error` line when it gives up. */
export class OpencodeStream extends StreamRule {
  protected override *judge(msg: JsonObject, conversation: Conversation): Generator<StreamFinding> {
    const error = objectOf(msg['error']);
    // `MessageAbortedError` is what becomes of a turn that the person has interrupted.
    if (msg['type'] === 'error' && msg['sessionID'] !== undefined && error['name'] !== 'MessageAbortedError') {
      const words =
        textOf(objectOf(error['data'])['message']) ??
        textOf(error['message']) ??
        boundedJson(msg['error'] ?? null, 300);
      yield failedTurn(words, conversation);
    }
    const part = objectOf(msg['part']);
    if (msg['type'] !== 'tool_use' || part['type'] !== 'tool') return;
    const state = objectOf(part['state']);
    if (state['status'] !== 'error' && state['status'] !== 'completed') return;
    const found = toolFinding({
      title: commandOf(state['input']) ?? textOf(part['tool']) ?? 'a tool',
      isCommand: commandOf(state['input']) !== undefined,
      hasFailed: state['status'] === 'error',
      isCompleted: state['status'] === 'completed',
      exitCode: exitCodeIn(state['metadata']),
      error: textOf(state['error']),
      output: textOf(state['output']) ?? '',
    });
    if (found) yield found;
  }
}
