import { Line } from '../text/bytes/line';
import { jsonValueOf } from './jsonValue';
import type { WireDirection, WireMessage } from './wireEvent';

/** What is known about a line besides its text. */
export interface WireLineParts {
  /** The JSON value of the line, if it has been parsed already. */
  readonly msg?: unknown;
  readonly bytes?: number | undefined;
  readonly kept?: number | undefined;
}

const unread = Symbol('unread');

/** A line whose text is decoded and whose JSON is parsed on first use, and only once. */
export class WireLine implements WireMessage {
  isLog = false;
  private value: unknown;

  constructor(
    readonly t: number,
    readonly dir: WireDirection,
    readonly source: Line,
    readonly bytes?: number,
    readonly kept?: number,
  ) {
    // The beginning of a line isn't valid JSON.
    this.value = bytes === undefined ? unread : undefined;
  }

  /** Creates a line from text. */
  static of(t: number, dir: WireDirection, text: string, parts: WireLineParts = {}): WireLine {
    const line = new WireLine(t, dir, Line.of(text), parts.bytes, parts.kept);
    if ('msg' in parts) line.value = parts.msg;
    return line;
  }

  get line(): string {
    return this.source.text;
  }

  get msg(): unknown {
    if (this.value === unread) this.value = jsonValueOf(this.source.text).msg;
    return this.value;
  }
}
