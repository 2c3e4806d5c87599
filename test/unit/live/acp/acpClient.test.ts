import assert from 'node:assert/strict';
import { PassThrough, Readable, Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { ndJsonStream } from '@agentclientprotocol/sdk/experimental/v2';
import type { AcpClientOptions } from '../../../../src/live/acp/acpClient';
import { AcpClient } from '../../../../src/live/acp/acpClient';
import { notificationForClient } from '../../../../src/live/acp/acpSessions';
import type { PermissionRequest } from '../../../../src/live/acp/permissions';
import type { JsonObject } from '../../../../src/text/json';
import { objectOf } from '../../../../src/text/json';
import { serveVersion2 } from '../../../fakeAgents/lib/version2Agent.mjs';
import { column } from '../../../support/columns';
import { MessagePipes } from '../../../support/messagePipes';

const none = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => undefined }) } as never;

function clientOf(pipes: MessagePipes, options: Partial<AcpClientOptions> = {}): AcpClient {
  return new AcpClient(pipes, {
    agentName: 'Agent',
    clientInfo: { name: 'test', title: 'Test', version: '1' },
    askPermission: () => Promise.resolve(undefined),
    chooseAuthMethod: () => Promise.resolve(undefined),
    setLevelTimeout: 1000,
    version: 2,
    ...options,
  });
}

interface Connected {
  readonly client: AcpClient;
  readonly pipes: MessagePipes;
}

/** A client of an agent with these answers to `initialize`, in order. */
function scripted(answers: readonly object[], options: Partial<AcpClientOptions> = {}): Connected {
  const pipes = new MessagePipes();
  let n = 0;
  pipes.onSent('initialize', (id) => pipes.receive({ id, ...answers[Math.min(n++, answers.length - 1)] }));
  return { client: clientOf(pipes, options), pipes };
}

/** A client of an agent that speaks version 2. */
async function version2(options: Partial<AcpClientOptions> = {}): Promise<Connected & { readonly sessionId: string }> {
  const pipes = new MessagePipes();
  const [toAgent, toClient] = [new PassThrough(), new PassThrough()];
  pipes.onAnySent((message) => toAgent.write(`${JSON.stringify(message)}\n`));
  let rest = '';
  toClient.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) pipes.receive(JSON.parse(line) as object);
  });
  serveVersion2(ndJsonStream(Writable.toWeb(toClient), Readable.toWeb(toAgent)));
  const client = clientOf(pipes, options);
  await client.initialize('debug', none);
  return { client, pipes, sessionId: await client.sessions.newSession('/') };
}

function sentOf(pipes: MessagePipes, method: string): JsonObject[] {
  return pipes.sent.filter((message) => message['method'] === method).map(({ params }) => objectOf(params));
}

/** A user who answers every question with this, or never. */
function user(answer?: string): { readonly asked: PermissionRequest[] } & Pick<AcpClientOptions, 'askPermission'> {
  const asked: PermissionRequest[] = [];
  const askPermission = (request: PermissionRequest): Promise<string | undefined> => {
    asked.push(request);
    return answer === undefined ? new Promise(() => undefined) : Promise.resolve(answer);
  };
  return { asked, askPermission };
}

describe('ACP client: versions', () => {
  it('offers version 2 with the fields of both versions', async () => {
    const { client, pipes } = scripted([{ result: { protocolVersion: 2, info: {} } }]);
    await client.initialize('info', none);
    const [offer, ...others] = sentOf(pipes, 'initialize');
    assert.deepEqual(others, []);
    assert.deepEqual([offer?.['protocolVersion'], offer?.['info']], [2, offer?.['clientInfo']]);
    for (const name of ['capabilities', 'clientCapabilities']) {
      const capabilities = objectOf(offer?.[name]);
      assert.deepEqual(capabilities['logging'], { level: 'info' });
      assert.deepEqual(capabilities['_meta'], { 'agent-logs': { logging: { level: 'info' } } });
    }
    assert.ok(!client.sessions.canCloseSessions, 'no session capability');
  });

  it("repeats initialize in version 1's form if the agent answers 1, and then ignores an error", async () => {
    const answer = { result: { protocolVersion: 1, agentCapabilities: { sessionCapabilities: { close: {} } } } };
    for (const second of [answer, { error: { code: -32600, message: 'Already initialized' } }]) {
      const { client, pipes } = scripted([answer, second]);
      await client.initialize('info', none);
      const [, repeat] = sentOf(pipes, 'initialize');
      assert.equal(repeat?.['protocolVersion'], 1);
      assert.equal(repeat['capabilities'], undefined);
      assert.equal(client.sessions.canCloseSessions, true);
    }
  });

  it('offers only version 1 if the settings say so', async () => {
    const { client, pipes } = scripted([{ result: { protocolVersion: 1 } }], { version: 1 });
    await client.initialize('off', none);
    assert.deepEqual(column(sentOf(pipes, 'initialize'), 'protocolVersion'), [1]);
  });

  it('rejects version 3, and version 2 if it offered 1', async () => {
    for (const version of [2, 1] as const) {
      const protocolVersion = version + 1;
      const { client } = scripted([{ result: { protocolVersion } }], { version });
      await assert.rejects(client.initialize('info', none), /speaks version \d of the Agent Client Protocol/);
    }
  });
});

describe('ACP client: version 2', () => {
  it('receives only the updates that its requests depend on', () => {
    const kinds = ['state_update', 'user_message', 'subagent_update', 'agent_message_chunk', 'tool_call_update'];
    const passed = kinds.filter((sessionUpdate) => {
      const params = { update: { sessionUpdate } } as never;
      return notificationForClient({ jsonrpc: '2.0', method: 'session/update', params });
    });
    assert.deepEqual(passed, ['state_update', 'user_message', 'subagent_update']);
  });

  it('waits for the end of a turn, and of a queued one', async () => {
    const { client, pipes, sessionId } = await version2();
    const ends = await Promise.all(['one', 'two'].map((text) => client.sessions.prompt(sessionId, text)));
    assert.deepEqual(ends, [{ stopReason: 'end_turn' }, { stopReason: 'end_turn' }]);
    assert.equal(new Set(column(sentOf(pipes, 'session/prompt'), 'idempotencyKey')).size, 2);
  });

  it('cancels a turn and the prompt queued behind it', async () => {
    const { client, pipes, sessionId } = await version2();
    const running = client.sessions.prompt(sessionId, '/slow');
    const waiting = client.sessions.prompt(sessionId, 'two');
    await pipes.received((message) => objectOf(objectOf(message['params'])['update'])['state'] === 'running');
    await client.sessions.cancelTurn(sessionId);
    for (const turn of [waiting, running]) assert.deepEqual(await turn, { stopReason: 'cancelled' });
  });

  it('changes the mode through its configuration option', async () => {
    const { client, pipes, sessionId } = await version2();
    await client.sessions.setMode(sessionId, 'verbose');
    const option = { sessionId, configId: 'mode', type: 'id', value: 'verbose' };
    assert.deepEqual(sentOf(pipes, 'session/set_config_option'), [option]);
  });

  it('asks for permissions with title and subject', async () => {
    const { asked, askPermission } = user('once');
    const { client, sessionId } = await version2({ askPermission });
    await client.sessions.prompt(sessionId, '/permission');
    assert.equal(asked[0]?.title, 'Delete build/?');
    assert.deepEqual(asked[0].input, { path: 'build/', recursive: true });
  });

  it('changes the level, and closes sessions before stopping the agent', async () => {
    const { client, pipes, sessionId } = await version2();
    assert.equal(await client.setLevel('warning'), 'applied');
    await client.prepareStop([]);
    assert.deepEqual(sentOf(pipes, 'session/close'), [{ sessionId }]);
  });

  it('fails a turn with the error in its end, and logs in if that is the cause', async () => {
    const pipes = new MessagePipes();
    const methods = [{ methodId: 'key', name: 'Key' }];
    pipes.onSent('initialize', (id) => pipes.receive({ id, result: { protocolVersion: 2, authMethods: methods } }));
    pipes.onSent('auth/login', (id) => pipes.receive({ id, result: {} }));
    let n = 0;
    pipes.onSent('session/prompt', (id) => {
      pipes.receive({ id, result: { messageId: `m${++n}` } });
      const error = { code: n === 1 ? -32000 : -32603, message: n === 1 ? 'Authentication required' : 'no model' };
      const update = { sessionUpdate: 'state_update', state: 'idle', stopReason: 'error', error };
      pipes.receive({ method: 'session/update', params: { sessionId: 's', update } });
    });
    const client = clientOf(pipes, { chooseAuthMethod: () => Promise.resolve('key') });
    await client.initialize('info', none);
    await assert.rejects(client.sessions.prompt('s', 'x'), /no model/);
    assert.deepEqual(sentOf(pipes, 'auth/login'), [{ methodId: 'key' }]);
  });
});

describe('ACP client: subagents', () => {
  it('names the subagent that asks, cancels questions with the parent, and refuses requests for a child', async () => {
    const { asked, askPermission } = user();
    const result = { protocolVersion: 2, capabilities: { session: {} } };
    const { client, pipes } = scripted([{ result }], { askPermission });
    await client.initialize('info', none);
    for (const [parent, sessionId, title] of [
      ['root', 'child', 'Reviewer'],
      ['child', 'grandchild', 'Reader'],
    ]) {
      const update = { sessionUpdate: 'subagent_update', sessionId, title };
      pipes.receive({ method: 'session/update', params: { sessionId: parent, update } });
    }
    const options = [{ optionId: 'n', name: 'No', kind: 'reject_once' }];
    const params = { sessionId: 'grandchild', title: 'Read?', options };
    pipes.receive({ id: 'q', method: 'session/request_permission', params });
    while (asked.length === 0) await setImmediate();
    assert.deepEqual(asked[0]?.subagents, ['Reader', 'Reviewer']);
    await client.sessions.cancelTurn('root');
    const answer = await pipes.sentMessage((message) => message['id'] === 'q');
    assert.deepEqual(answer['result'], { outcome: { outcome: 'cancelled' } });
    const { sessions } = client;
    for (const request of [
      sessions.prompt('child', 'x'),
      sessions.closeSession('child'),
      sessions.cancelTurn('child'),
    ]) {
      await assert.rejects(request, /^HumanError: A subagent's session (?:can't be cancelled alone|is controlled by)/);
    }
  });

  it('cancels a subagent alone if its agent allows that', async () => {
    const { asked, askPermission } = user();
    const { client, pipes, sessionId: own } = await version2({ askPermission });
    assert.equal(client.sessions.hasOpened(own), true);
    const turn = client.sessions.prompt(own, '/subagents ask');
    await pipes.received(({ method }) => method === 'session/request_permission');
    while (asked.length === 0) await setImmediate();
    assert.deepEqual(asked[0]?.subagents, ['Run the tests', 'Review the change']);
    const child = asked[0].sessionId;
    assert.equal(client.sessions.hasOpened(child), false, 'its agent has opened it');
    assert.equal(client.sessions.canCancelSubagent(child), true);
    await client.sessions.cancelTurn(child);
    assert.deepEqual(await turn, { stopReason: 'end_turn' });
    assert.equal(client.sessions.canCancelSubagent(child), false);
  });
});
