import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Level } from '../../src/text/level';
import { reaches } from '../../src/text/level';
import type { Protocol } from '../../src/wire/protocol';
import type { LogRecord } from '../../src/text/record';
import type { DiagnosisCode, DiagnosisData } from '../../src/diagnosis/diagnosis';
import { readJournalLine } from '../../src/wire/journal/journalReader';
import type { WireEvent } from '../../src/wire/wireEvent';
import type { Words } from '../../src/text/translator';
import { contradictionsIn } from '../support/contradictions';
import { foreignTerms } from '../support/foreignTerms';
import { logOf } from './recordings';

const folder = 'test/fixtures/diagnosis/cases';

/** A finding that a case must have. Patterns ignore case. */
interface ExpectedFinding {
  readonly code: DiagnosisCode | readonly DiagnosisCode[];
  readonly level: Level;
  /** Pattern for the message. */
  readonly about: string;
  /** Pattern for the advice. */
  readonly advice?: string;
  /** The finding may be missing. */
  readonly optional?: boolean;
}

/** The first line of a case in its file; the wire events up to the next case follow. */
interface CaseHeader {
  readonly case: string;
  readonly protocol: Protocol | 'trace';
  /** What a person sees in the events. */
  readonly read: string;
  /** One entry per finding. Any other warning or error is wrong. */
  readonly expect: readonly ExpectedFinding[];
  /** No finding of any level may match this. */
  readonly never?: string;
}

/** A short recording, derived from a real one by changing words, fields or order. */
export interface DiagnosisCase extends CaseHeader {
  /** The file name without its extension. */
  readonly group: string;
  readonly events: readonly WireEvent[];
}

export interface CaseVerdict {
  readonly found: readonly LogRecord[];
  readonly missed: readonly ExpectedFinding[];
  /** False alarms: unexpected findings, or a second finding about the same failure. */
  readonly wrong: readonly LogRecord[];
  /** Texts about a server's run that speak of an agent or a turn. */
  readonly foreign: readonly string[];
  /** What Turns, Problems, the records and the report say differently. */
  readonly contradictions: readonly string[];
}

export function diagnosisCases(): DiagnosisCase[] {
  return readdirSync(folder).flatMap((file) =>
    casesIn(file.replace(/\.ndjson$/, ''), readFileSync(join(folder, file), 'utf8')),
  );
}

export function judge({ events, protocol, expect, never }: DiagnosisCase): CaseVerdict {
  const log = logOf(events, protocol);
  const found = log.store.query({ kinds: ['diagnosis'] });
  const left = new Set(found);
  const missed = expect.filter((expected) => {
    const match = [...left].find((record) => matches(record, expected));
    if (match) left.delete(match);
    return !match && expected.optional !== true;
  });
  const forbidden = never === undefined ? undefined : new RegExp(never, 'i');
  const wrong = found.filter(
    (record) =>
      (left.has(record) && reaches(record.level, 'warning')) ||
      forbidden?.test(`${record.logger ?? ''}: ${record.message}`) === true,
  );
  const isServer = protocol === 'mcp' || protocol === 'lsp';
  const foreign = isServer ? found.flatMap(textsOf).flatMap(foreignTerms) : [];
  return { found, missed, wrong, foreign, contradictions: contradictionsIn(log) };
}

function textsOf({ words }: LogRecord): readonly Words[] {
  return words ? [words.what, ...(words.advice ? [words.advice] : [])] : [];
}

function casesIn(group: string, text: string): DiagnosisCase[] {
  const cases: { group: string; events: WireEvent[]; header: CaseHeader }[] = [];
  for (const line of text.split('\n')) {
    if (line.startsWith('{"case"')) cases.push({ group, events: [], header: JSON.parse(line) as CaseHeader });
    else cases.at(-1)?.events.push(...[readJournalLine(line) ?? []].flat());
  }
  return cases.map(({ header, ...rest }) => ({ ...header, ...rest }));
}

function matches({ logger, level, message, data }: LogRecord, expected: ExpectedFinding): boolean {
  const codes: readonly string[] = [expected.code].flat();
  return (
    codes.includes(logger ?? '') &&
    level === expected.level &&
    new RegExp(expected.about, 'i').test(message) &&
    (expected.advice === undefined || new RegExp(expected.advice, 'i').test((data as DiagnosisData).advice ?? ''))
  );
}
