import { t } from '../../log/translator';
import type { Line } from '../../log/bytes/line';
import { LinePump } from '../../wire/lines/linePump';
import { WireLine } from '../../wire/wireLine';
import type { AgentClient } from './agentClient';
import type { AgentConnection, Connector, Wire } from './agentConnection';
import { AgentProcess } from '../process/agentProcess';
import { HumanError } from '../humanError';
import type { LaunchSpec } from '../config/launchSpec';
import type { ProcessReaper } from '../process/processReaper';
import { pumpStderr } from '../process/stderrPump';

/** Starts a command-line agent that prints its activity as JSON lines and sends no requests. */
export function streamConnector(spec: LaunchSpec, reaper: ProcessReaper): Connector {
  return async (wire) => {
    const process = await AgentProcess.start(spec, reaper);
    wire.onProcessEvent({ ev: 'spawn', pid: process.pid, command: [spec.command, ...spec.args], cwd: spec.cwd });
    process.onEvent((event) => wire.onProcessEvent(event));
    // The prompt is in its arguments; such programs wait for the end of stdin before they start.
    process.stdin.end();
    return connectionOf(process, wire);
  };
}

function connectionOf(process: AgentProcess, wire: Wire): AgentConnection {
  const read = Promise.all([pumpStdout(process, wire), pumpStderr(process, wire)]);
  return {
    client: listener,
    pid: process.pid,
    ended: process.exited.then(async (exit) => {
      await read;
      return exit;
    }),
    // stdin has long been closed, so there is no point in waiting for the effect.
    stop: (grace) => void process.stop({ ...grace, close: 0 }),
  };
}

/** Sends nothing. */
const listener: AgentClient = {
  initialize: () => Promise.resolve({}),
  setLevel: () => Promise.resolve('unsupported'),
  cancelRequest: () => Promise.reject(new HumanError(t('This agent takes no requests. Stop it instead.'))),
  prepareStop: () => Promise.resolve(),
  finish: () => Promise.resolve(),
};

function pumpStdout(
  process: AgentProcess,
  { now, maxLineBytes, onEvent, onPiece, onSlice, onFault, isBehind }: Wire,
): Promise<void> {
  const onLine = (line: Line): void => {
    if (!line.isBlank) onEvent(new WireLine(now(), 'a2c', line, line.bytes));
  };
  return new Promise((resolve) => {
    new LinePump(process.stdout, {
      maxLineBytes,
      onLine,
      onPiece: (bytes) => onPiece('a2c', bytes),
      onSlice,
      onEnd: resolve,
      onError: () => undefined,
      onLineError: (error) => onFault('a2c', error),
      isCongested: isBehind,
    });
  });
}
