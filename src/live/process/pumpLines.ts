import type { Readable } from 'node:stream';
import type { Line } from '../../text/bytes/line';
import { LinePump } from '../../wire/lines/linePump';
import type { Wire } from '../connection/agentConnection';
import type { AgentProcess } from './agentProcess';

/** Reads an output stream of a process line by line; settles when it has ended. */
export function pumpLines(
  stream: Readable,
  dir: 'a2c' | 'err',
  { maxLineBytes, onPiece, onSlice, onFault, isBehind }: Wire,
  onLine: (line: Line) => void,
): Promise<void> {
  return new Promise((resolve) => {
    new LinePump(stream, {
      maxLineBytes,
      onLine,
      onPiece: (bytes) => onPiece(dir, bytes),
      onSlice,
      onEnd: resolve,
      onError: () => undefined,
      onLineError: (error) => onFault(dir, error),
      isCongested: isBehind,
    });
  });
}

export function pumpStderr({ stderr }: AgentProcess, wire: Wire): Promise<void> {
  return pumpLines(stderr, 'err', wire, ({ text, bytes }) =>
    wire.onEvent({ t: wire.now(), dir: 'err', line: text, ...(bytes !== undefined && { bytes }) }),
  );
}
