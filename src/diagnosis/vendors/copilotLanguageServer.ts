import { arrayOf, objectOf, textOf } from '../../protocols/json';
import { loginAdvice, loginKey } from '../failures/loginAdvice';
import type { Rule } from '../rule';

/** copilot-language-server (seen in 1.539.0) says with `didChangeStatus` and `didChangeStatus/v2` that nobody is signed in. */
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
      what: `The server says: "${(textOf(auth['message']) ?? 'Not signed in').slice(0, 200)}"`.replace(/\."$/, '"'),
      advice: loginAdvice(conversation),
      key: loginKey,
    };
  },
};
