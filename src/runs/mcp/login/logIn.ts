import type { RemoteSpec } from '../../config/launchSpec';
import type { LoginPorts } from './loginPorts';
import { McpLogin } from './mcpLogin';

/**
 * Lets the user log in to a server that no run is connected to.
 * @throws Cancelled, or HumanError with what went wrong
 */
export async function logIn(agentName: string, spec: RemoteSpec, ports: LoginPorts): Promise<void> {
  const library = await import('../mcpLibrary');
  await new McpLogin(library, agentName, spec, ports).logIn();
}
