import type { RealAgent } from '../realAgent';
import type { Trial } from '../trial';

/** MCP's reference server for a knowledge graph: has tools, but no logging. */
export const mcpMemory: RealAgent = {
  name: 'mcp-memory',
  package: '@modelcontextprotocol/server-memory',
  version: '2026.8.31',
  protocol: 'mcp',
  program: 'mcp-server-memory',
  env: { MEMORY_FILE_PATH: '${userHome}/memory.jsonl' },
  scenarios: [{ name: 'tools', play }],
};

async function play(trial: Trial): Promise<void> {
  const { run, checks } = trial;
  await trial.start();
  checks.equal('setLevel("debug")', await run.setLevel('debug'), 'unsupported');
  const tools = await trial.step('tools', () => run.listTools());
  checks.that('there are tools', tools.length > 5, tools.map(({ name }) => name).join(' '));
  const entities = [{ name: 'Ada', entityType: 'person', observations: ['wrote the first program'] }];
  await trial.callTool('create_entities', { entities });
  const graph = await trial.callTool('read_graph', {});
  checks.that('the graph has what was put into it', graph.includes('wrote the first program'), graph);
  checks.equal('the exit code', (await trial.stop()).exitCode, 0);
}
