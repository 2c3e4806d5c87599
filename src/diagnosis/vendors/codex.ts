import { objectOf } from '../../protocols/json';
import type { Conversation } from '../conversation';
import type { Rule } from '../rule';
import type { Seen } from '../seen';
import { addTrouble } from '../turn';

/**
 * codex-acp (seen in 2.6.0): `_meta.codex.threadStatus` says `systemError` when a turn has failed that will end in `end_turn`. Its retries,
 * `_meta.codex.error`, have the general form.
 */
export class Codex implements Rule {
  looksAt(method: string): boolean {
    return method === 'session/update';
  }

  see(seen: Seen, conversation: Conversation): void {
    if (seen.type !== 'notification' || seen.dir !== 'a2c' || seen.method !== 'session/update') return;
    const codex = objectOf(objectOf(objectOf(seen.params['update'])['_meta'])['codex']);
    if (objectOf(codex['threadStatus'])['type'] !== 'systemError') return;
    const turn = conversation.turns.get(seen.sessionId ?? '');
    if (!turn || turn.trouble?.isEnd) return;
    const message = turn.trouble?.message ?? 'the agent reports a system error';
    addTrouble(turn, { message, isFinal: true, isEnd: true });
  }
}
