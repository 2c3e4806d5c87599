import { homedir } from 'node:os';
import type { RunPlaces } from '../../src/cli/runArgument';
import { runOf } from '../../src/cli/runArgument';
import { FileRun } from '../../src/past/files/fileRun';
import { redactorFor } from '../../src/redact/redactorFor';
import { redactionWith } from './redaction';

/** A run of a file, read to its end. */
export async function readRun(path: string): Promise<FileRun> {
  const info = await runOf(path, runPlaces());
  const run = new FileRun(info, { level: 'debug', maxMemory: 2e8, redaction: redactionWith(), follows: false });
  await run.read();
  return run;
}

/** This machine, for finding runs, with no patterns of the user. */
export function runPlaces(): RunPlaces {
  const redaction = redactionWith();
  return {
    machine: { platform: process.platform, home: homedir(), env: process.env },
    redaction,
    redactor: (known) => redactorFor(redaction, known),
  };
}
