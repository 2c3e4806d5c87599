import { oneLine } from '../../log/text';
import { ownHead } from '../../log/ownText';
import { BoundedMap } from '../../log/boundedMap';

/** A called tool. */
export interface CalledTool {
  readonly name: string;
  /** The shell command, if it runs one. */
  readonly command: string | undefined;
}

/** The start of a tool call. */
export interface ToolCall {
  /** The tool's name and main argument, on one line. */
  readonly title: string;
  readonly sessionId: string | undefined;
  /** The agent's own start time, in milliseconds since the epoch, if given. */
  readonly startedAt: number | undefined;
  readonly called: CalledTool;
}

const maxName = 1000;
/** Maximum number of open calls; the oldest are evicted. */
const maxOpen = 1000;
const maxId = 256;
const maxCalls = 500;

/** The open tool calls, because a result only has the call's ID. */
export class ToolCalls {
  private readonly open = new BoundedMap<string, ToolCall>(maxOpen);
  /** Includes calls that have ended, because a result may arrive twice. */
  private readonly calls = new BoundedMap<string, CalledTool>(maxCalls);

  begin(id: string, call: ToolCall): void {
    const key = ownHead(id, maxId);
    const { name, command } = call.called;
    const called = { name: ownHead(name, maxName), command: command && ownHead(command, maxName) };
    this.calls.set(key, called);
    this.open.set(key, { ...call, title: oneLine(call.title, 200), called });
  }

  /** Ends a call and returns it. */
  end(id: string): ToolCall | undefined {
    const key = ownHead(id, maxId);
    const call = this.open.get(key);
    this.open.delete(key);
    return call;
  }

  called(id: string): CalledTool | undefined {
    return this.calls.get(ownHead(id, maxId));
  }

  /** Ends all open calls and returns them, oldest first. */
  endAll(): ToolCall[] {
    const all = this.open.values();
    this.open.clear();
    return all;
  }
}
