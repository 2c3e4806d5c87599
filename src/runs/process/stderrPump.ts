import type { Line } from '../../log/bytes/line';
import { LinePump } from '../../wire/lines/linePump';
import type { Wire } from '../connection/agentConnection';
import type { AgentProcess } from './agentProcess';

/** Reads a process's stderr line by line; settles when it has ended. */
export function pumpStderr(
  process: AgentProcess,
  { now, maxLineBytes, onEvent, onPiece, onSlice, onFault, isBehind }: Wire,
): Promise<void> {
  return new Promise((resolve) => {
    const onLine = ({ text, bytes }: Line): void =>
      onEvent({ t: now(), dir: 'err', line: text, ...(bytes !== undefined && { bytes }) });
    new LinePump(process.stderr, {
      maxLineBytes,
      onLine,
      onPiece: (bytes) => onPiece('err', bytes),
      onSlice,
      onEnd: resolve,
      onError: () => undefined,
      onLineError: (error) => onFault('err', error),
      isCongested: isBehind,
    });
  });
}
