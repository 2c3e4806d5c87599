import * as vscode from 'vscode';
import { levels } from '../../../log/level';
import type { EvidenceLink, RecordDetails } from '../messages';

/**
 * A record, or a problem as an explanation, as a readable Markdown document.
 * @param data its data as JSON
 * @param raw the line of the wire
 */
export function recordMarkdown(details: RecordDetails, data: string | undefined, raw: string | undefined): string {
  const { problem, level, kind } = details;
  const levelName = levels[level] ?? '';
  const head = problem ? problemParts(details) : [`# ${levelName} · ${kind}`, fenced(details.message)];
  return [
    ...head,
    fields(details),
    ...(data === undefined || problem ? [] : [`## ${vscode.l10n.t('Data')}`, fenced(data, 'json')]),
    ...(raw === undefined ? [] : [`## ${vscode.l10n.t('Raw line')}`, fenced(raw, raw.startsWith('{') ? 'json' : '')]),
    '',
  ].join('\n\n');
}

function problemParts({ problem }: RecordDetails): readonly string[] {
  if (!problem) return [];
  const links = (title: string, records: readonly EvidenceLink[]): readonly string[] => {
    const lines = records.map(
      ({ seq, level, message }) => `- ${vscode.l10n.t('Record')} ${seq} · ${levels[level]}: ${inline(message)}`,
    );
    return lines.length === 0 ? [] : [`## ${title}`, lines.join('\n')];
  };
  return [
    `# ${inline(problem.title)}`,
    `## ${vscode.l10n.t('What happened')}`,
    inline(problem.what),
    ...links(vscode.l10n.t('Settled'), problem.settledBy),
    `## ${vscode.l10n.t('Why')}`,
    problem.why,
    ...(problem.advice === '' ? [] : [`## ${vscode.l10n.t('What to do')}`, inline(problem.advice)]),
    ...links(vscode.l10n.t('Evidence'), problem.evidence),
    ...links(vscode.l10n.t('Warnings and errors before it'), problem.before),
  ];
}

function fields(details: RecordDetails): string {
  const named: readonly (readonly [string, string])[] = [
    [vscode.l10n.t('Time'), details.time],
    [vscode.l10n.t('Agent’s time'), details.ownTime],
    [vscode.l10n.t('Session'), details.session],
    [vscode.l10n.t('Logger'), details.logger],
    [vscode.l10n.t('Record'), String(details.seq)],
  ];
  return named
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `- ${name}: ${inline(value)}`)
    .join('\n');
}

/** Escapes links, images and HTML. Emphasis is left alone: it is harmless, and escapes are hard to read. */
function inline(text: string): string {
  return text.replace(/[\\`[\]<&]/g, '\\$&').replace(/\s*\n\s*/g, ' ');
}

/** A code block whose fence is longer than any in the text. */
function fenced(text: string, language = ''): string {
  const longest = (text.match(/`{3,}/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
