// Checks that nine in ten findings of the labeled recordings survive changed words, codes and field names.
import assert from 'node:assert/strict';
import { diagnosesOf, eventsOf, expectedRecordings, fileOf, isAbout, readExpectation } from './recordings';
import type { WireEvent } from '../../src/wire/wireEvent';

/** Words of errors and their synonyms. */
const words: readonly (readonly [RegExp, string])[] = [
  [/\brequired\b/g, 'needed'],
  // Not the status of a tool call.
  [/(?<!")\bfailed\b(?!\\?")/g, 'went wrong'],
  [/\bmissing\b/g, 'absent'],
  [/\bnot configured\b/g, 'not set'],
  [/\bnot signed into\b/g, 'not logged into'],
  [/\bcurrently experiencing high demand\b/g, 'under heavy load now'],
  [/\bRate limit\b/gi, 'Too many requests'],
  [/\bPlease run\b/g, 'First run'],
  [/\bInternal error\b/g, 'Unexpected problem'],
  [/\bdisk full\b/g, 'no room'],
];
const codes: readonly (readonly [RegExp, string])[] = [
  [/-32000\b/g, '-32099'],
  [/-32603\b/g, '-32050'],
  [/-32602\b/g, '-32650'],
];
const fields: readonly (readonly [RegExp, string])[] = [
  [/(\\?")additionalDetails\\?":/g, '$1details$1:'],
  [/(\\?")exit_code\\?":/g, '$1exitCode$1:'],
  [/(\\?")exit\\?":/g, '$1exit_status$1:'],
  [/(\\?")exitCode\\?":(?=\d)/g, '$1returnCode$1:'],
  [/(\\?")errorName\\?":/g, '$1name$1:'],
  [/(\\?")label\\?":/g, '$1detail$1:'],
];

/** The share of findings that must survive. */
const leastLeft = 0.9;

describe('diagnosis: changed recordings', () => {
  for (const [what, replacements] of Object.entries({ words, codes, fields })) {
    it(`finds at least 90 % with other ${what}`, () => {
      const { expected, left } = findingsAfter(replacements);
      console.log(`      ${left} of ${expected} findings left`);
      assert.ok(left >= leastLeft * expected);
    });
  }
});

function findingsAfter(replacements: readonly (readonly [RegExp, string])[]): { expected: number; left: number } {
  let expected = 0;
  let left = 0;
  for (const name of expectedRecordings()) {
    const { protocol, failures } = readExpectation(name);
    const events = eventsOf(fileOf(name), protocol).map((event) => mutated(event, replacements));
    const found = diagnosesOf(events, protocol);
    expected += failures.length;
    left += failures.filter((failure) => found.some((record) => isAbout(record, { ...failure, about: '' }))).length;
  }
  return { expected, left };
}

function mutated(event: WireEvent, replacements: readonly (readonly [RegExp, string])[]): WireEvent {
  if (event.dir === 'ev' || event.dir === 'c2a') return event;
  const line = replacements.reduce(
    (text, [pattern, by]) => text.replace(pattern, (_all, quote: unknown) => by.split('$1').join(String(quote))),
    event.line,
  );
  if (line === event.line) return event;
  const { t, dir } = event;
  if (dir === 'err') return { t, dir, line };
  try {
    return { t, dir, line, msg: JSON.parse(line) as unknown };
  } catch {
    return event;
  }
}
