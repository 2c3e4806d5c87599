// @ts-check
import { sentNames } from '../../src/mcpServers/check/rules/sentNames';
import { toolRules } from '../../src/mcpServers/check/rules/toolRules';

/** What providers and agents demand of tools, and how that is known. */
export function toolRuleTable() {
  const rows = toolRules.map(({ by, rule, severity, source }) => `| ${by} | ${rule} | ${severity} | ${source} |`);
  return ['| Of | Rule | Reported as | Source |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

/** How agents name the tools of MCP servers for their model. */
export function sentNameTable() {
  const rows = sentNames.map(({ label, form, source }) => `| ${label} | ${form} | ${source} |`);
  return ['| Agent | Name | Source |', '| --- | --- | --- |', ...rows].join('\n');
}
