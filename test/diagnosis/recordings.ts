import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Level } from '../../src/log/level';
import { reaches } from '../../src/log/level';
import type { LogRecord } from '../../src/log/record';
import { shortId } from '../../src/log/sessionLabel';
import { RecordStore } from '../../src/log/store/store';
import type { Protocol } from '../../src/log/protocol';
import { diagnosedInterpreter } from '../../src/diagnosis/diagnosedInterpreter';
import type { DiagnosisCode, DiagnosisData } from '../../src/diagnosis/diagnosis';
import { RunLog } from '../../src/runs/runLog';
import type { WireEvent } from '../../src/wire/wireEvent';
import { readTranscript } from '../support/transcript';

const expectations = 'test/fixtures/diagnosis/expected';
const folders = [
  'test/fixtures/transcripts',
  'test/fixtures/streams',
  'test/fixtures/handwritten',
  'test/fixtures/diagnosis/recordings',
];

/** A failure that a person finds on reading a recording. */
export interface ExpectedFailure {
  readonly code: DiagnosisCode;
  readonly level: Level;
  /** The last 8 characters of its session's id. */
  readonly session?: string;
  /** How often it occurred, where that is more than once. */
  readonly count?: number;
  /** A regular expression on the message. */
  readonly about: string;
}

/** What a recording should be told about, written by hand on reading it. */
export interface Expectation {
  readonly protocol: Protocol;
  /** What is in the recording. */
  readonly read: string;
  readonly failures: readonly ExpectedFailure[];
}

/** How what is said compares with what should be. */
export interface Verdict {
  readonly recording: string;
  readonly expected: readonly ExpectedFailure[];
  readonly missed: readonly ExpectedFailure[];
  readonly said: readonly LogRecord[];
  /** Said at warning or above, and not to be found in the recording. */
  readonly wrong: readonly LogRecord[];
}

export function expectedRecordings(): string[] {
  return readdirSync(expectations).map((file) => file.replace(/\.json$/, ''));
}

export function verdictOf(recording: string): Verdict {
  const { protocol, failures } = readExpectation(recording);
  const said = diagnosesOf(eventsOf(fileOf(recording), protocol), protocol);
  const missed = failures.filter((failure) => !said.some((record) => matches(record, failure)));
  const wrong = said.filter(
    (record) => reaches(record.level, 'warning') && !failures.some((failure) => isAbout(record, failure)),
  );
  return { recording, expected: failures, missed, said, wrong };
}

/** What a person found in a recording. */
export function readExpectation(recording: string): Expectation {
  return JSON.parse(readFileSync(join(expectations, `${recording}.json`), 'utf8')) as Expectation;
}

/** Everything that is said of a run, in order. */
export function diagnosesOf(events: readonly WireEvent[], protocol: Protocol): LogRecord[] {
  const log = new RunLog(new RecordStore(1e8), events[0]?.t ?? 0);
  const diagnoser = diagnosedInterpreter(protocol, log);
  for (const event of events) diagnoser.accept(event);
  return log.store.query({ kinds: ['diagnosis'] });
}

/** The wire events of a transcript; a stream's lines have no times, and come one millisecond after the other. */
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

/** The file of a recording. */
export function fileOf(recording: string): string {
  const files = folders.map((folder) => join(folder, `${recording}.ndjson`));
  const file = files.find((each) => existsSync(each));
  if (file === undefined) throw new Error(`There is no recording ${recording} in ${folders.join(' or ')}.`);
  return file;
}

/** Said as it should be: of a series, how often too. */
function matches(record: LogRecord, failure: ExpectedFailure): boolean {
  const { count } = record.data as DiagnosisData;
  return isAbout(record, failure) && record.level === failure.level && count === (failure.count ?? count);
}

/** Whether a record is about a failure, whatever its level. */
export function isAbout(record: LogRecord, { code, session, about }: ExpectedFailure): boolean {
  const inSession = session === undefined || (record.sessionId !== undefined && shortId(record.sessionId) === session);
  return record.logger === code && inSession && new RegExp(about).test(record.message);
}
