import { isObject } from '../../text/json';
import type { JsonObject } from '../../text/json';

/** Of a longer text, only both ends count, in characters. */
const maxText = 65_536;
const maxDepth = 20;
const maxFields = 200;
/** What differs between two runs of the same command. */
const besideCommand = new Set(['description', 'explanation', 'justification', 'reason', 'timeout', 'timeout_ms']);

/**
 * Stands for the input of a tool call: equal inputs have equal digests, in whatever order their fields come. `undefined` if there is no input.
 * Facts have this instead of the input, which may be a whole file.
 */
export function inputDigest(input: unknown): string | undefined {
  if (input === undefined || input === null) return undefined;
  const hash = new Hash();
  hash.value(input, 0);
  return hash.digest;
}

/** Two independent 32-bit hashes (FNV-1a with different primes): equal by chance once in many millions of calls. */
class Hash {
  private a = 0x811c9dc5;
  private b = 0x01000193;

  get digest(): string {
    return `${(this.a >>> 0).toString(36)}-${(this.b >>> 0).toString(36)}`;
  }

  value(value: unknown, depth: number): void {
    if (typeof value === 'string') return this.text(value);
    if (depth > maxDepth) return;
    if (Array.isArray(value)) {
      this.text(`[${value.length}`);
      for (const each of value.slice(0, maxFields)) this.value(each, depth + 1);
    } else if (isObject(value)) {
      for (const name of namesOf(value)) {
        this.text(`{${name}`);
        this.value(value[name], depth + 1);
      }
    } else {
      this.text(`=${String(value)}`);
    }
  }

  private text(text: string): void {
    this.number(text.length);
    if (text.length <= maxText) return this.part(text, 0, text.length);
    this.part(text, 0, maxText / 2);
    this.part(text, text.length - maxText / 2, text.length);
  }

  private part(text: string, from: number, to: number): void {
    for (let i = from; i < to; i++) this.number(text.charCodeAt(i));
  }

  private number(value: number): void {
    this.a = Math.imul(this.a ^ value, 0x01000193);
    this.b = Math.imul(this.b ^ value, 0x5bd1e995) ^ (this.b >>> 15);
  }
}

function namesOf(fields: JsonObject): readonly string[] {
  const names = Object.keys(fields).slice(0, maxFields);
  const isCommand = 'command' in fields || 'cmd' in fields;
  return (isCommand ? names.filter((name) => !besideCommand.has(name)) : names).sort();
}
