import type { AcpClientOptions } from './acpClient';
import { AcpClient, notificationForClient } from './acpClient';
import type { Connector } from '../connection/agentConnection';
import type { LaunchSpec } from '../config/launchSpec';
import { ProcessConnection } from '../process/processConnection';
import { ProcessLink } from '../process/processLink';
import type { ProcessReaper } from '../process/processReaper';

/** Starts an agent that speaks ACP over stdin and stdout. */
export function acpConnector(spec: LaunchSpec, reaper: ProcessReaper, options: AcpClientOptions): Connector {
  return async (wire) => {
    const link = await ProcessLink.start(spec, reaper, wire, notificationForClient);
    return new ProcessConnection(link, new AcpClient(link, options));
  };
}
