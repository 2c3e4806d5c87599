import { boundedJson } from '../../log/boundedJson';
import { oneLine } from '../../log/text';
import type { JsonObject } from '../../protocols/json';
import { objectOf, textOf } from '../../protocols/json';
import type { Conversation } from '../conversation';
import type { StreamFinding } from '../stream/streamRule';
import { failedTurn, StreamRule } from '../stream/streamRule';
import { tellsOfRejection } from '../tools';

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
      yield failedTurn(`the turn failed: "${oneLine(words, 300)}"`, words, conversation);
    }
    const part = objectOf(msg['part']);
    if (msg['type'] !== 'tool_use' || part['type'] !== 'tool') return;
    const state = objectOf(part['state']);
    const exit = objectOf(state['metadata'])['exit'];
    const isExit = typeof exit === 'number' && exit !== 0;
    if (state['status'] !== 'error' && !isExit) return;
    const name = oneLine(textOf(objectOf(state['input'])['command']) ?? textOf(part['tool']) ?? 'a tool', 160);
    const said = oneLine(textOf(state['error']) ?? textOf(state['output']) ?? '', 200);
    const how = isExit ? `ended with exit ${exit}` : 'failed';
    const level = tellsOfRejection(said) ? 'notice' : 'warning';
    yield { code: 'tool-failed', level, what: `\`${name}\` ${how}${said === '' ? '' : `: ${said}`}`, key: name };
  }
}
