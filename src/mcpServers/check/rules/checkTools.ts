import { short } from '../../../timeline/usageText';
import { t } from '../../../text/translator';
import { annotationFindings } from './annotationFindings';
import { callFindings } from './callFindings';
import type { Finding } from './finding';
import { merged } from './finding';
import type { ListingServer } from './listedTool';
import { nameFindings } from './nameFindings';
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

function ruleFindings({ label, clients, tools }: ListingServer): readonly Finding[] {
  const rules = toolRules.filter((rule) => rule.clients?.some((id) => clients.includes(id)) ?? true);
  return tools.flatMap((tool) =>
    rules.flatMap(({ code, severity, advice, find }): Finding[] => {
      const message = find(tool);
      return message ? [{ severity, code, server: label, tools: [tool.name], message, advice }] : [];
    }),
  );
}

function weightFindings(server: ListingServer): readonly Finding[] {
  const tokens = weightOf(server);
  if (tokens <= heavyList) return [];
  const message = t('The list of tools takes about {0} tokens of every context (estimated)', short(tokens));
  const advice = t("Switch off tools that you don't need, or shorten their descriptions.");
  return [{ severity: 'warning', code: 'large-list', server: server.label, tools: [], message, advice }];
}
