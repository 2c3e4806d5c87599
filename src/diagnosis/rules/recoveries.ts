import { t } from '../../text/translator';
import type { ResponseFact } from '../../work/facts';
import type { Conversation } from '../conversation/conversation';
import { opensSession } from '../../work/methodRole';
import { loggedIn, loginSubjects } from '../failures/loginAdvice';
import type { Findings, Rule } from '../rule';
import { peer } from '../../protocols/terms';

/** The subject of the problem that the agent or the connection ended. */
export const endSubject = 'agent ended';

/** Settles what only a login or a new start can mend. */
export const recoveries: Rule = {
  response({ dir, request, error }: ResponseFact, { protocol }: Conversation): Findings {
    if (dir !== 'a2c' || !request || error) return undefined;
    if (request.role === 'login') return loggedIn();
    if (opensSession(request)) return loggedIn([loginSubjects.requests]);
    if (request.role !== 'greeting') return undefined;
    const runsAgain = {
      code: 'agent-ended',
      level: 'notice',
      what: t('The {0} runs again', peer),
      delivery: { type: 'settled', subject: endSubject },
    } as const;
    // A server over HTTP refuses every request without a login.
    return protocol === 'mcp' ? [runsAgain, ...loggedIn([loginSubjects.requests])] : runsAgain;
  },
};
