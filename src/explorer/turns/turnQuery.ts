import type { Suggested } from '../../query/completion';
import { counted, times, valuesFrom } from '../../query/completion';
import type { Language, QueryOf, RegexTerm, ValuesOf } from '../../query/language';
import { anyText, oneOf, sessionHelp } from '../../query/language';
import { fileTest, globTest, passesSession } from '../../query/queryTest';
import type { Units } from '../../query/rangeValue';
import { isWithin, rangeIn, timeUnits } from '../../query/rangeValue';
import type { RowTests } from '../../query/rowTest';
import { rowTest } from '../../query/rowTest';
import { timeHelp, timeKeys, timeSynonyms, timeTest } from '../../query/timeValue';
import { sessionLabel } from '../../text/sessionLabel';
import { t } from '../../text/translator';
import { shownLine, shownText } from '../../text/text';
import { changedNames } from '../../timeline/changes';
import type { Span } from '../../timeline/span';
import { endOf, workKinds } from '../../timeline/span';
import { contextIn, contextShare } from '../../timeline/usageText';
import { cacheHitRatio } from '../../work/usage/usage';
import type { RegexRunner } from '../../store/regexRunner';
import { matchingTexts } from '../../store/regexRunner';

const statuses = ['ok', 'error', 'cancelled', 'refused', 'unanswered', 'unknown', 'open'] as const;
export type TurnStatus = (typeof statuses)[number];
/** Most characters of a tool's name. */
const maxTool = 100;
const tokenUnits: Units = { '': 1, k: 1000, m: 1_000_000 };
/** Ranges are of integers, so dollars are compared as millionths. */
const perDollar = 1_000_000;

const keys = {
  /** `*` matches anything. */
  tool: anyText,
  /** The end of a path, or a whole one with `*` for anything. */
  file: anyText,
  status: oneOf(statuses),
  /** In milliseconds. */
  took: rangeIn(timeUnits),
  tokens: rangeIn(tokenUnits),
  /** In US dollars. */
  cost: rangeIn({ '': perDollar }),
  /** In percent: how much of the input was cached, and how full the context is. */
  cache: rangeIn({ '': 1 }),
  ctx: rangeIn({ '': 1 }),
  kind: oneOf(workKinds),
  session: anyText,
  ...timeKeys,
};

/** The language of the Turns tab. */
export const turnLanguage: Language<typeof keys> = {
  keys,
  help: {
    tool: { about: t('calls of a tool; * for anything'), example: 'tool:bash' },
    file: { about: t('calls that changed a file; * for anything'), example: 'file:src/a.ts' },
    status: { about: t('how it ended'), example: 'status:error' },
    took: { about: t('how long it took'), example: 'took:>10s' },
    tokens: { about: t('input and output tokens'), example: 'tokens:>10k' },
    cost: { about: t('cost in US dollars'), example: 'cost:>0.5' },
    cache: { about: t('input read from the cache, in percent'), example: 'cache:<50' },
    ctx: { about: t('how full the context is, in percent'), example: 'ctx:>80' },
    kind: { about: t('a kind of step'), example: 'kind:permission' },
    session: sessionHelp,
    ...timeHelp,
  },
  synonyms: timeSynonyms,
  ranges: new Set(['took', 'tokens', 'cost', 'cache', 'ctx', 'since', 'until']),
};

export type TurnQuery = QueryOf<typeof keys>;
type TurnKey = keyof typeof keys;
type SpanTest = (span: Span) => boolean;

export interface TurnSetting {
  /** The end of what is still open, in milliseconds since the epoch. */
  readonly now: number;
  titleOf(sessionId: string): string | undefined;
  readonly regex: RegexRunner;
}

/**
 * The spans that match.
 * @throws RegexTooSlow
 */
export async function findTurns(
  spans: readonly Span[],
  query: TurnQuery,
  setting: TurnSetting,
): Promise<ReadonlySet<Span>> {
  const test = await rowTest(query, turnLanguage, new TurnTests(spans, setting));
  return new Set(spans.filter(test));
}

/** Suggests values for a key, with the number of spans that have each. */
export function suggestTurns(
  spans: readonly Span[],
  key: TurnKey,
  titleOf: TurnSetting['titleOf'],
): readonly Suggested[] {
  switch (key) {
    case 'tool':
      return counted(spans.flatMap((span) => toolOf(span) ?? []));
    case 'file':
      return counted(changedNames(spans));
    case 'session':
      return counted(
        spans.map(({ sessionId }) => (sessionId === undefined ? 'none' : sessionLabel(sessionId, titleOf(sessionId)))),
      );
    case 'status':
      return counted(spans.map(statusOf), statuses);
    case 'kind':
      return counted(
        spans.map(({ kind }) => kind),
        workKinds,
      );
    case 'took':
      return valuesFrom(['>1s', '>10s', '>1m']);
    case 'tokens':
      return valuesFrom(['>1k', '>10k', '>100k']);
    case 'cost':
      return valuesFrom(['>0.1', '>1', '>10']);
    case 'cache':
      return valuesFrom(['<50', '<80', '>=80']);
    case 'ctx':
      return valuesFrom(['>50', '>80', '>95']);
    case 'since':
    case 'until':
      return times;
  }
}

export function statusOf({ endedAt, outcome = 'ok' }: Span): TurnStatus {
  return endedAt === undefined ? 'open' : outcome;
}

/** The tool of a call, or what it does if the agent has no name for it; ready to be shown. */
export function toolOf({ kind, toolName, title }: Span): string | undefined {
  return kind === 'tool' ? shownText(shownLine(toolName ?? title, maxTool)) : undefined;
}

class TurnTests implements RowTests<typeof keys, Span> {
  constructor(
    private readonly spans: readonly Span[],
    private readonly setting: TurnSetting,
  ) {}

  valuesTest(term: ValuesOf<typeof keys>): SpanTest {
    const { setting } = this;
    const { now } = setting;
    switch (term.key) {
      case 'tool': {
        const globs = term.values.map(globTest);
        return (span) => {
          const tool = toolOf(span);
          return tool !== undefined && globs.some((glob) => glob(tool));
        };
      }
      case 'file': {
        const test = fileTest(term.values);
        return ({ changes }) => changes?.some(({ path }) => test(path)) === true;
      }
      case 'session':
        return ({ sessionId: id }) =>
          passesSession(id === undefined ? id : { id, title: setting.titleOf(id) }, term.values);
      case 'status':
        return (span) => term.values.includes(statusOf(span));
      case 'kind':
        return ({ kind }) => term.values.includes(kind);
      case 'took':
        return (span) => isWithin(endOf(span, now) - span.startedAt, term.values);
      case 'tokens':
        return (span) => isWithin(tokensOf(span), term.values);
      case 'cost':
        return ({ usage }) => isWithin(Math.round((usage?.costUsd ?? -1) * perDollar), term.values);
      case 'cache':
        return ({ usage }) => isWithin(percentOf(usage && cacheHitRatio(usage)), term.values);
      case 'ctx':
        return ({ usage }) => isWithin(percentOf(contextShare(contextIn(usage))), term.values);
      case 'since':
      case 'until': {
        const test = timeTest(term, now);
        return (span) => test(span.startedAt, endOf(span, now));
      }
    }
  }

  textsTest(passes: (text: string) => boolean): SpanTest {
    return (span) => textsOf(span).some(passes);
  }

  texts(): readonly string[] {
    return this.spans.flatMap(textsOf);
  }

  matching(term: RegexTerm, texts: readonly string[]): Promise<ReadonlySet<string>> {
    return matchingTexts(this.setting.regex, term, texts);
  }
}

function textsOf({ title, toolName = '', detail = '' }: Span): readonly string[] {
  return [title, toolName, detail];
}

/** As shown; -1 if unknown. */
function percentOf(share = -1): number {
  return Math.max(-1, Math.floor(share * 100));
}

/** -1 if no number is reported. */
export function tokensOf({ usage }: Span): number {
  const { inputTokens, outputTokens, totalTokens } = usage ?? {};
  const isReported = inputTokens !== undefined || outputTokens !== undefined;
  return totalTokens ?? (isReported ? (inputTokens ?? 0) + (outputTokens ?? 0) : -1);
}
