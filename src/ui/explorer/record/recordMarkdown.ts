import type { EvidenceLink, RecordDetails } from '../messages';
import type { PageStrings } from '../pageStrings';

/**
 * A record, or a problem as an explanation, as a readable Markdown document.
 * @param data its data as JSON
 * @param raw the line of the wire
 */
export function recordMarkdown(
  details: RecordDetails,
  strings: PageStrings,
  data: string | undefined,
  raw: string | undefined,
): string {
  const { problem, level, kind } = details;
  const levelName = strings.levels[level] ?? '';
  const head = problem
    ? problemParts(details, strings)
    : [`# ${levelName} · ${strings.kinds[kind]}`, fenced(details.message)];
  return [
    ...head,
    fields(details, strings),
    ...(data === undefined || problem ? [] : [`## ${strings.data}`, fenced(data, 'json')]),
    ...(raw === undefined ? [] : [`## ${strings.rawLine}`, fenced(raw, raw.startsWith('{') ? 'json' : '')]),
    '',
  ].join('\n\n');
}

function problemParts({ problem }: RecordDetails, strings: PageStrings): readonly string[] {
  if (!problem) return [];
  const links = (title: string, records: readonly EvidenceLink[]): readonly string[] => {
    const lines = records.map(
      ({ seq, level, message }) => `- ${strings.record} ${seq} · ${strings.levels[level]}: ${inline(message)}`,
    );
    return lines.length === 0 ? [] : [`## ${title}`, lines.join('\n')];
  };
  return [
    `# ${inline(problem.title)}`,
    `## ${strings.what}`,
    inline(problem.what),
    `## ${strings.why}`,
    problem.why,
    `## ${strings.advice}`,
    inline(problem.advice === '' ? strings.noAdvice : problem.advice),
    ...links(strings.evidence, problem.evidence),
    ...links(strings.before, problem.before),
  ];
}

function fields(details: RecordDetails, strings: PageStrings): string {
  const named: readonly (readonly [string, string])[] = [
    [strings.time, details.time],
    [strings.ownTime, details.ownTime],
    [strings.session, details.session],
    [strings.logger, details.logger],
    [strings.record, String(details.seq)],
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
