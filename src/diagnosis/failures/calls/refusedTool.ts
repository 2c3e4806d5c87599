import type { Words } from '../../../text/translator';
import { t } from '../../../text/translator';
import type { Conversation } from '../../conversation/conversation';

/** The name of a tool in the words of a provider or an agent. */
const named = /\b(?:function|tool) (?:name )?['"`\u2018\u201c]?([A-Za-z_][\w.-]{2,127})['"`\u2019\u201d:]/i;
/** Its place in the request, from 0. Gemini has all functions in the first tool. */
const numbered = /\bfunction_?declarations\[(\d{1,4})\]|\btools(?:\.|\[)(\d{1,4})\b/i;
const tooMany = /\barray too long\b|\btoo many tools\b|\bmaximum (?:number )?of \d+ (?:tools|functions)\b/i;

/**
 * What to do about a tool that the provider refuses. One such tool makes every request fail.
 * @param words of the provider
 */
export function refusedToolAdvice(words: string, { tools, mcpServers }: Conversation): Words {
  if (tooMany.test(words)) return t('Disable some MCP servers or tools: the provider takes a limited number of tools.');
  const [, function_, tool] = numbered.exec(words) ?? [];
  const place = function_ ?? tool;
  const name = (place === undefined ? undefined : tools[Number(place)]) ?? named.exec(words)?.[1];
  if (name === undefined) {
    return place === undefined
      ? t('Remove or fix the tool that the provider names, or disable its MCP server.')
      : t('Remove or fix tool {0} of the request, counted from 0, or disable its MCP server.', place);
  }
  const server = serverOf(name, mcpServers);
  return server === undefined
    ? t('Remove or fix the tool `{0}`: the provider refuses every request that has it.', name)
    : t('Remove or fix the tool `{0}` of the MCP server `{1}`, or disable that server.', name, server);
}

/** The MCP server of a tool, as agents put it into the tool's name: `mcp__SERVER__TOOL`, `mcp_SERVER_TOOL`, `SERVER-TOOL`. */
function serverOf(name: string, known: readonly string[]): string | undefined {
  const [, server] = /^mcp__(.+?)__/.exec(name) ?? [];
  if (server !== undefined) return server;
  const plain = name.replace(/^mcp_/, '');
  return known.find((one) => one !== '' && plain.startsWith(one) && /^[_-]/.test(plain.slice(one.length)));
}
