import type { Cli } from './context';
import type { OptionTypes } from './options';

/** What a running command gets. */
export interface Running {
  /** Loads the context. The tap, whose start has to be fast, does so only if it has something to say. */
  readonly open: () => Promise<Cli>;
  /** The file of this program. */
  readonly program: string;
}

/** A command of the terminal. Parsing, help and dispatch come from the table of these. */
export interface TerminalCommand<Name extends string, Options> {
  readonly name: Name;
  /** The arguments, as in the usage. */
  readonly synopsis: string;
  readonly options: OptionTypes;
  /** Its part of the help, without a line break at the end. */
  readonly help: string;
  /** @throws UsageError */
  readonly parse: (words: readonly string[]) => Options;
  /** Loads what it needs. Returns its exit code; `undefined` if it exits by itself. */
  readonly run: (options: Options, running: Running) => Promise<number | undefined>;
}
