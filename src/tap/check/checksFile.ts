import { readFile } from 'node:fs/promises';
import type { JsonObject } from '../../log/json';
import { isObject, numberOf, textOf } from '../../log/json';
import { withoutByteOrderMark } from '../../log/jsonText';
import { codeOf, messageOf } from '../../runs/humanError';
import { UsageError } from '../usageError';
import type { Expectation, WrittenExpectation } from './expectation';
import { expectationOf, subjects } from './expectation';

/** The file that is read if the command line has no expectation. Its schema is in `schemas/checks.schema.json`. */
export const defaultChecksFile = 'agent-logs.checks.json';

const textKeys = ['name', ...subjects] as const;
const countKeys = ['min', 'max'] as const;

/**
 * The expectations in a file.
 * @throws UsageError if it can't be read, or isn't a file of checks
 */
export async function readChecks(path: string): Promise<readonly Expectation[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    const isMissing = codeOf(error) === 'ENOENT';
    throw new UsageError(isMissing ? `${path} does not exist.` : `${path} cannot be read: ${messageOf(error)}`);
  });
  return parseChecks(text, path);
}

/** @throws UsageError */
export function parseChecks(text: string, path: string): readonly Expectation[] {
  const checks = checksIn(parsed(text, path));
  if (!checks) throw new UsageError(`${path} needs a list: {"checks": [{"expect": "level:error", "max": 0}]}.`);
  if (checks.length === 0) throw new UsageError(`${path} has no checks.`);
  return checks.map((check, index) => {
    const where = `${path}, check ${index + 1}`;
    if (!isObject(check)) throw new UsageError(`${where}: it is not an object, such as {"expect": "level:error"}.`);
    return expectationOf(written(check, where), where);
  });
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(withoutByteOrderMark(text));
  } catch (error) {
    throw new UsageError(`${path} is not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function checksIn(document: unknown): readonly unknown[] | undefined {
  const checks = isObject(document) ? document['checks'] : undefined;
  return Array.isArray(checks) ? checks : undefined;
}

function written(check: JsonObject, where: string): WrittenExpectation {
  const known: readonly string[] = [...textKeys, ...countKeys];
  const stray = Object.keys(check).find((key) => !known.includes(key));
  if (stray !== undefined) throw new UsageError(`${where}: unknown "${stray}". There are ${known.join(', ')}.`);
  const text = (key: (typeof textKeys)[number]): string | undefined => {
    const found = textOf(check[key]);
    if (key in check && found === undefined) throw new UsageError(`${where}: "${key}" is not a text.`);
    return found;
  };
  const count = (key: (typeof countKeys)[number]): number | undefined => {
    const found = numberOf(check[key]);
    if (key in check && found === undefined) throw new UsageError(`${where}: "${key}" is not a number.`);
    return found;
  };
  return {
    name: text('name'),
    expect: text('expect'),
    spans: text('spans'),
    noProblems: text('noProblems'),
    compare: text('compare'),
    min: count('min'),
    max: count('max'),
  };
}
