import assert from 'node:assert/strict';
import { Redactor } from '../../src/redact/redactor';

type Form = (text: string) => string;

const asItIs: Form = (text) => text;
const inJson: Form = (text) => JSON.stringify({ text });
export const inNestedJson: Form = (text) => inJson(inJson(text));

/** Tests that redaction hides what is between the first part of a row and the last, and nothing else. */
export function hides(rows: readonly (readonly string[])[], ...forms: readonly Form[]): void {
  for (const [before = '', secret = '', after = ''] of rows) {
    hidesAs(before, [[before + secret + after, `${before}[redacted]${after}`]], ...forms);
  }
}

/** Tests that redaction makes of the texts what is expected, also in JSON. */
export function hidesAs(
  what: string,
  rows: readonly (readonly [text: string, expected: string])[],
  ...forms: readonly Form[]
): void {
  it(`finds: ${JSON.stringify(what)}`, () => {
    for (const [text, expected] of rows) {
      for (const form of [asItIs, inJson, ...forms]) assert.equal(new Redactor().line(form(text)), form(expected));
    }
  });
}

/** Tests that redaction leaves texts alone, also in JSON. */
export function keeps(texts: readonly string[]): void {
  for (const text of texts) {
    it(`leaves alone: ${JSON.stringify(text)}`, () => {
      for (const form of [asItIs, inJson]) assert.equal(new Redactor().line(form(text)), form(text));
    });
  }
}
