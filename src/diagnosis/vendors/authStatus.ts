import { oneLine } from '../../log/text';
import { objectOf, textOf } from '../../protocols/json';
import type { Conversation } from '../conversation/conversation';
import { loginAdvice, loginKey } from '../failures/loginAdvice';
import type { Report, Rule } from '../rule';
import type { Seen } from '../seen';

/** `auth/status_update` (ACP 1, unstable) and the form that claude-agent-acp and codex-acp send it in. */
const methods = new Set(['auth/status_update', '_auth/status_update']);

/** Agents that say of themselves that nobody is logged in. It is a notice: some can work all the same, and what fails for it is told of then. */
export class AuthStatus implements Rule {
  looksAt(method: string): boolean {
    return methods.has(method);
  }

  see(seen: Seen, conversation: Conversation, report: Report): void {
    if (seen.type !== 'notification' || seen.dir !== 'a2c' || !methods.has(seen.method)) return;
    const status = objectOf(seen.params['authStatus'] ?? seen.params['status']);
    if (status['kind'] !== 'none' && status['kind'] !== 'unauthenticated' && status['kind'] !== 'expired') return;
    const label = textOf(status['label']) ?? textOf(status['detail']) ?? 'nobody is logged in';
    report({
      code: 'authentication-required',
      level: 'notice',
      what: `The agent says: "${oneLine(label, 200)}"`,
      advice: loginAdvice(conversation),
      key: loginKey,
      sessionId: seen.sessionId,
      at: seen.event.t,
      raw: seen.event.line,
    });
  }
}
