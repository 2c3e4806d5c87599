import { oneLine } from '../../log/text';
import { objectOf, textOf } from '../../protocols/json';
import { loginAdvice, loginKey } from '../failures/loginAdvice';
import type { Rule } from '../rule';

/** Agents that say of themselves that nobody is logged in. It is a notice: some can work all the same, and what fails for it is told of then. */
export const authStatus: Rule = {
  // ACP 1, unstable, and the form that claude-agent-acp and codex-acp send it in.
  methods: new Set(['auth/status_update', '_auth/status_update']),

  notification({ dir, params, sessionId }, conversation) {
    if (dir !== 'a2c') return undefined;
    const status = objectOf(params['authStatus'] ?? params['status']);
    if (status['kind'] !== 'none' && status['kind'] !== 'unauthenticated' && status['kind'] !== 'expired') {
      return undefined;
    }
    const label = textOf(status['label']) ?? textOf(status['detail']) ?? 'nobody is logged in';
    return {
      code: 'authentication-required',
      level: 'notice',
      what: `The agent says: "${oneLine(label, 200)}"`,
      advice: loginAdvice(conversation),
      key: loginKey,
      sessionId,
    };
  },
};
