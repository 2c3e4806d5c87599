/** Validates a value. */
type Check<Value> = (value: unknown) => value is Value;
type Checks = Readonly<Record<string, Check<unknown>>>;
type Checked<All extends Checks> = {
  readonly [Name in keyof All]: All[Name] extends Check<infer Value> ? Value : never;
};

/** A call of the page: its arguments, and the type of its answer. */
export interface Call<Args, Answer> {
  /** The arguments without anything else; `undefined` if one is missing or invalid. */
  parse(value: unknown): Args | undefined;
  /** The page drops its answer once it has made this call of the same group. */
  readonly overtakenBy: string | undefined;
  /** Exists as a type only: the page trusts its host. */
  readonly answer?: Answer;
}

/** Starts the entry of a call in the list. */
export function args<All extends Checks>(checks: All) {
  const parse = (value: unknown): Checked<All> | undefined => {
    if (typeof value !== 'object' || value === null) return undefined;
    const given = Object.entries(checks).map(([name, isValid]) => {
      const one: unknown = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
      return { name, one, isValid: isValid(one) };
    });
    if (!given.every(({ isValid }) => isValid)) return undefined;
    return Object.fromEntries(given.map(({ name, one }) => [name, one])) as Checked<All>;
  };
  return {
    gives: <Answer = void>({ overtakenBy }: { readonly overtakenBy?: string } = {}): Call<Checked<All>, Answer> => ({
      parse,
      overtakenBy,
    }),
  };
}

/** A whole number from 0. */
export function count(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

export function upTo(max: number, least = 0): Check<number> {
  return (value): value is number => count(value) && value >= least && value <= max;
}

/** @param max in UTF-16 units */
export function text(max: number): Check<string> {
  return (value): value is string => typeof value === 'string' && value.length <= max;
}

export function counts(max: number): Check<readonly number[]> {
  return (value): value is readonly number[] => Array.isArray(value) && value.length <= max && value.every(count);
}

export function oneOf<const Value>(values: readonly Value[]): Check<Value> {
  return (value): value is Value => (values as readonly unknown[]).includes(value);
}

export function orNull<Value>(check: Check<Value>): Check<Value | null> {
  return (value): value is Value | null => value === null || check(value);
}
