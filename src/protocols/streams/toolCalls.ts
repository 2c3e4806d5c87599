import { oneLine } from '../../log/text';
import { ownHead } from '../../log/ownText';
import { BoundedMap } from '../boundedMap';

/** A tool that an agent has begun to use. */
export interface ToolCall {
  /** The tool's name and what it works on, on one line. */
  readonly title: string;
  readonly sessionId: string | undefined;
  /** Its own time of beginning, in milliseconds since the epoch, where the event had one. */
  readonly startedAt: number | undefined;
}

/** What is called. */
export interface CalledTool {
  readonly name: string;
  /** The command that it runs. */
  readonly command: string | undefined;
}

const maxName = 1000;
/** Maximum number of open calls; the oldest are forgotten. */
const maxOpen = 1000;
const maxId = 256;
const maxCalls = 500;

/** The tools that are in use: a result names only the id of its call. */
export class ToolCalls {
  private readonly open = new Map<string, ToolCall>();
  /** Also of calls that have ended: a result may come twice. */
  private readonly calls = new BoundedMap<string, CalledTool>(maxCalls);

  begin(id: string, call: ToolCall, { name, command }: CalledTool): void {
    const key = ownHead(id, maxId);
    const called = { name: ownHead(name, maxName), command: command && ownHead(command, maxName) };
    this.calls.set(key, called);
    this.open.delete(key);
    this.open.set(key, { ...call, title: oneLine(call.title, 200) });
    const [oldest] = this.open.keys();
    if (this.open.size > maxOpen && oldest !== undefined) this.open.delete(oldest);
  }

  /** The call that has come to its end. */
  end(id: string): ToolCall | undefined {
    const key = ownHead(id, maxId);
    const call = this.open.get(key);
    this.open.delete(key);
    return call;
  }

  called(id: string): CalledTool | undefined {
    return this.calls.get(ownHead(id, maxId));
  }

  /** All that are open, oldest first, which then no longer are. */
  endAll(): ToolCall[] {
    const all = [...this.open.values()];
    this.open.clear();
    return all;
  }
}
