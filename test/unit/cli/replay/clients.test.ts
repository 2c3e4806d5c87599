import { client, methods } from '@agentclientprotocol/sdk/experimental/v2';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import type { Protocol } from '../../../../src/wire/protocol';
import { acpStreamOf, resultOf, useCli } from '../../../support/cli';

/** The path of one of the fake agents, and its arguments. */
const fake = (name: string, ...args: readonly string[]): readonly string[] => {
  return [process.execPath, resolve('test/fakeAgents', `${name}.mjs`), ...args];
};

describe('agent-logs replay: official clients see what they saw when it was recorded', () => {
  const cli = useCli();

  /** Has a client talk to an agent through the tap, then to the recording. */
  async function twice<T>(
    protocol: Protocol,
    agent: readonly string[],
    talk: (words: readonly string[]) => Promise<T>,
  ): Promise<readonly [recorded: T, replayed: T]> {
    const folder = cli.newFolder();
    mkdirSync(folder);
    const journal = join(folder, 'run.ndjson');
    const recorded = await talk(['tap', '--protocol', protocol, '--journal', journal, '--', ...agent]);
    return [recorded, await talk(['replay', journal])];
  }

  /** A session with some prompts, in version 2, where turns end after the answers to their prompts. */
  async function acpSession(words: readonly string[], prompts: readonly string[]) {
    const child = cli.start(words);
    const result = resultOf(child);
    const seen: string[] = [];
    let turnEnded = (): void => undefined;
    const stream = acpStreamOf(child);
    await client({ name: 'test' })
      .onNotification(methods.client.session.update, ({ params }) => {
        seen.push(JSON.stringify(params.update));
        if ('state' in params.update && params.update.state === 'idle') turnEnded();
      })
      .onRequest(methods.client.session.requestPermission, ({ params }) => {
        seen.push(`permission ${params.title}`);
        return { outcome: { outcome: 'selected', optionId: params.options[0]?.optionId ?? '' } };
      })
      .connectWith(stream, async (agent) => {
        const about = { protocolVersion: 2, info: { name: 'test', version: '1' }, capabilities: {} };
        const { protocolVersion } = await agent.request(methods.agent.initialize, about);
        seen.push(`version ${protocolVersion}`);
        const { sessionId } = await agent.request(methods.agent.session.new, { cwd: tmpdir(), mcpServers: [] });
        for (const text of prompts) {
          const ended = new Promise<void>((done) => (turnEnded = done));
          const prompt = [{ type: 'text' as const, text }];
          await agent.request(methods.agent.session.prompt, { sessionId, prompt });
          await ended;
        }
      });
    child.stdin.end();
    const { code } = await result;
    return { seen, code };
  }

  it('ACP 2', async () => {
    const [recorded, replayed] = await twice('acp', fake('version2'), (words) =>
      acpSession(words, ['hello', '/permission', '/subagents ask']),
    );
    assert.deepEqual(replayed, recorded);
    assert.equal(replayed.seen.filter((one) => one.startsWith('permission')).length, 2);
    assert.match(replayed.seen.at(-1) ?? '', /"stopReason":"end_turn","state":"idle"/);
  });

  it('MCP over stdio', async () => {
    const [recorded, replayed] = await twice('mcp', fake('mcp-official'), async (words) => {
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [cli.program, ...words],
        env: { ...process.env, XDG_STATE_HOME: cli.folder },
        stderr: 'ignore',
      });
      const mcp = new Client({ name: 'test', version: '1' });
      // What its transport reads: the client itself drops progress that arrives in one chunk with the result.
      const messages: unknown[] = [];
      transport.onmessage = (message) => void messages.push(message);
      const seen: unknown[] = [];
      await mcp.connect(transport);
      seen.push(mcp.getServerVersion(), mcp.getServerCapabilities());
      // Deprecated along with the rest of MCP logging, which servers still have.
      // eslint-disable-next-line @typescript-eslint/no-deprecated
      await mcp.setLoggingLevel('warning');
      seen.push((await mcp.listTools()).tools);
      const onprogress = (): void => undefined;
      seen.push(await mcp.callTool({ name: 'work', arguments: {} }, { onprogress }));
      await mcp.close();
      return { seen, messages };
    });
    assert.deepEqual(replayed, recorded);
    assert.match(JSON.stringify(replayed.messages), /"progress":1,.*said at alert/);
  });

  it('LSP', async () => {
    const [recorded, replayed] = await twice('lsp', fake('lsp-server'), async (words) => {
      const child = cli.start(words);
      const result = resultOf(child);
      const seen: unknown[] = [];
      const streams = [new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin)] as const;
      const connection = createMessageConnection(...streams);
      const asked = new Promise<void>((done) => {
        connection.onNotification((method, params) => {
          seen.push([method, params]);
          if (JSON.stringify(params).includes('asked all')) done();
        });
      });
      connection.onRequest((method, params) => {
        seen.push([method, params]);
        return null;
      });
      connection.listen();
      seen.push(await connection.sendRequest('initialize', { processId: null, rootUri: null, capabilities: {} }));
      await connection.sendNotification('initialized', {});
      await asked;
      seen.push(await connection.sendRequest('shutdown'));
      await connection.sendNotification('exit');
      child.stdin.end();
      const { code, stderr } = await result;
      return { seen, code, stderr };
    });
    assert.deepEqual(replayed, recorded);
    assert.equal(replayed.code, 0);
    assert.ok(replayed.seen.length > 15, String(replayed.seen.length));
  });
});
