import { ownHead } from '../../../log/ownText';
import { duration, oneLine } from '../../../log/text';
import { BoundedMap } from '../../boundedMap';
import { objectOf, textOf } from '../../json';
import { toolTitle } from '../../streams/toolText';
import type { Note } from './savedNotes';

/** The start of a tool call. */
export interface ToolStart {
  readonly name: string;
  readonly input: unknown;
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

interface OpenTool {
  readonly name: string;
  readonly title: string;
  /** The shell command, if it runs one. */
  readonly command: string | undefined;
  readonly sessionId: string | undefined;
  readonly startedAt: number;
  readonly isUsers: boolean;
  /** True if another turn has started since. */
  isLeft: boolean;
}

/** Maximum number of open tools; the oldest are evicted. */
const maxOpen = 1000;
const maxKey = 256;

/** The open tool calls, because results only have the call's ID. */
export class OpenTools {
  private readonly open = new BoundedMap<string, OpenTool>(maxOpen);

  start(key: string, { name, input, sessionId, startedAt, isUsers }: ToolStart): void {
    const title = oneLine(toolTitle(name, input), 200);
    this.open.set(ownHead(key, maxKey), {
      name,
      title,
      command: textOf(objectOf(input)['command']) ?? textOf(objectOf(input)['cmd']),
      sessionId,
      startedAt,
      isUsers,
      isLeft: false,
    });
  }

  has(key: string): boolean {
    return this.open.get(ownHead(key, maxKey)) !== undefined;
  }

  end(key: string): OpenTool | undefined {
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
  leave(sessionId: string | undefined): OpenTool[] {
    const left = this.open.values().filter((tool) => tool.sessionId === sessionId && !tool.isLeft);
    for (const tool of left) tool.isLeft = true;
    return left;
  }

  /** Closes all. Returns those of turns that were not replaced, oldest first. */
  takeAll(): OpenTool[] {
    const all = this.open.values();
    this.open.clear();
    return all.filter(({ isLeft }) => !isLeft);
  }
}

const words: Readonly<Record<ToolEnd['outcome'], string>> = {
  ok: 'completed',
  failed: 'failed',
  refused: 'refused',
  cancelled: 'cancelled',
};

/** `Bash: npm test (failed, exit 3, in 2.3 s): output`. */
export function describeToolEnd(
  { outcome, title: own, exitCode, ms, output }: ToolEnd,
  call: OpenTool | undefined,
  now: number,
): { readonly note: Note; readonly title: string; readonly took: number | undefined } {
  const title = own ?? call?.title ?? 'tool';
  const hasFailed = outcome === 'failed' || (outcome === 'ok' && exitCode !== undefined && exitCode !== 0);
  const took = ms ?? (call === undefined ? undefined : Math.max(0, now - call.startedAt));
  const state = [
    words[hasFailed ? 'failed' : outcome],
    ...(exitCode === undefined || outcome === 'cancelled' ? [] : [`exit ${exitCode}`]),
    ...(took === undefined ? [] : [`in ${duration(took)}`]),
  ].join(', ');
  const said = oneLine(output, hasFailed ? 1000 : 300);
  const level = hasFailed ? 'warning' : outcome === 'ok' ? 'info' : 'notice';
  const message = `${oneLine(title, 200)} (${state})${said === '' ? '' : `: ${said}`}`;
  return { note: { level, logger: 'tool', message }, title, took };
}
