import type { SavedDetails, SavedOutcome } from '../../../agents/savedDetails';
import type { Language, QueryHint, TermOf } from '../../../query/language';
import { anyText, oneOf, parse } from '../../../query/language';
import { globTest, termGroups } from '../../../query/queryTest';
import { TextTest } from '../../../query/textTest';
import { t } from '../../../text/translator';

/** How a session's newest turn ended, or that it is running, in the words of filters and listings, in the order of suggestions. */
export const outcomeWords = {
  ok: 'completed',
  error: 'failed',
  cancelled: 'interrupted',
  open: 'open',
  running: 'running',
} as const satisfies Readonly<Record<SavedOutcome | 'running', string>>;

export const sessionOutcomes = Object.values(outcomeWords);

const keys = { agent: anyText, folder: anyText, model: anyText, outcome: oneOf(sessionOutcomes) };

/** The keys that select sessions: part of a name or, with `*`, a whole one. Words are part of the title. */
export const sessionLanguage: Language<typeof keys> = {
  keys,
  help: {
    agent: { about: t('an agent by its name'), example: 'agent:codex' },
    folder: { about: t('a folder by its name'), example: 'folder:bookshop' },
    model: { about: t('the model that the session used last'), example: 'model:opus' },
    outcome: { about: t('how the last turn ended, or running'), example: 'outcome:failed' },
  },
};

export type SessionKey = keyof typeof keys;
type FilterTerm = TermOf<typeof keys>;
type SessionTerm = Extract<FilterTerm, { readonly key: SessionKey }>;

/** What a filter can ask of a session; what is unknown is `undefined`. */
export interface SessionFacts {
  readonly agent: string;
  readonly folder?: string | undefined;
  readonly model?: string | undefined;
  readonly outcome?: (typeof sessionOutcomes)[number] | undefined;
}

/** What is known about a saved session. @param agent its agent's name */
export function savedFacts(
  { folder, model, outcome = 'open', running }: SavedDetails & { readonly running?: unknown },
  agent: string,
): SessionFacts {
  return { agent, folder, model, outcome: outcomeWords[running === undefined ? outcome : 'running'] };
}

export interface SessionTest {
  /** Whether it is about the agents only. */
  readonly isOfAgents: boolean;
  readonly fits: (session: SessionFacts) => boolean;
  /** False only if no session of this agent can fit. */
  readonly fitsAgent: (agent: string) => boolean;
}

/** A filter for lists of sessions. */
export interface SessionFilter extends SessionTest {
  readonly text: string;
  readonly hints: readonly QueryHint[];
  readonly fits: (session: SessionFacts & { readonly title?: string | undefined }) => boolean;
}

/** `undefined` if it selects nothing, such as an empty text. */
export function parseSessionFilter(text: string): SessionFilter | undefined {
  const { terms, hints } = parse(text, sessionLanguage);
  if (terms.length === 0) return undefined;
  const ofSessions = terms.filter(isSessionTerm);
  const ofTitles = terms.flatMap((term) => {
    if (isSessionTerm(term)) return [];
    const part = new TextTest(term.key === 'regex' ? term.source : term.text);
    return [(title: string): boolean => part.isIn(title) !== term.negated];
  });
  const { fits, fitsAgent, isOfAgents } = sessionTest(ofSessions);
  return {
    text: text.trim(),
    hints,
    isOfAgents: isOfAgents && ofTitles.length === 0,
    fits: (session) => fits(session) && ofTitles.every((test) => test(session.title ?? '')),
    fitsAgent,
  };
}

export function isSessionTerm<T extends { readonly key: string }>(term: T): term is Extract<T, { key: SessionKey }> {
  return Object.hasOwn(keys, term.key);
}

export function sessionTest(terms: readonly SessionTerm[]): SessionTest {
  const groups = termGroups(terms).map(({ terms: same, negated }) => {
    const tests = same.flatMap(({ values }) => values.map(nameTest));
    const key = same[0]?.key ?? 'agent';
    // `agent:vscode` means VS Code Chat.
    const namesOf = (name: string): readonly string[] => (key === 'agent' ? [name, name.replaceAll(' ', '')] : [name]);
    return { key, fits: (name: string) => namesOf(name).some((one) => tests.some((test) => test(one))) !== negated };
  });
  return {
    isOfAgents: groups.every(({ key }) => key === 'agent'),
    fits: (session) => groups.every(({ key, fits }) => fits(session[key] ?? '')),
    fitsAgent: (agent) => groups.every(({ key, fits }) => key !== 'agent' || fits(agent)),
  };
}

function nameTest(value: string): (name: string) => boolean {
  if (value.includes('*')) return globTest(value);
  const part = new TextTest(value);
  return (name) => part.isIn(name);
}
