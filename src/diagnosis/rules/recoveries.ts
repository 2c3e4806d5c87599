import { t } from '../../text/translator';
import type { ResponseFact } from '../../work/facts';
import type { Conversation } from '../conversation/conversation';
import { opensSession } from '../conversation/conversation';
import { loggedIn, loginMethods, loginSubjects } from '../failures/loginAdvice';
import type { Findings, Rule } from '../rule';

/** The subject of the problem that the agent or the connection ended. */
export const endSubject = 'agent ended';

/** Settles what only a login or a new start can mend. */
export const recoveries: Rule = {
  response({ dir, request, error }: ResponseFact, { protocol }: Conversation): Findings {
    if (dir !== 'a2c' || !request || error) return undefined;
    const { method } = request;
    if (loginMethods.has(method)) return loggedIn();
    if (opensSession(method)) return loggedIn([loginSubjects.requests]);
    if (method !== 'initialize') return undefined;
    const runsAgain = {
      code: 'agent-ended',
      level: 'notice',
      what: t('The agent runs again'),
      delivery: { type: 'settled', subject: endSubject },
    } as const;
    // A server over HTTP refuses every request without a login.
    return protocol === 'mcp' ? [runsAgain, ...loggedIn([loginSubjects.requests])] : runsAgain;
  },
};
