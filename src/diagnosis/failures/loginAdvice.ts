import { oneLine } from '../../text/text';
import type { Words } from '../../text/translator';
import { t } from '../../text/translator';
import { arrayOf, objectOf, textOf } from '../../text/json';
import { loginRequired } from '../../work/errorCodes';
import { standing } from '../diagnosis';
import type { Found } from '../rule';
import type { Conversation } from '../conversation/conversation';
import { wordsIn } from './errorClass';
import { peer } from '../../protocols/terms';

/** Groups all failures that a login would fix. */
export const loginKey = 'login';

/** What showed that a login is missing, as the subject of the problem: what settles one may say nothing about another. */
export const loginSubjects = {
  requests: 'login for requests',
  turns: 'login for turns',
  status: 'login status',
} as const;

type LoginSubject = (typeof loginSubjects)[keyof typeof loginSubjects];

/** How long a user takes to log in when asked, in milliseconds. */
const patience = 15_000;

/**
 * If the agent asks for a login, clients offer one, and it is no problem.
 * @param code of the error
 */
export function missingLogin(
  subject: LoginSubject,
  { protocol }: Conversation,
  code: number | undefined,
): Pick<Found, 'key' | 'delivery'> {
  const isAsked = protocol === 'acp' && code === loginRequired;
  return { key: loginKey, delivery: { ...standing(subject, isAsked ? patience : undefined), isOnce: true } };
}

/** Says that a missing login is no longer a problem. */
export function loggedIn(subjects: readonly LoginSubject[] = Object.values(loginSubjects)): readonly Found[] {
  return subjects.map((subject) => ({
    code: 'authentication-required',
    level: 'notice',
    what: t('Logged in'),
    delivery: { type: 'settled', subject },
  }));
}

const maxMethods = 10;
const login = String.raw`(?:auth |account )?(?:log-?in|sign-?in|setup-token|auth|authenticate|configure sso|sso login)`;
/** A login command, in quotes or after `run`. */
const quoted = new RegExp(
  String.raw`[\x60'"“]((?:[\w.@/-]+ ){0,4}${login}(?: [\w./=-]+){0,3}|\/log-?in|\/auth)[\x60'"”]`,
  'i',
);
const run = new RegExp(
  String.raw`\b(?:run|use|execute|type|with|via)\s*:?\s+((?:(?!(?:to|your|the|an?|and|or) )[a-z][\w.@-]* ){1,3}${login}\b(?: --?[\w=-]+)*|\/log-?in|\/auth)`,
  'i',
);
const variable = /\b([A-Z][A-Z\d]*(?:_[A-Z\d]+)*_(?:API_KEY|KEY|TOKEN|AUTH_TOKEN|CREDENTIALS|PAT|SECRET))\b/;
const saysHow = /\b(?:please|run|log ?in|sign ?in|set)\b/i;

/**
 * How to log in, from the agent's message or its login methods.
 * @param words the agent's message
 * @param data the error's data, which may also list login methods
 */
export function loginAdvice(conversation: Conversation, words = '', data?: unknown): Words {
  if (conversation.protocol === 'lsp') {
    return t('Sign in with the editor that this server belongs to, then restart it.');
  }
  if (conversation.isRemote) {
    return t('Run **Agent Logs: Log In…**, or set its credentials in `headers` in agentLogs.agents.');
  }
  const own = howIn(words) ?? howIn(wordsIn({ ...objectOf(data), authMethods: undefined }).join(' '));
  if (own !== undefined) return own;
  const methods = methodsOf(conversation, data);
  for (const method of methods) {
    const text = [method['description'], method['name'], ...varsOf(method)]
      .flatMap((part) => textOf(part) ?? [])
      .join(' ');
    const how = howIn(text);
    if (how !== undefined) return how;
  }
  const names = methods.flatMap(({ name, id, methodId }) => textOf(name) ?? textOf(id) ?? textOf(methodId) ?? []);
  if (names.length > 0) {
    return t('Ways to log in, according to the {1}: {0}.', names.map((name) => oneLine(name, 60)).join(', '), peer);
  }
  if (saysHow.test(words)) return t('Log in as the {0} says above, then restart it.', peer);
  return t("Log in with the {0}'s own command or set its API key, then restart it.", peer);
}

/** The command or variable in a text. */
function howIn(text: string): Words | undefined {
  const head = text.slice(0, 2000);
  const command = quoted.exec(head)?.[1] ?? run.exec(head)?.[1];
  if (command !== undefined) return t('Log in: the {1} says to run `{0}`.', command.trim(), peer);
  const name = variable.exec(head)?.[1];
  return name === undefined ? undefined : t('Log in: the {1} says to set `{0}`.', name, peer);
}

function methodsOf({ initializeResult }: Conversation, data: unknown): ReturnType<typeof objectOf>[] {
  const own = arrayOf(objectOf(data)['authMethods']);
  const methods = own.length > 0 ? own : arrayOf(initializeResult?.['authMethods']);
  return methods.slice(0, maxMethods).map(objectOf);
}

/** The environment variables of a login method (ACP "Authentication", `env_var`). */
function varsOf({ vars, varName }: ReturnType<typeof objectOf>): unknown[] {
  return [varName, ...arrayOf(vars).map((one) => objectOf(one)['name'] ?? one)];
}
