import { t } from '../../text/translator';
import type { Termination } from '../../wire/termination';
import { jsonInOneLine, jsonValueOf } from '../../wire/jsonValue';
import { LongLine } from '../../wire/lines/longLine';
import { readLongMessage } from '../../wire/lines/longMessage';
import type { WireDirection, WireEvent } from '../../wire/wireEvent';
import { WireLine } from '../../wire/wireLine';
import { silentClient } from './agentClient';
import type { AgentConnection, Connector, Wire } from './agentConnection';

/** Interval between reports of new lines, in milliseconds. */
const sliceMs = 20;

/** The direction of a line, or `err` for stderr. */
export type PublishedDirection = WireDirection | 'err';

/** Maximum amount to buffer until the run is ready, in characters. */
const maxEarlyChars = 8 * 1024 * 1024;

/** The connection to an agent run by another extension, which passes on the lines. Nothing is sent to the agent. */
export class PublishedConnection implements AgentConnection {
  readonly client = silentClient(t('Only the extension that runs it can cancel its requests.'));
  readonly pid = undefined;
  termination: Termination | undefined;
  private wire: Wire | undefined;
  private timer: NodeJS.Timeout | undefined;
  private early: [PublishedDirection, string][] = [];
  private earlyChars = 0;
  private over = false;
  private skippedBytes = 0;
  private settle: () => void = () => undefined;
  readonly ended = new Promise<undefined>((resolve) => {
    this.settle = () => resolve(undefined);
  });

  readonly connector: Connector = (wire) => {
    this.wire = wire;
    // Deferred until the run has its connection.
    setImmediate(() => this.catchUp());
    return Promise.resolve(this);
  };

  /** Accepts a line, without its line break; ignored after the end. A text with line breaks is one message or several lines. */
  line(direction: PublishedDirection, text: string): void {
    if (!/[\r\n]/.test(text)) return this.take(direction, text);
    const { msg } = direction === 'err' ? {} : jsonValueOf(text);
    if (msg !== undefined) return this.take(direction, jsonInOneLine(text, msg));
    for (const line of text.replace(/\r?\n$/, '').split(/\r?\n|\r/)) this.take(direction, line);
  }

  private take(direction: PublishedDirection, text: string): void {
    if (this.over) return;
    if (this.wire && this.early.length === 0) this.deliver(this.wire, direction, text);
    else this.keep(direction, text);
  }

  /** Buffers lines until the run is ready. */
  private keep(direction: PublishedDirection, text: string): void {
    this.earlyChars += text.length;
    if (this.earlyChars <= maxEarlyChars) this.early.push([direction, text]);
    else this.skippedBytes += Buffer.byteLength(text);
  }

  private catchUp(): void {
    const { wire, early } = this;
    if (!wire) return;
    this.early = [];
    for (const [direction, text] of early) this.deliver(wire, direction, text);
    if (this.over) this.finish();
  }

  private deliver(wire: Wire, direction: PublishedDirection, text: string): void {
    if (this.hasNoRoom(wire, text)) return;
    const t = wire.now();
    if (text.length > wire.maxLineBytes) wire.onEvent(longLine(wire, t, direction, text));
    else wire.onEvent(direction === 'err' ? { t, dir: direction, line: text } : WireLine.of(t, direction, text));
    this.timer ??= setTimeout(() => this.flush(), sliceMs);
  }

  /** Reports that the agent has ended, with the reason if known. */
  end(termination?: Termination): void {
    if (this.over) return;
    this.over = true;
    this.termination = termination;
    if (this.wire && this.early.length === 0) this.finish();
  }

  stop(): void {
    this.end();
  }

  private finish(): void {
    this.reportSkipped();
    this.flush();
    this.settle();
  }

  /** The publisher can't be paused, so lines that the disk can't keep up with are dropped and counted. */
  private hasNoRoom(wire: Wire, text: string): boolean {
    if (wire.isBehind()) {
      this.skippedBytes += Buffer.byteLength(text);
      return true;
    }
    this.reportSkipped();
    return false;
  }

  private reportSkipped(): void {
    if (this.skippedBytes > 0) this.wire?.onProcessEvent({ ev: 'skipped', bytes: this.skippedBytes });
    this.skippedBytes = 0;
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.wire?.onSlice();
  }
}

/** What the log keeps of a line over its limit. */
function longLine(
  { maxLineBytes, maxMessageBytes }: Wire,
  t: number,
  dir: PublishedDirection,
  text: string,
): WireEvent {
  const long = new LongLine(maxLineBytes, { maxWholeBytes: maxMessageBytes });
  long.add(Buffer.from(text));
  const line = long.end();
  if (dir === 'err') return { t, dir, line: line.text, bytes: line.bytes };
  const { logged } = readLongMessage(line, maxMessageBytes);
  return WireLine.of(t, dir, logged.line, { ...logged, bytes: line.bytes });
}
