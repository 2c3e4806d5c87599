// @ts-check
// An agent in version 2 of ACP, made with the SDK: queued prompts, permissions, a mode as an option, levels, subagents and restored sessions.
import { agent, methods, RequestError } from '@agentclientprotocol/sdk/experimental/v2/unstable';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';

/**
 * @typedef {import('@agentclientprotocol/sdk/experimental/v2/unstable').SessionUpdate} Update
 * @typedef {import('@agentclientprotocol/sdk/experimental/v2/unstable').AgentContext} Client
 * @typedef {{ title: string, description: string, command: string, inner?: Job }} Job
 */

/** @type {Job} */
const job = {
  title: 'Review the change',
  description: 'reads the diff and reports problems',
  command: 'git diff --stat',
  inner: { title: 'Run the tests', description: 'Runs them once', command: 'npm test' },
};

class Session {
  id = randomUUID();
  mode = 'default';
  /** @type {string | undefined} */
  title = undefined;
  /** The running turn and those that wait for it. @type {Set<AbortController>} */
  turns = new Set();
  /** @type {Promise<unknown>} */
  lastTurn = Promise.resolve();
  /** Cancels running subagents, by session ID. @type {Map<string, AbortController>} */
  children = new Map();
  /** @type {Update[]} */
  history = [];

  /** @param {Client} client @param {string} cwd */
  constructor(client, cwd) {
    this.client = client;
    this.cwd = cwd;
  }

  /** @param {Update} update */
  update(update) {
    if (/message|tool_call/.test(update.sessionUpdate)) this.history.push(update);
    return this.send(update);
  }

  /** @param {Update} update @param {string} [sessionId] */
  send(update, sessionId = this.id) {
    return this.client.notify(methods.client.session.update, { sessionId, update });
  }

  /** Answers when its turn starts. @param {import('@agentclientprotocol/sdk/experimental/v2/unstable').ContentBlock[]} prompt */
  async prompt(prompt) {
    const controller = new AbortController();
    const { signal } = controller;
    this.turns.add(controller);
    const before = this.lastTurn;
    /** @type {() => void} */
    let end = () => undefined;
    this.lastTurn = new Promise((resolve) => (end = () => resolve(this.turns.delete(controller))));
    await before;
    if (signal.aborted) {
      end();
      throw RequestError.requestCancelled();
    }
    const messageId = randomUUID();
    await this.update({ sessionUpdate: 'user_message', messageId, content: prompt });
    const text = prompt.map((block) => (block.type === 'text' ? block.text : '')).join('');
    setImmediate(() => void this.turn(text, signal).finally(end));
    return { messageId };
  }

  /** @param {string} text @param {AbortSignal} signal */
  async turn(text, signal) {
    await this.send({ sessionUpdate: 'state_update', state: 'running' });
    this.title ??= text;
    await this.update({ sessionUpdate: 'session_info_update', title: this.title });
    try {
      await this.act(text, signal);
      await this.send({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' });
    } catch (error) {
      if (!signal.aborted) throw error;
      await this.send({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'cancelled' });
    }
  }

  /** @param {string} text @param {AbortSignal} signal */
  async act(text, signal) {
    if (text === '/slow' && !signal.aborted) await once(signal, 'abort');
    signal.throwIfAborted();
    if (text.startsWith('/subagents')) await this.delegate(this.id, job, text.endsWith('ask'), signal);
    if (text === '/permission') {
      const rawInput = { path: 'build/', recursive: true };
      await this.call(this.id, { title: 'Delete build/', kind: 'delete', rawInput }, true, signal);
    }
    await this.say(this.id, `You said ${text}.`);
  }

  /** Calls a tool. @param {string} sessionId @param {object} fields @param {boolean} asks @param {AbortSignal} signal */
  async call(sessionId, fields, asks, signal) {
    const toolCall = { toolCallId: randomUUID(), title: 'Tool', ...fields };
    await this.send({ sessionUpdate: 'tool_call_update', ...toolCall, status: 'in_progress' }, sessionId);
    const isAllowed = !asks || (await this.ask(sessionId, toolCall, signal));
    await setTimeout(200, undefined, { signal });
    const end = { toolCallId: toolCall.toolCallId, status: isAllowed ? 'completed' : 'failed' };
    await this.send({ sessionUpdate: 'tool_call_update', ...end }, sessionId);
  }

  /** @param {string} sessionId @param {{ toolCallId: string, title: string }} toolCall @param {AbortSignal} signal */
  async ask(sessionId, toolCall, signal) {
    const { outcome } = await this.client.request(
      methods.client.session.requestPermission,
      {
        sessionId,
        title: `${toolCall.title}?`,
        subject: { type: 'tool_call', toolCall },
        options: [
          { optionId: 'once', name: 'Allow once', kind: 'allow_once' },
          { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
        ],
      },
      { cancellationSignal: signal, stopWaitingOnCancel: true },
    );
    return outcome.outcome === 'selected' && outcome.optionId === 'once';
  }

  /** Works in a session below another. @param {string} parent @param {Job} job @param {boolean} asks @param {AbortSignal} outer */
  async delegate(parent, { title, description, command, inner }, asks, outer) {
    const sessionId = randomUUID();
    const controller = new AbortController();
    const signal = AbortSignal.any([outer, controller.signal]);
    this.children.set(sessionId, controller);
    /** @param {object} fields */
    const announce = (fields) => this.send({ sessionUpdate: 'subagent_update', sessionId, ...fields }, parent);
    await announce({ title, description, capabilities: { cancel: {} }, state: { state: 'running' } });
    let stopReason = 'end_turn';
    try {
      if (inner) await this.delegate(sessionId, inner, asks, signal);
      await this.call(sessionId, { title: command, rawInput: { command } }, asks && !inner, signal);
      await this.say(sessionId, `${title}: done.`);
    } catch (error) {
      if (!controller.signal.aborted || outer.aborted) throw error;
      stopReason = 'cancelled';
    } finally {
      this.children.delete(sessionId);
    }
    await announce({ capabilities: null, state: { state: 'idle', stopReason } });
  }

  /** @param {string} sessionId @param {string} text */
  async say(sessionId, text) {
    /** @type {Update} */
    const update = { sessionUpdate: 'agent_message_chunk', messageId: randomUUID(), content: { type: 'text', text } };
    await (sessionId === this.id ? this.update(update) : this.send(update, sessionId));
  }

  async cancel() {
    for (const controller of this.turns) controller.abort();
    await this.lastTurn;
  }

  /** @returns {import('@agentclientprotocol/sdk/experimental/v2/unstable').SessionConfigOption[]} */
  get configOptions() {
    const options = ['default', 'verbose'].map((value) => ({ value, name: value }));
    return [{ configId: 'mode', name: 'Mode', category: 'mode', type: 'select', currentValue: this.mode, options }];
  }
}

/** @param {import('@agentclientprotocol/sdk/experimental/v2/unstable').Stream} stream */
export function serveVersion2(stream) {
  /** @type {Map<string, Session>} */
  const sessions = new Map();
  /** @param {string} id */
  const find = (id) => {
    const session = sessions.get(id);
    if (!session) throw RequestError.sessionNotFound(id);
    return session;
  };
  const { initialize, session } = methods.agent;
  return agent({ name: 'version2' })
    .onRequest(initialize, () => ({
      protocolVersion: 2,
      info: { name: 'version2', version: '1' },
      capabilities: { session: {} },
    }))
    .onRequest(
      'logging/setLevel',
      (params) => params,
      () => ({}),
    )
    .onRequest(session.new, ({ params, client }) => {
      const created = new Session(client, params.cwd);
      sessions.set(created.id, created);
      return { sessionId: created.id, configOptions: created.configOptions };
    })
    .onRequest(session.list, () => ({
      sessions: [...sessions.values()].map(({ id, cwd, title }) => ({ sessionId: id, cwd, title: title ?? null })),
    }))
    .onRequest(session.resume, async ({ params }) => {
      const restored = find(params.sessionId);
      if (params.replayFrom) for (const update of restored.history) await restored.send(update);
      await restored.send({ sessionUpdate: 'state_update', state: 'idle' });
      return { configOptions: restored.configOptions };
    })
    .onRequest(session.prompt, ({ params }) => find(params.sessionId).prompt(params.prompt))
    .onRequest(session.close, ({ params }) => find(params.sessionId).cancel())
    .onRequest(session.setConfigOption, ({ params }) => {
      const changed = find(params.sessionId);
      changed.mode = String(params.value);
      return { configOptions: changed.configOptions };
    })
    .onNotification(session.cancel, async ({ params }) => {
      for (const { children } of sessions.values()) children.get(params.sessionId)?.abort();
      await sessions.get(params.sessionId)?.cancel();
    })
    .connect(stream);
}
