import '../../../../support/vscodeStub';
import assert from 'node:assert/strict';
import { AgentServer, offerAgentServer } from '../../../../../src/ui/services/mcp/agentServer';

interface Definition {
  readonly args: readonly string[];
}

interface Provider {
  provideMcpServerDefinitions(): readonly Definition[];
  resolveMcpServerDefinition(definition: Definition): Promise<Definition>;
}

describe('the MCP server that VS Code lists', () => {
  let made = 0;
  const tap = { make: () => (made++, Promise.resolve('/state/agent-logs.cjs')) };
  const server = new AgentServer(tap, '/journals');

  function providerWith(isShown: boolean): Provider | undefined {
    let found: Provider | undefined;
    const registered = (id: string, provider: unknown): { dispose(): void } => {
      assert.equal(id, 'agentLogs.mcp');
      found = provider as Provider;
      return { dispose: () => undefined };
    };
    const McpStdioServerDefinition = class {
      constructor(
        readonly label: string,
        readonly command: string,
        public args: string[],
        readonly env: Record<string, string>,
        readonly version: string,
      ) {}
    };
    const lm = { registerMcpServerDefinitionProvider: registered };
    offerAgentServer(server, { isShown }, '1.2.3', { lm, McpStdioServerDefinition });
    return found;
  }

  it('is written when it starts, not when it is listed', async () => {
    const provider = providerWith(true);
    const [definition, ...rest] = provider?.provideMcpServerDefinitions() ?? [];
    assert.ok(provider && definition && rest.length === 0);
    assert.deepEqual([definition.args, made], [[], 0]);
    const { args } = await provider.resolveMcpServerDefinition(definition);
    assert.deepEqual([args, made], [['/state/agent-logs.cjs', 'mcp', '--journals', '/journals'], 1]);
  });

  it('is not offered if saved sessions may not be read', () => {
    assert.deepEqual(providerWith(false)?.provideMcpServerDefinitions(), []);
  });
});
