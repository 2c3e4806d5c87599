import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import type { JsonObject } from '../../text/json';
import { isObject, numberOf, objectOf, textOf } from '../../text/json';
import { parsedJson, withoutByteOrderMark } from '../../text/jsonText';
import { readWhole } from '../../machine/wholeFile';
import { codeOf, messageOf } from '../../text/humanError';
import { UsageError } from '../usageError';
import type { Expectation, WrittenExpectation } from './expectation';
import { expectationOf, subjects } from './expectation';

/** The file that is read if the command line has no expectation. Its schema is in `schemas/checks.schema.json`. */
export const defaultChecksFile = 'agent-logs.checks.json';

/** What is expected of which run. */
export interface Check {
  /** A file, a saved session or the end of an ID; absent if the file of checks doesn't say. */
  readonly run?: string;
  readonly expectation: Expectation;
}

const textKeys = ['name', 'run', ...subjects] as const;
const countKeys = ['min', 'max'] as const;
/** A file of checks isn't larger, in bytes. */
const maxBytes = 1024 * 1024;

/** Whether a file has checks, and isn't a run: a session may be a JSON document, too. */
export async function isChecksFile(path: string): Promise<boolean> {
  if (!path.endsWith('.json')) return false;
  const text = await readWhole(path, maxBytes).catch(() => undefined);
  return (
    text !== undefined &&
    (checksIn(parsedJson(withoutByteOrderMark(text))) !== undefined || path.endsWith(defaultChecksFile))
  );
}

/**
 * The checks in a file. The runs that it names are relative to its folder.
 * @throws UsageError if it can't be read, or isn't a file of checks
 */
export async function readChecks(path: string): Promise<readonly Check[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    const isMissing = codeOf(error) === 'ENOENT';
    throw new UsageError(isMissing ? `${path} does not exist.` : `${path} cannot be read: ${messageOf(error)}`);
  });
  return parseChecks(text, path);
}

/** @throws UsageError */
export function parseChecks(text: string, path: string): readonly Check[] {
  const document = parsed(text, path);
  const checks = checksIn(document);
  if (!checks) throw new UsageError(`${path} needs a list: {"checks": [{"expect": "level:error", "max": 0}]}.`);
  if (checks.length === 0) throw new UsageError(`${path} has no checks.`);
  const { run: whole, ...others } = objectOf(document);
  const stray = Object.keys(others).find((key) => key !== 'checks' && !key.startsWith('$'));
  if (stray !== undefined) throw new UsageError(`${path}: unknown "${stray}". There are run, checks.`);
  if (whole !== undefined && typeof whole !== 'string') throw new UsageError(`${path}: "run" is not a text.`);
  return checks.map((check, index) => {
    const where = `${path}, check ${index + 1}`;
    if (!isObject(check)) throw new UsageError(`${where}: it is not an object, such as {"expect": "level:error"}.`);
    const { run = whole, compare, ...rest } = written(check, where);
    const there = (name: string): string => besideFile(name, path);
    const expectation = expectationOf({ ...rest, compare: compare && there(compare) }, where);
    return { ...(run !== undefined && { run: there(run) }), expectation };
  });
}

/** The ID of a session isn't a path. */
function besideFile(name: string, path: string): string {
  const beside = join(dirname(path), name);
  return !isAbsolute(name) && existsSync(beside) ? beside : name;
}

function parsed(text: string, path: string): unknown {
  const json = withoutByteOrderMark(text);
  try {
    const document: unknown = JSON.parse(json);
    const repeated = repeatedKey(json);
    if (repeated === undefined) return document;
    throw new UsageError(
      `${path}: "${repeated}" is there twice in one object, so that only the last counts. Remove one.`,
    );
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${path} is not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A key that an object has twice: `JSON.parse` takes the last, and a check would be gone. */
function repeatedKey(json: string): string | undefined {
  const objects: Set<string>[] = [];
  for (const [token, quoted] of json.matchAll(/[{}]|"((?:[^"\\]|\\.)*)"(?=\s*:)|"(?:[^"\\]|\\.)*"/g)) {
    const keys = objects.at(-1);
    if (token === '{') objects.push(new Set());
    else if (token === '}') objects.pop();
    else if (quoted !== undefined && keys?.has(quoted) === true) return quoted;
    else if (quoted !== undefined) keys?.add(quoted);
  }
  return undefined;
}

function checksIn(document: unknown): readonly unknown[] | undefined {
  const checks = isObject(document) ? document['checks'] : undefined;
  return Array.isArray(checks) ? checks : undefined;
}

function written(check: JsonObject, where: string): WrittenExpectation & { readonly run: string | undefined } {
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
    run: text('run'),
    expect: text('expect'),
    spans: text('spans'),
    noProblems: text('noProblems'),
    compare: text('compare'),
    min: count('min'),
    max: count('max'),
  };
}
