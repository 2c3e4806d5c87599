import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Level } from '../../src/text/level';
import { reaches } from '../../src/text/level';
import type { LogRecord } from '../../src/text/record';
import { shortId } from '../../src/text/sessionLabel';
import { RecordStore } from '../../src/store/store';
import type { Protocol } from '../../src/wire/protocol';
import { interpretation } from '../../src/runLog/reading/interpretation';
import type { DiagnosisCode, DiagnosisData } from '../../src/diagnosis/diagnosis';
import { RunLog } from '../../src/runLog/runLog';
import type { WireEvent } from '../../src/wire/wireEvent';
import { readTranscript } from '../support/transcript';

const expectations = 'test/fixtures/diagnosis/expected';
const folders = ['test/fixtures/transcripts', 'test/fixtures/streams', 'test/fixtures/handwritten'];

/** A failure that a person sees in a recording. */
export interface ExpectedFailure {
  readonly code: DiagnosisCode;
  readonly level: Level;
  /** The last 8 characters of the session ID. */
  readonly session?: string;
  /** Number of occurrences, if more than one. */
  readonly count?: number;
  /** A regular expression for the message. */
  readonly about: string;
}

/** The expected diagnoses of a recording, written by hand. */
export interface Expectation {
  readonly protocol: Protocol;
  /** What happens in the recording. */
  readonly read: string;
  readonly failures: readonly ExpectedFailure[];
}

/** Compares the diagnoses with the expected ones. */
export interface Verdict {
  readonly recording: string;
  readonly expected: readonly ExpectedFailure[];
  readonly missed: readonly ExpectedFailure[];
  readonly found: readonly LogRecord[];
  /** Warnings and errors about failures that aren't in the recording. */
  readonly wrong: readonly LogRecord[];
}

export function expectedRecordings(): string[] {
  return readdirSync(expectations).map((file) => file.replace(/\.json$/, ''));
}

export function verdictOf(recording: string): Verdict {
  const { protocol, failures } = readExpectation(recording);
  const found = diagnosesOf(eventsOf(fileOf(recording), protocol), protocol);
  const missed = failures.filter((failure) => !found.some((record) => matches(record, failure)));
  const wrong = found.filter(
    (record) => reaches(record.level, 'warning') && !failures.some((failure) => isAbout(record, failure)),
  );
  return { recording, expected: failures, missed, found, wrong };
}

/** Reads the expected diagnoses of a recording. */
export function readExpectation(recording: string): Expectation {
  return JSON.parse(readFileSync(join(expectations, `${recording}.json`), 'utf8')) as Expectation;
}

/** All diagnoses of a run, in order. */
export function diagnosesOf(events: readonly WireEvent[], protocol: Protocol | 'trace'): LogRecord[] {
  return logOf(events, protocol).store.query({ kinds: ['diagnosis'] });
}

/** Of a run that has ended. */
export function logOf(events: readonly WireEvent[], protocol: Protocol | 'trace'): RunLog {
  const log = new RunLog(new RecordStore(1e8), events[0]?.t ?? 0);
  const diagnoser = interpretation(protocol, log);
  for (const event of events) diagnoser.accept(event);
  diagnoser.finish(events.at(-1)?.t ?? 0);
  return log;
}

/** The wire events of a transcript. The lines of a stream have no times and get one millisecond each. */
export function eventsOf(file: string, protocol: Protocol): WireEvent[] {
  if (protocol !== 'stream-json') return readTranscript(file);
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line, t) => ({ t, dir: 'a2c', line, ...parsed(line) }));
}

function parsed(line: string): { msg?: unknown } {
  try {
    return { msg: JSON.parse(line) as unknown };
  } catch {
    return {};
  }
}

/** The path of a recording. */
export function fileOf(recording: string): string {
  const files = folders.map((folder) => join(folder, `${recording}.ndjson`));
  const file = files.find((each) => existsSync(each));
  if (file === undefined) throw new Error(`There is no recording ${recording} in ${folders.join(' or ')}.`);
  return file;
}

/** Whether a record matches an expected failure, including the count of a series. */
function matches(record: LogRecord, failure: ExpectedFailure): boolean {
  const { count } = record.data as DiagnosisData;
  return isAbout(record, failure) && record.level === failure.level && count === (failure.count ?? count);
}

/** Whether a record is about a failure, whatever its level. */
export function isAbout(record: LogRecord, { code, session, about }: ExpectedFailure): boolean {
  const inSession = session === undefined || (record.sessionId !== undefined && shortId(record.sessionId) === session);
  return record.logger === code && inSession && new RegExp(about).test(record.message);
}
