// @ts-check
import { listRules } from '../../src/mcpServers/check/rules/listRules';
import { toolRules } from '../../src/mcpServers/check/rules/toolRules';

/** What providers and agents demand of tools, and how that is known. */
export function toolRuleTable() {
  const rows = [...toolRules, ...listRules].map(
    ({ by, rule, severity, source }) => `| ${by} | ${rule} | ${severity} | ${source} |`,
  );
  return ['| Provider or agent | Rule and limit | Reported as | Source |', '| --- | --- | --- | --- |', ...rows].join(
    '\n',
  );
}
