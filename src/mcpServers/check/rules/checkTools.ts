import { t } from '../../../text/translator';
import { annotationFindings } from './annotationFindings';
import { callFindings } from './callFindings';
import type { Finding } from './finding';
import { merged } from './finding';
import type { ListingServer } from './listedTool';
import { listRules } from './listRules';
import { nameFindings } from './nameFindings';
import type { Found, ListRule, ToolRule } from './rule';
import { textFindings } from './textFindings';
import { toolRules } from './toolRules';

/** A list that takes more of the context than this, in tokens, is a problem before the first prompt. */
const heavyList = 10_000;

/** What is wrong with the tools of servers: the worst first. */
export function checkTools(servers: readonly ListingServer[]): readonly Finding[] {
  return merged([
    ...servers.flatMap((server) => [
      ...ruleFindings(server),
      ...textFindings(server),
      ...annotationFindings(server),
      ...weightFindings(server),
      ...callFindings(server),
    ]),
    ...nameFindings(servers),
  ]);
}

/** How much of a model's context the tools of a server take, in tokens, estimated. */
export function weightOf({ tools }: Pick<ListingServer, 'tools'>): number {
  return tools.reduce((sum, { tokens }) => sum + tokens, 0);
}

function ruleFindings(server: ListingServer): readonly Finding[] {
  const { label, clients, tools } = server;
  const applies = (rule: Pick<ToolRule, 'clients'>): boolean =>
    rule.clients?.some((id) => clients.includes(id)) ?? true;
  const rules = toolRules.filter(applies);
  return [
    ...tools.flatMap((tool) => rules.flatMap((rule) => findingOf(rule, rule.find(tool), label, [tool.name]))),
    ...listRules.filter(applies).flatMap((rule) => {
      const found = rule.findIn(server);
      return findingOf(rule, found, label, found?.tools ?? []);
    }),
  ];
}

function findingOf(
  { code, severity, by, source, advice }: ToolRule | ListRule,
  found: Found | undefined,
  server: string,
  tools: readonly string[],
): readonly Finding[] {
  if (!found) return [];
  const { text, args, at } = found;
  const message = { text, ...(args && { args }) };
  return [{ severity, code, server, tools, message, advice, ...(at !== undefined && at !== '' && { at }), by, source }];
}

function weightFindings(server: ListingServer): readonly Finding[] {
  const tokens = weightOf(server);
  if (tokens <= heavyList) return [];
  const message = t('The list of tools takes about {0} tokens of every context (estimated)', { tokens });
  const advice = t("Switch off tools that you don't need, or shorten their descriptions.");
  return [{ severity: 'warning', code: 'large-list', server: server.label, tools: [], message, advice }];
}
