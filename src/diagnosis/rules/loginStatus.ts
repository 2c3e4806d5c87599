import { t } from '../../log/translator';
import { oneLine } from '../../log/text';
import { arrayOf, objectOf, textOf } from '../../protocols/json';
import { loginAdvice, loginKey } from '../failures/loginAdvice';
import type { Rule } from '../rule';

/** Agents that report that they aren't logged in. Only a notice: some work anyway, and failures are reported when they occur. */
export const authStatus: Rule = {
  // ACP 1 (unstable), and its form in claude-agent-acp and codex-acp.
  methods: new Set(['auth/status_update', '_auth/status_update']),

  notification({ dir, params, sessionId }, conversation) {
    if (dir !== 'a2c') return undefined;
    const status = objectOf(params['authStatus'] ?? params['status']);
    if (status['kind'] !== 'none' && status['kind'] !== 'unauthenticated' && status['kind'] !== 'expired') {
      return undefined;
    }
    const label = textOf(status['label']) ?? textOf(status['detail']);
    return {
      code: 'authentication-required',
      level: 'notice',
      what: label === undefined ? t('Not logged in') : t('The agent says: "{0}"', oneLine(label, 200)),
      advice: loginAdvice(conversation),
      key: loginKey,
      sessionId,
    };
  },
};

/** copilot-language-server (seen in 1.539.0) uses `didChangeStatus/v2` to report that it isn't signed in. */
export const copilotLanguageServer: Rule = {
  methods: new Set(['didChangeStatus/v2']),

  notification({ dir, params }, conversation) {
    if (dir !== 'a2c') return undefined;
    const auth = arrayOf(params['statuses'])
      .slice(0, 20)
      .map(objectOf)
      .find(({ category, kind }) => category === 'auth' && kind === 'Error');
    if (!auth) return undefined;
    return {
      code: 'authentication-required',
      level: 'warning',
      what: t('The server says: "{0}"', (textOf(auth['message']) ?? 'Not signed in').slice(0, 200).replace(/\.$/, '')),
      advice: loginAdvice(conversation),
      key: loginKey,
    };
  },
};
