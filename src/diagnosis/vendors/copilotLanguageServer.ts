import { arrayOf, objectOf, textOf } from '../../protocols/json';
import type { Conversation } from '../conversation/conversation';
import { loginAdvice, loginKey } from '../failures/loginAdvice';
import type { Report, Rule } from '../rule';
import type { Seen } from '../seen';

/** copilot-language-server (seen in 1.539.0) says with `didChangeStatus` and `didChangeStatus/v2` that nobody is signed in. */
export class CopilotLanguageServer implements Rule {
  see(seen: Seen, conversation: Conversation, report: Report): void {
    if (seen.type !== 'notification' || seen.dir !== 'a2c' || seen.method !== 'didChangeStatus/v2') return;
    const auth = arrayOf(seen.params['statuses'])
      .slice(0, 20)
      .map(objectOf)
      .find(({ category, kind }) => category === 'auth' && kind === 'Error');
    if (!auth) return;
    report({
      code: 'authentication-required',
      level: 'warning',
      what: `The server says: "${(textOf(auth['message']) ?? 'Not signed in').slice(0, 200)}"`.replace(/\."$/, '"'),
      advice: loginAdvice(conversation),
      key: loginKey,
      at: seen.event.t,
      raw: seen.event.line,
    });
  }
}
