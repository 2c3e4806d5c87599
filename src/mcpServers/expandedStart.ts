import type { VariableValues } from '../agents/mcpVariables';
import type { ConfiguredServer, ServerStart } from './configuredServers';

/** How a server is started, with the variables of its client's file expanded. */
export function expandedStart({ client, start, folder }: ConfiguredServer, values: VariableValues): ServerStart {
  const { expand = (text: string) => text } = client.form;
  const own = folder === undefined ? values : { ...values, workspaceFolder: folder };
  const full = (text: string): string => expand(text, own);
  const fullAll = (texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
    Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, full(text)]));
  if (start.type === 'http') return { ...start, url: full(start.url), headers: fullAll(start.headers) };
  return {
    type: start.type,
    command: full(start.command),
    args: start.args.map(full),
    env: fullAll(start.env),
    ...(start.cwd !== undefined && { cwd: full(start.cwd) }),
  };
}

/** Whether the client asks the user for a value before it starts the server. */
export function asksUser({ start }: ConfiguredServer): boolean {
  return JSON.stringify(start).includes('${input:');
}
