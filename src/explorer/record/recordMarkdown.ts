import { levels } from '../../text/level';
import { markdownBlock, markdownText } from '../../text/markdown';
import type { Translator } from '../../text/translator';
import type { RecordDetails } from '../page/messages';
import type { EvidenceLink } from './evidenceLink';

/**
 * A record, or a problem as an explanation, as a readable Markdown document.
 * @param data its data as JSON
 * @param raw the line of the wire
 */
export function recordMarkdown(
  details: RecordDetails,
  data: string | undefined,
  raw: string | undefined,
  l10n: Translator,
): string {
  const { problem, level, kind } = details;
  const levelName = levels[level] ?? '';
  const head = problem ? problemParts(details, l10n) : [`# ${levelName} · ${kind}`, markdownBlock(details.message)];
  return [
    ...head,
    fields(details, l10n),
    ...(data === undefined || problem ? [] : [`## ${l10n.t('Data')}`, markdownBlock(data, 'json')]),
    ...(raw === undefined ? [] : [`## ${l10n.t('Raw line')}`, markdownBlock(raw, raw.startsWith('{') ? 'json' : '')]),
    '',
  ].join('\n\n');
}

function problemParts({ problem }: RecordDetails, l10n: Translator): readonly string[] {
  if (!problem) return [];
  const links = (title: string, records: readonly EvidenceLink[]): readonly string[] => {
    const lines = records.map(
      ({ seq, level, message }) => `- ${l10n.t('Record')} ${seq} · ${levels[level]}: ${markdownText(message)}`,
    );
    return lines.length === 0 ? [] : [`## ${title}`, lines.join('\n')];
  };
  return [
    `# ${markdownText(problem.title)}`,
    `## ${l10n.t('What happened')}`,
    markdownText(problem.what),
    ...links(l10n.t('Settled'), problem.settledBy),
    `## ${l10n.t('Why')}`,
    problem.why,
    ...(problem.advice === '' ? [] : [`## ${l10n.t('What to do')}`, markdownText(problem.advice)]),
    ...links(l10n.t('Evidence'), problem.evidence),
    ...links(l10n.t('Last change before it'), problem.change),
    ...links(l10n.t('Warnings and errors before it'), problem.before),
  ];
}

function fields(details: RecordDetails, l10n: Translator): string {
  const named: readonly (readonly [string, string])[] = [
    [l10n.t('Time'), details.time],
    [l10n.t('Written at'), details.ownTime],
    [l10n.t('Session'), details.session],
    [l10n.t('Logger'), details.logger],
    [l10n.t('Record'), String(details.seq)],
  ];
  return named
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `- ${name}: ${markdownText(value)}`)
    .join('\n');
}
