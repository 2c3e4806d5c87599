import { t } from '../../../text/translator';
import type { ListRule } from './rule';

/** How many tools OpenAI takes in a request. */
const maxTools = 128;

/** What providers demand of all tools of a server. */
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
