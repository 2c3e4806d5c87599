import { parseArgs } from 'node:util';
import type { Level } from '../text/level';
import { levels, parseLevel } from '../text/level';
import type { Protocol } from '../wire/protocol';
import { protocols } from '../wire/protocol';
import { UsageError } from './usageError';

/** The options of a command, as `parseArgs` takes them. */
export type OptionTypes = Readonly<Record<string, { readonly type: 'string' | 'boolean'; readonly short?: string }>>;

export interface Parsed<T extends OptionTypes> {
  readonly values: { readonly [K in keyof T]?: T[K]['type'] extends 'string' ? string : boolean };
  readonly positionals: readonly string[];
  /** The options in their order. */
  readonly tokens: readonly { readonly name: string; readonly value: string | undefined }[];
}

/** @throws UsageError */
export function parsed<const T extends OptionTypes>(words: readonly string[], options: T): Parsed<T> {
  try {
    const { values, positionals, tokens } = parseArgs({
      args: [...words],
      options,
      allowPositionals: true,
      strict: true,
      tokens: true,
    });
    const own = tokens.flatMap((token) => (token.kind === 'option' ? [{ name: token.name, value: token.value }] : []));
    return { values, positionals, tokens: own };
  } catch (error) {
    // The first sentence of Node's message names the option and the problem.
    const [first = ''] = (error instanceof Error ? error.message : String(error)).split(/\.\s/);
    const what = first.replace(/^Option '(.+)' argument is ambiguous.*/s, "Option '$1' needs a value");
    throw new UsageError(`${what.replace(/\.$/, '')}. The options are --${Object.keys(options).join(', --')}.`);
  }
}

/**
 * The only positional argument.
 * @throws UsageError
 */
export function onlyOne(positionals: readonly string[], missing: string, what: 'file' | 'run'): string {
  const [first = '', ...more] = positionals;
  if (first === '') throw new UsageError(missing);
  if (more.length > 0) throw new UsageError(`Name one ${what} only; "${more.join(' ')}" is one too many.`);
  return first;
}

/** @throws UsageError */
export function levelOf(word: string | undefined): Level | undefined {
  const level = parseLevel(word);
  if (word !== undefined && level === undefined) {
    throw new UsageError(`There is no level "${word}". The levels are ${levels.join(', ')}.`);
  }
  return level;
}

/** @throws UsageError */
export function protocolOf(word: string | undefined): Protocol | undefined {
  const protocol = protocols.find((known) => known === word);
  if (word !== undefined && protocol === undefined) {
    throw new UsageError(`There is no protocol "${word}". The protocols are ${protocols.join(', ')}.`);
  }
  return protocol;
}
