import { ownHead } from '../../../log/ownText';
import { oneLine } from '../../../log/text';
import { BoundedMap } from '../../../log/boundedMap';
import { objectOf, textOf } from '../../../log/json';
import type { Ended } from '../../../work/step';
import { toolTitle } from '../../streams/toolText';
import type { Place } from './savedNotes';

/** A tool call that has started. */
export interface ToolCall {
  /** Identifies the call in its result. */
  readonly key: string | undefined;
  readonly name: string;
  /** `Bash: npm test`. */
  readonly title: string;
  /** The shell command, if it runs one. */
  readonly command: string | undefined;
  readonly sessionId: string | undefined;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** True if the user ran it, not the agent. */
  readonly isUsers: boolean;
}

/** The end of a tool call. */
export interface ToolEnd {
  /** `refused` by the user or a rule, `cancelled` while it ran; neither is a tool failure. */
  readonly outcome: 'ok' | 'failed' | 'refused' | 'cancelled';
  /** For a tool whose start wasn't recorded. */
  readonly title?: string | undefined;
  readonly exitCode?: number | undefined;
  /** Milliseconds. */
  readonly ms?: number | undefined;
  readonly output: string;
}

interface OpenTool extends ToolCall {
  /** True if another turn has started since. */
  isLeft: boolean;
}

/** Maximum number of open tools; the oldest are evicted. */
const maxOpen = 1000;
const maxKey = 256;

/** The open tool calls, because results only have the call's ID. */
export class OpenTools {
  private readonly open = new BoundedMap<string, OpenTool>(maxOpen);

  /** A call without a key can't be matched with its result. */
  start(call: ToolCall): void {
    if (call.key !== undefined) this.open.set(ownHead(call.key, maxKey), { ...call, isLeft: false });
  }

  has(key: string): boolean {
    return this.open.has(ownHead(key, maxKey));
  }

  end(key: string): ToolCall | undefined {
    const short = ownHead(key, maxKey);
    const tool = this.open.get(short);
    this.open.delete(short);
    return tool;
  }

  /** Drops the tools of an interrupted turn, which get no end. */
  closeAll(sessionId: string | undefined): void {
    for (const key of this.open.keys()) if (this.open.get(key)?.sessionId === sessionId) this.open.delete(key);
  }

  /** Returns the tools that the previous turn left running, once each. */
  leave(sessionId: string | undefined): readonly ToolCall[] {
    const left = this.open.values().filter((tool) => tool.sessionId === sessionId && !tool.isLeft);
    for (const tool of left) tool.isLeft = true;
    return left;
  }

  /** Closes all. Returns those of turns that were not replaced, oldest first. */
  takeAll(): readonly ToolCall[] {
    const all = this.open.values();
    this.open.clear();
    return all.filter(({ isLeft }) => !isLeft);
  }
}

export function toolCall(
  { event, sessionId }: Place,
  key: string | undefined,
  name: string,
  input: unknown,
  isUsers: boolean,
): ToolCall {
  const { command, cmd } = objectOf(input);
  return {
    key,
    name,
    title: oneLine(toolTitle(name, input), 200),
    command: textOf(command) ?? textOf(cmd),
    sessionId,
    startedAt: event.t,
    isUsers,
  };
}

/** The end of a tool that the user ran, which is no work of the agent. */
export function endOf({ outcome, exitCode }: ToolEnd): Ended {
  const isBad = outcome === 'failed' || (outcome === 'ok' && exitCode !== undefined && exitCode !== 0);
  return { outcome: isBad ? 'error' : outcome, exitCode };
}
