// @ts-check
import { toolRules } from '../../src/mcpServers/check/rules/toolRules';

/** What providers and agents demand of tools, and how that is known. */
export function toolRuleTable() {
  const rows = toolRules.map(({ by, rule, severity, source }) => `| ${by} | ${rule} | ${severity} | ${source} |`);
  return ['| Of | Rule | Reported as | Source |', '| --- | --- | --- | --- |', ...rows].join('\n');
}
