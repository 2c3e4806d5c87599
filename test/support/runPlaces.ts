import { homedir } from 'node:os';
import type { RunPlaces } from '../../src/cli/runArgument';
import { redactorFor } from '../../src/redact/redactorFor';
import { redactionWith } from './redaction';

/** This machine, for finding runs, with no patterns of the user. */
export function runPlaces(): RunPlaces {
  const redaction = redactionWith();
  return {
    machine: { platform: process.platform, home: homedir(), env: process.env },
    redaction,
    redactor: (known) => redactorFor(redaction, known),
  };
}
