import type { JsonObject } from '../../text/json';
import { textOf } from '../../text/json';
import { cut, oneLine } from '../../text/text';
import type { Words } from '../../text/translator';
import type { CheckTarget } from './checkTarget';
import type { PastCalls } from './pastCalls';
import type { Conduct } from './recordedServer';
import type { ListedTool } from './rules/listedTool';

/** Why a server couldn't be checked, and what to do about it. */
export interface CheckFailure {
  readonly message: Words;
  readonly advice?: Words;
  /** True if the server only wants a login. */
  readonly needsLogin?: boolean;
}

/** Where what is known of a server comes from. Times are in milliseconds since the epoch. */
export type CheckSource =
  | { readonly type: 'started' }
  /** From the recording of a process that runs since then. */
  | { readonly type: 'running'; readonly at: number }
  /** A process runs since then, but nothing recorded says which tools it has. */
  | { readonly type: 'unknown'; readonly at: number }
  /** From the recording of a run that began then: only its client can start it, or it runs and wasn't asked for its tools so far, or none is started. */
  | { readonly type: 'recorded'; readonly at: number; readonly why: 'asks-user' | 'not-asked' | 'not-started' }
  /** None is started, and no recording says which tools it has. */
  | { readonly type: 'unrecorded' };

/** What a server said when it was started once, or in a recording. */
export interface CheckedServer {
  readonly target: CheckTarget;
  readonly source: CheckSource;
  readonly failure?: CheckFailure;
  /** From its start to its answer to `initialize`, in milliseconds. */
  readonly startMs?: number;
  /** Until all tools were listed, in milliseconds. */
  readonly listMs?: number;
  /** Revisions without `ping` have none. */
  readonly pingMs?: number;
  /** What it calls itself. */
  readonly serverName?: string;
  readonly serverVersion?: string;
  readonly protocolVersion?: string;
  readonly instructions?: string;
  readonly tools: readonly ListedTool[];
  /** What it did beside; absent if it wasn't started, and isn't recorded. */
  readonly conduct?: Conduct;
  /** Unknown if the list failed, see `notes`, or isn't in the recording. */
  readonly prompts?: number;
  readonly resources?: number;
  /** What went wrong beside. */
  readonly notes: readonly Words[];
  /** What its tools did in recorded runs. */
  readonly past?: PastCalls;
}

/** What a server says about itself, bounded. */
export function greetingOf({
  name,
  version,
  protocolVersion,
  instructions,
}: JsonObject): Pick<CheckedServer, 'serverName' | 'serverVersion' | 'protocolVersion' | 'instructions'> {
  return {
    ...text('serverName', name),
    ...text('serverVersion', version),
    ...text('protocolVersion', protocolVersion),
    // As they are: hidden characters are looked for.
    ...(typeof instructions === 'string' && instructions !== '' && { instructions: cut(instructions, 100_000) }),
  };
}

function text<K extends string>(field: K, value: unknown): { [P in K]?: string } {
  const known = textOf(value);
  return (known === undefined || known === '' ? {} : { [field]: oneLine(known, 200) }) as { [P in K]?: string };
}
