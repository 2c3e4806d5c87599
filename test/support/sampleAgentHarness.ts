import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleProgram } from './bundle';
import type { RawMessage } from './rawAcpClient';
import { RawAcpClient } from './rawAcpClient';

/** The sample agent for the current suite, bundled once and started for each test. */
export function useSampleAgent(): SampleAgentHarness {
  const harness = new SampleAgentHarness();
  let folder: string;
  let program: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sample-agent-'));
    program = await bundleProgram('sampleAgent', folder);
  });
  after(() => rm(folder, { recursive: true }));
  beforeEach(() => harness.start(program));
  afterEach(() => harness.stop());
  return harness;
}

/** Helpers for conversations with the sample agent. */
export class SampleAgentHarness {
  private started: RawAcpClient | undefined;

  get client(): RawAcpClient {
    assert(this.started);
    return this.started;
  }

  start(bundle: string): void {
    this.started = new RawAcpClient([bundle]);
  }

  stop(): void {
    this.client.killGroup();
    assert.deepEqual(this.client.junk, [], 'stdout holds nothing but JSON');
    for (const message of this.client.messages) assert.equal(message.jsonrpc, '2.0');
  }

  /** @param capabilities declared in addition to no files and no terminal */
  initialize(capabilities: object = { logging: { level: 'debug' } }, protocolVersion = 1): Promise<RawMessage> {
    return this.client.request('initialize', {
      protocolVersion,
      clientInfo: { name: 'test', version: '1' },
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false, ...capabilities },
    });
  }

  /** Initializes the connection and opens a session. */
  async newSession(capabilities?: object): Promise<string> {
    await this.initialize(capabilities);
    const { result } = await this.client.request('session/new', { cwd: tmpdir(), mcpServers: [] });
    return String(result?.['sessionId']);
  }

  /** Sends a prompt without waiting for the end of the turn. Returns the request's id. */
  sendPrompt(sessionId: string, text: string): number {
    return this.client.send('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
  }

  prompt(sessionId: string, text: string): Promise<RawMessage> {
    return this.client.answerTo(this.sendPrompt(sessionId, text));
  }

  /** The levels of the logs received so far, of one logger or of all. */
  levels(logger?: string): unknown[] {
    const logs = this.client.received('log').filter((log) => logger === undefined || log['logger'] === logger);
    return logs.map(({ level }) => level);
  }

  /** The levels that arrive when one message of each level is logged. */
  async levelsArriving(sessionId: string): Promise<unknown[]> {
    const before = this.levels('sample.levels').length;
    await this.prompt(sessionId, '/levels');
    return this.levels('sample.levels').slice(before);
  }
}
