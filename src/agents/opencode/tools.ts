import type { JsonObject } from '../../text/json';
import { numberOf, objectOf, textOf } from '../../text/json';
import type { ToolEnd } from '../../protocols/agentWriter/verbs';
import { changesOfState } from './changes';
import { textIn } from '../reading/saved/parts';
import { exitCodeIn } from '../../work/tools/toolOutput';

/** A tool call as both versions save and print it. */
export interface OpencodeCall {
  /** The model's ID of it. */
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly input: unknown;
  readonly status: string | undefined;
  /** How it ended, if it has. */
  readonly end: ToolEnd | undefined;
}

/** Reads a part of version 1, an item of version 2's messages, or the part that version 2 prints, which is like version 1's. */
export function callOf(part: JsonObject): OpencodeCall {
  const state = objectOf(part['state']);
  const status = textOf(state['status']);
  const hasEnded = status === 'completed' || status === 'error';
  return {
    id: textOf(part['callID']) ?? textOf(part['id']),
    name: textOf(part['tool']) ?? textOf(part['name']),
    input: state['input'],
    status,
    end: hasEnded ? endOf(status, state, timeOf(part)) : undefined,
  };
}

function endOf(status: 'completed' | 'error', state: JsonObject, ms: number | undefined): ToolEnd {
  const error = textOf(state['error']) ?? textOf(objectOf(state['error'])['message']);
  const output = textOf(state['output']) ?? textIn(state['content'], '');
  return {
    outcome: status === 'completed' ? completed(output) : failed(textOf(objectOf(state['error'])['type']), error),
    exitCode: exitCodeIn(state['metadata']),
    ...(ms !== undefined && { ms }),
    error,
    output: error ?? output,
    changes: changesOfState(state),
  };
}

/** Milliseconds. */
function timeOf(part: JsonObject): number | undefined {
  const { start, end } = objectOf(objectOf(part['state'])['time']);
  const { created, ran, completed: over } = objectOf(part['time']);
  const from = numberOf(start) ?? numberOf(ran) ?? numberOf(created);
  const to = numberOf(end) ?? numberOf(over);
  return from === undefined || to === undefined ? undefined : Math.max(0, to - from);
}

/** Version 1 gives an aborted command the status `completed`. */
function completed(output: string): ToolEnd['outcome'] {
  return /\bUser aborted the command\b/.test(output.slice(-500)) ? 'cancelled' : 'ok';
}

function failed(type: string | undefined, error = ''): ToolEnd['outcome'] {
  if (type === 'aborted' || /\baborted\b/i.test(error)) return 'cancelled';
  const isRefused =
    type === 'permission.rejected' ||
    /\b(?:rejected permission|user rejected|denied by|the request was rejected)\b/i.test(error);
  return isRefused ? 'refused' : 'error';
}
