import type { RunProtocol } from '../wire/protocol';
import { boundedJson } from '../text/boundedJson';
import { localTime, zonedTime } from '../text/format';
import { rankOf } from '../text/level';
import { issueText, markdownBlock } from '../text/markdown';
import type { LogRecord } from '../text/record';
import { shortenId, shortId } from '../text/sessionLabel';
import { inEnglish } from '../text/translator';
import { inTermsOf, peerFirst } from '../protocols/terms';
import type { Termination } from '../wire/termination';
import { describeTermination } from '../wire/termination';
import { cutAnywhere, oneLine, plainText, shownLine, writtenAnsi } from '../text/text';

/** A run, as far as a report needs it. */
export interface BugReportInput {
  /** Its name in the settings. */
  readonly agent: string;
  readonly protocol: RunProtocol;
  readonly command: readonly string[];
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Versions of Agent Logs, VS Code, the operating system and Node.js. */
  readonly versions: readonly (readonly [name: string, version: string])[];
  /** The parameters and the result of `initialize`. */
  readonly initialize?: { readonly params?: unknown; readonly result?: unknown };
  /** Turns and their parts as monospaced text. */
  readonly turns?: string;
  /** The last check-up of MCP servers, as text. */
  readonly mcpServers?: string;
  /** All, or the diagnoses and the last `maxLastLines` of others, in order of arrival. */
  readonly records: readonly LogRecord[];
  readonly termination?: Termination;
  /** When it ended, in milliseconds since the epoch. */
  readonly endedAt?: number;
  /** The IDs of sessions besides those of the records, which are shortened too. */
  readonly sessionIds?: readonly string[];
  /** How many records are left out or no longer in memory. */
  readonly dropped: number;
  /** The user's home folder, which is shown as `~`. */
  readonly home?: string;
}

/** Maximum size of a report, in bytes. Issue trackers have limits of about this size. */
export const maxReportBytes = 64 * 1024;
const maxDiagnoses = 30;
/** How many of the last records a report has. */
export const maxLastLines = 80;
const maxCapabilities = 6000;
const maxServers = 12_000;
/** A shorter ID may be part of a word. */
const minSessionId = 9;

/**
 * A run as Markdown for an issue tracker: versions, capabilities, diagnoses, how it ended, its last lines. It is redacted, has no complete session
 * IDs, no name of the home folder, and a limited size.
 * @param redact redacts one line
 */
export function bugReport(input: BugReportInput, redact: (line: string) => string): string {
  // Between marks of code, a secret might no longer be recognized.
  const inline: Inline = (text, max = 300) => issueText(redact(oneLine(text, max)));
  const sections = [
    `# ${inline(input.agent)} (${inline(input.protocol)})`,
    describeVersions(input, inline),
    describeDiagnoses(input.records, inline),
    section(
      'How it ended',
      input.termination && fenced(describeTermination(input.agent, input.termination, input.endedAt)),
    ),
    section('Turns', input.turns === undefined || input.turns === '' ? undefined : fenced(input.turns)),
    describeLines(input),
    section(
      'MCP servers',
      input.mcpServers === undefined ? undefined : fenced(cutAnywhere(input.mcpServers, maxServers)),
    ),
    section('Capabilities', describeInitialize(input)),
  ];
  const text = sections.filter((part) => part !== '').join('\n\n');
  const lines = withoutIds(plainText(text), input).split('\n').map(redact);
  return bounded(lines);
}

/** A text of any origin in a line, at most 300 characters by default. */
type Inline = (text: string, max?: number) => string;

function describeVersions(
  { protocol, versions, initialize, command, startedAt }: BugReportInput,
  inline: Inline,
): string {
  const result = fields(initialize?.result);
  const agent = fields(result['agentInfo'] ?? result['serverInfo'] ?? result['info']);
  const own = [agent['title'] ?? agent['name'], agent['version']].filter((part) => typeof part === 'string').join(' ');
  const rows: (readonly [string, string])[] = [
    ['Command', command.join(' ')],
    ...(own === '' ? [] : [[peerOf(protocol), own] as const]),
    ...(result['protocolVersion'] === undefined
      ? []
      : [['Protocol version', boundedJson(result['protocolVersion'], 40)] as const]),
    ...versions,
  ];
  const lines = rows.map(([name, value]) => `- ${inline(name)}: ${inline(value)}`);
  return [`- Started: ${zonedTime(startedAt)}`, ...lines].join('\n');
}

/** The last record of each series, the worst first. */
function describeDiagnoses(records: readonly LogRecord[], inline: Inline): string {
  const series = new Map<string, LogRecord>();
  for (const record of records) {
    if (record.kind !== 'diagnosis') continue;
    const { since } = fields(record.data);
    const key = `${record.logger ?? ''} ${record.sessionId ?? ''} ${typeof since === 'number' ? since : record.seq}`;
    series.set(key, record);
  }
  const worstFirst = [...series.values()].sort((a, b) => rankOf(b.level) - rankOf(a.level));
  const rows = worstFirst.slice(0, maxDiagnoses).map((record) => describeDiagnosis(record, inline));
  const more = worstFirst.length - rows.length;
  return section('Diagnoses', [...rows, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n') || 'None.');
}

function describeDiagnosis({ level, logger = '', sessionId, message }: LogRecord, inline: Inline): string {
  const where = sessionId === undefined ? '' : ` in session ${inline(shortId(sessionId))}`;
  return `- **${level}** ${inline(logger, 60)}${where}: ${inline(message, 400)}`;
}

/** The last lines. Messages are cut, because prompts and answers may be private. */
function describeLines({ records, dropped }: BugReportInput): string {
  const last = records.slice(-maxLastLines);
  const lines = last.map((record) => {
    const where = record.sessionId === undefined ? 'connection' : shortId(record.sessionId);
    const who = record.logger === undefined ? '' : `${shownLine(record.logger, 60)}: `;
    return `${localTime(record.receivedAt)} ${record.level.padEnd(9)} [${where}] ${who}${shownLine(record.message, 200)}`;
  });
  const left = records.length - last.length + dropped;
  const text = fenced(lines.join('\n'));
  return section(
    'Last lines',
    lines.length === 0 ? 'None.' : left > 0 ? `${left} earlier ones are left out.\n\n${text}` : text,
  );
}

function peerOf(protocol: RunProtocol): string {
  return inEnglish(inTermsOf(peerFirst, protocol));
}

function describeInitialize({ protocol, initialize }: BugReportInput): string | undefined {
  const sides = [
    ['Client', fields(initialize?.params)],
    [peerOf(protocol), fields(initialize?.result)],
  ] as const;
  const known = sides.flatMap(([name, side]) => {
    const capabilities = side['clientCapabilities'] ?? side['agentCapabilities'] ?? side['capabilities'];
    if (capabilities === undefined || capabilities === null) return [];
    return [`${name}:\n\n${fenced(boundedJson(capabilities, maxCapabilities).replace(writtenAnsi, ''))}`];
  });
  return known.length === 0 ? undefined : known.join('\n\n');
}

function section(title: string, text: string | undefined): string {
  return text === undefined ? '' : `## ${title}\n\n${text}`;
}

function fenced(text: string): string {
  return markdownBlock(text, 'text');
}

function withoutIds(text: string, { records, sessionIds = [], home }: BugReportInput): string {
  const all = [...sessionIds, ...records.flatMap(({ sessionId }) => sessionId ?? [])];
  const ids = new Set(all.filter((id) => id.length >= minSessionId));
  let shown = text;
  for (const id of ids) shown = shortenId(shown, id);
  return home === undefined || home.length < 3 ? shown : shown.replaceAll(home, '~');
}

function bounded(lines: readonly string[]): string {
  const end = '\n\n… the report was cut here\n';
  let room = maxReportBytes - byteLength(end);
  const kept: string[] = [];
  for (const line of lines) {
    room -= byteLength(line) + 1;
    if (room < 0) return `${kept.join('\n')}${end}`;
    kept.push(line);
  }
  return `${kept.join('\n')}\n`;
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
