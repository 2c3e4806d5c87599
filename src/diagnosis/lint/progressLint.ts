import { BoundedMap } from '../../text/boundedMap';
import { objectOf } from '../../text/json';
import { t } from '../../text/translator';
import type { NotificationFact, RequestFact, ResponseFact } from '../../work/facts';
import type { RequestId } from '../../text/json';
import type { Findings, Found, Rule } from '../rule';

const maxTokens = 1000;
const progress = 'notifications/progress';

/** Progress that the client didn't ask for, or that comes after the answer: official clients report an error for each (MCP "Progress"). */
export class ProgressLint implements Rule {
  readonly methods = new Set([progress]);
  /** Whether the request that gave a token was answered, by token. */
  private readonly tokens = new BoundedMap<string, { readonly id: RequestId; isAnswered: boolean }>(maxTokens);

  request({ dir, params, request }: RequestFact): undefined {
    const token = tokenOf(objectOf(params['_meta']));
    if (dir === 'c2a' && token !== undefined) this.tokens.set(token, { id: request.id, isAnswered: false });
  }

  response({ dir, request, result }: ResponseFact): undefined {
    // A task goes on after the answer.
    if (dir !== 'a2c' || !request || objectOf(result)['task'] !== undefined) return;
    const given = this.tokens.values().find(({ id }) => id === request.id);
    if (given) given.isAnswered = true;
  }

  notification({ dir, method, params }: NotificationFact): Findings {
    const token = tokenOf(params);
    if (dir !== 'a2c' || method !== progress || token === undefined) return undefined;
    const given = this.tokens.get(token);
    if (!given) return breach('unknown', token);
    return given.isAnswered ? breach('late', token) : undefined;
  }
}

function breach(kind: 'unknown' | 'late', token: string): Found {
  return {
    code: 'protocol-violation',
    level: 'notice',
    what:
      kind === 'late'
        ? t('Progress for the token {0} after the answer to its request', token)
        : t('Progress for the token {0}, which no request of the client has', token),
    advice: t('Send progress only for a `progressToken` that a request has, and only until it is answered.'),
    key: `progress ${kind}`,
    delivery: { type: 'habit' },
  };
}

/** As text, with its type. */
function tokenOf({ progressToken: token }: { readonly progressToken?: unknown }): string | undefined {
  if (typeof token === 'number') return String(token);
  return typeof token === 'string' ? JSON.stringify(token.slice(0, 60)) : undefined;
}
