import type { RealAgent } from '../realAgent';
import type { Trial } from '../trial';

/** MCP's reference server for files. It asks for the roots, and serves only what is inside them. */
export const mcpFilesystem: RealAgent = {
  name: 'mcp-filesystem',
  package: '@modelcontextprotocol/server-filesystem',
  version: '2026.8.31',
  protocol: 'mcp',
  program: 'mcp-server-filesystem',
  scenarios: [{ name: 'roots', play }],
};

/** Without folders on its command line, it uses the client's roots. */
async function play(trial: Trial): Promise<void> {
  const { run, checks, sandbox } = trial;
  await trial.start();
  checks.equal('setLevel("debug")', await run.setLevel('debug'), 'unsupported');
  await trial.wait(500); // it asks for the roots after initialization
  const asked = trial.events.flatMap((event) => (event.dir === 'a2c' && event.line.includes('roots/list') ? [1] : []));
  checks.equal('how often it asked for the roots', asked.length, 1);
  const allowed = await trial.callTool('list_allowed_directories', {});
  checks.that('it serves the project', allowed.includes(sandbox.project), allowed);
  const listed = await trial.callTool('list_directory', { path: sandbox.project });
  checks.that('it lists the project', listed.includes('README.md'), listed);
  const outside = await trial.step('outside', () => run.callTool('list_directory', { path: '/' }));
  checks.equal('isError for what is outside', outside['isError'], true);
  checks.equal('the exit code', (await trial.stop()).exitCode, 0);
}
