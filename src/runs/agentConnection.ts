import { Backlog } from '../wire/backlog';
import type { Line } from '../wire/lineReader';
import { LinePump } from '../wire/linePump';
import { NdjsonMessageReader } from '../wire/ndjsonMessageReader';
import { NdjsonMessageWriter } from '../wire/ndjsonMessageWriter';
import type { WireEvent } from '../wire/wireEvent';
import type { AcpClientOptions } from './acpClient';
import { AcpClient, notificationForClient } from './acpClient';
import type { AgentProcess } from './agentProcess';

export interface ConnectionOptions {
  /** Longer lines are reported by their beginning, in bytes. */
  readonly maxLineBytes: number;
  readonly now: () => number;
  /** Takes every line, in both directions and of standard error. */
  readonly onEvent: (event: WireEvent) => void;
  /** After each slice of lines. */
  readonly onSlice: () => void;
  /** Whether what was read is not yet on its way to the disk, so that reading has to wait. */
  readonly isBehind: () => boolean;
  readonly client: AcpClientOptions;
}

/** What speaks over a process's pipes, and when they have been read to their end. */
export interface AgentConnection {
  readonly client: AcpClient;
  readonly stdoutRead: Promise<void>;
  readonly stderrRead: Promise<void>;
}

/** Puts an ACP client on a process's pipes, and a tap on all three. */
export function connect(process: AgentProcess, options: ConnectionOptions): AgentConnection {
  const { maxLineBytes, now, onEvent, onSlice, isBehind } = options;
  const stderrRead = new Promise<void>((resolve) => {
    const onLine = ({ text, bytes }: Line): void =>
      onEvent({ t: now(), dir: 'err', line: text, ...(bytes !== undefined && { bytes }) });
    new LinePump(process.stderr, {
      maxLineBytes,
      onLine,
      onSlice,
      onEnd: resolve,
      onError: () => undefined,
      isCongested: isBehind,
    });
  });
  const backlog = new Backlog();
  const reader = new NdjsonMessageReader(process.stdout, {
    backlog,
    isBehind,
    maxLineBytes,
    now,
    onMessage: onEvent,
    onSlice,
    forClient: notificationForClient,
  });
  const writer = new NdjsonMessageWriter(process.stdin, {
    now,
    onMessage: (event) => {
      onEvent(event);
      onSlice();
    },
  });
  const stdoutRead = new Promise<void>((resolve) => reader.onClose(resolve));
  return { client: new AcpClient(reader, writer, backlog, options.client), stdoutRead, stderrRead };
}
