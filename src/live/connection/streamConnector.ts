import { t } from '../../text/translator';
import { WireLine } from '../../wire/wireLine';
import { silentClient } from './agentClient';
import type { AgentConnection, Connector, Wire } from './agentConnection';
import { AgentProcess } from '../process/agentProcess';
import type { LaunchSpec } from '../config/launchSpec';
import type { ProcessReaper } from '../process/processReaper';
import { pumpLines, pumpStderr } from '../process/pumpLines';

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
  const stdoutRead = pumpLines(process.stdout, 'a2c', wire, (line) => {
    if (!line.isBlank) wire.onEvent(new WireLine(wire.now(), 'a2c', line, line.bytes));
  });
  const read = Promise.all([stdoutRead, pumpStderr(process, wire)]);
  return {
    client: silentClient(t('This agent takes no requests. Stop it instead.')),
    pid: process.pid,
    ended: process.exited.then(async (exit) => {
      await read;
      return exit;
    }),
    // stdin has long been closed, so there is no point in waiting for the effect.
    stop: (grace) => void process.stop({ ...grace, close: 0 }),
  };
}
