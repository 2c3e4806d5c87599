import type { Translator } from '../text/translator';
import { english, translated } from '../text/translator';
import type { Usage } from '../work/activity';
import type { SessionContext } from '../work/usage/usage';
import { cacheHitRatio } from '../work/usage/usage';
import type { UsageCount } from '../work/usage/usageCounts';
import { usageCounts } from '../work/usage/usageCounts';

/** `12.3k in (91 % cached), 1.1k out, $0.12`, and what is counted if that isn't the turn. Empty if nothing is. */
export function usageText(usage: Usage, l10n: Translator = english): string {
  const { inputTokens, outputTokens, totalTokens, costUsd, basis } = usage;
  const cached = cacheHitRatio(usage);
  const counts: string[] = [];
  if (inputTokens !== undefined) {
    counts.push(
      cached === undefined
        ? l10n.t('{0} in', { tokens: inputTokens })
        : l10n.t('{0} in ({1} cached)', { tokens: inputTokens }, percent(cached)),
    );
  }
  if (outputTokens !== undefined) counts.push(l10n.t('{0} out', { tokens: outputTokens }));
  if (counts.length === 0 && totalTokens !== undefined) counts.push(l10n.t('{0} tokens', { tokens: totalTokens }));
  if (costUsd !== undefined && costUsd > 0) counts.push(l10n.t('{0}', { usd: costUsd }));
  if (counts.length === 0) return '';
  const text = counts.join(', ');
  if (basis === 'cumulative') return l10n.t('{0} (session so far)', text);
  if (basis === 'request') return l10n.t('{0} (last model call)', text);
  return basis === 'unknown' ? l10n.t('{0} (as reported)', text) : text;
}

/** `ctx 78 %`: how full the model's context is. `undefined` unless both the context and the window are known. */
export function contextText(context: SessionContext, l10n: Translator = english): string | undefined {
  const share = contextShare(context);
  return share === undefined ? undefined : l10n.t('ctx {0}', percent(share));
}

/** Exact counts by name, the same names in the same order for every usage. */
export function usageRows(
  usage: Usage | undefined,
  l10n: Translator = english,
): readonly (readonly [name: string, value: string | undefined])[] {
  const { inputTokens, outputTokens, totalTokens, cachedTokens, cacheWriteTokens, reasoningTokens } = usage ?? {};
  const cached = usage && cacheHitRatio(usage);
  const label = (name: UsageCount): string => translated(usageCounts[name].label, l10n);
  const isSum = inputTokens !== undefined && outputTokens !== undefined;
  return [
    [label('inputTokens'), exact(inputTokens, l10n)],
    [label('cachedTokens'), withShare(exact(cachedTokens, l10n), cached)],
    [label('cacheWriteTokens'), exact(cacheWriteTokens, l10n)],
    [label('outputTokens'), exact(outputTokens, l10n)],
    [label('reasoningTokens'), exact(reasoningTokens, l10n)],
    [label('totalTokens'), isSum ? undefined : exact(totalTokens, l10n)],
    [label('contextTokens'), usage && contextDetails(usage, l10n)],
    [label('costUsd'), usage?.costUsd === undefined ? undefined : l10n.t('{0}', { usd: usage.costUsd })],
    [l10n.t('Counted'), usage && basisText(usage, l10n)],
  ];
}

/** `Input tokens: 12,300 · Read from cache: 11,193 (91 %) · Output tokens: 1,100`: what is known, exactly. */
export function usageDetails(usage: Usage, l10n: Translator = english): string {
  return usageRows(usage, l10n)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]))
    .join(' · ');
}

/** How full the model's context is, from 0 to 1. */
export function contextShare({ tokens, window = 0 }: SessionContext): number | undefined {
  return tokens === undefined || window <= 0 ? undefined : tokens / window;
}

/** The context that a turn left. */
export function contextIn(usage: Usage | undefined): SessionContext {
  return { tokens: usage?.contextTokens, window: usage?.contextWindow };
}

function contextDetails(usage: Usage, l10n: Translator): string | undefined {
  const tokens = exact(usage.contextTokens, l10n);
  const window = exact(usage.contextWindow, l10n);
  if (tokens === undefined || window === undefined) return tokens;
  return withShare(l10n.t('{0} of {1}', tokens, window), contextShare(contextIn(usage)));
}

function basisText({ basis }: Usage, l10n: Translator): string | undefined {
  if (basis === 'cumulative') return l10n.t('session so far');
  if (basis === 'request') return l10n.t('last model call');
  return basis === 'unknown' ? l10n.t('as reported') : undefined;
}

function withShare(text: string | undefined, share: number | undefined): string | undefined {
  return text === undefined || share === undefined ? text : `${text} (${percent(share)})`;
}

/** Rounded down: 99.6 % isn't everything. */
function percent(share: number): string {
  return `${Math.floor(share * 100)} %`;
}

function exact(count: number | undefined, { locale }: Translator): string | undefined {
  return count?.toLocaleString(locale);
}
