import { oneLine } from '../../../text/text';
import type { Words } from '../../../text/translator';
import { t } from '../../../text/translator';
import type { ListRule } from './rule';

/** What a client declares, in words. */
export function declared(names: readonly string[] | undefined): string | Words {
  if (!names) return '?';
  return names.length === 0 ? t('nothing') : names.map((name) => oneLine(name, 40)).join(', ');
}

/** How many tools OpenAI takes in a request. */
const maxTools = 128;

/** What providers demand of all tools of a server, and clients of the server. */
export const listRules: readonly ListRule[] = [
  {
    code: 'same-name',
    severity: 'error',
    by: 'Anthropic',
    rule: 'Each tool has another name. With the same name twice, the whole request is refused, or the client drops one of the tools.',
    source: 'onyx-dot-app/onyx#9229, docker/docker-agent#2251, danny-avila/LibreChat#13162',
    advice: t('Rename one of them.'),
    findIn: ({ tools }) => {
      const names = tools.map(({ name }) => name);
      const known = new Set<string>();
      const repeated = names.filter((name) => known.size === known.add(name).size);
      if (repeated.length === 0) return undefined;
      const found = t('The server lists this name more than once, which Anthropic refuses');
      return { ...found, tools: [...new Set(repeated)] };
    },
  },
  {
    code: 'stdout-text',
    severity: 'warning',
    by: 'MCP',
    rule: 'A local server writes nothing but messages to stdout.',
    source: 'MCP specification, "stdio"; the official client skips such lines, VS Code warns of each',
    advice: t('Write it to stderr instead: some clients close the connection.'),
    findIn: ({ conduct: { junk } = {} }) =>
      junk && { ...t('Text on stdout that is no message: "{1}" (lines: {0})', junk.lines, junk.first), tools: [] },
  },
  {
    code: 'no-capability',
    severity: 'warning',
    by: 'MCP, official clients',
    rule: 'A server that has tools declares the capability `tools`.',
    source: 'MCP specification, "Tools"; the official client 2.4.0 asks no other server for tools',
    advice: t('Declare `"tools": {}` in the capabilities of the server.'),
    findIn: ({ tools, conduct: { offers } = {} }) =>
      tools.length > 0 && offers && !offers.includes('tools')
        ? { ...t('Lists tools without declaring the capability `tools`, so many clients see none'), tools: [] }
        : undefined,
  },
  {
    code: 'no-tools',
    severity: 'warning',
    by: 'MCP',
    rule: 'A server lists tools. Which ones may depend on whether its client declares roots, sampling and elicitation.',
    source: 'MCP specification, "Capabilities"; server-everything was seen listing 13 to 16',
    advice: t(
      'Look in its client: some servers list tools only to clients that declare roots, sampling or elicitation.',
    ),
    findIn: ({ tools, conduct: { offers, clientDeclares } = {} }) => {
      const mayHave =
        offers && (offers.includes('tools') || !offers.some((one) => one === 'prompts' || one === 'resources'));
      if (tools.length > 0 || !mayHave) return undefined;
      return { ...t('Lists no tools to a client that declares {0}', declared(clientDeclares)), tools: [] };
    },
  },
  {
    code: 'many-tools',
    severity: 'warning',
    by: 'OpenAI, VS Code',
    rule: `At most ${maxTools} tools, those of all servers together.`,
    source: 'zed-industries/zed#32946, anomalyco/opencode#4909, 0x4m4/hexstrike-ai#89 (VS Code)',
    advice: t("Switch off tools that you don't need."),
    findIn: ({ tools }) =>
      tools.length > maxTools
        ? {
            ...t('The server has {0} tools; OpenAI and VS Code take {1} of all servers', tools.length, maxTools),
            tools: [],
          }
        : undefined,
  },
];
