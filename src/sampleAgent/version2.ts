import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import { randomUUID } from 'node:crypto';
import { TransformStream } from 'node:stream/web';

type Fields = Record<string, unknown>;
type Send = (message: Fields) => void;

interface Prompt {
  readonly id: unknown;
  readonly sessionId: string;
  readonly params: Fields;
  readonly messageId: string;
}

const requestCancelled = -32800;

/** Speaks version 2 of ACP with clients that offer it, by translating to the agent's version 1. Other connections pass unchanged. */
export function speakVersion2(stream: Stream): Stream {
  let toAgent: Send = () => undefined;
  let toClient: Send = () => undefined;
  const translator = new Translator(
    (message) => toAgent(message),
    (message) => toClient(message),
  );
  const incoming = new TransformStream<AnyMessage, AnyMessage>({
    start: (controller) => void (toAgent = (message) => controller.enqueue(message as AnyMessage)),
    transform: (message) => translator.fromClient(message),
  });
  const outgoing = new TransformStream<AnyMessage, AnyMessage>({
    start: (controller) => void (toClient = (message) => controller.enqueue(message as AnyMessage)),
    transform: (message) => translator.fromAgent(message),
  });
  void outgoing.readable.pipeTo(stream.writable).catch(() => undefined);
  return { readable: stream.readable.pipeThrough(incoming), writable: outgoing.writable };
}

class Translator {
  private isVersion2 = false;
  /** Methods of client requests, by ID, if version 2's answer differs. */
  private readonly asked = new Map<unknown, string>();
  private readonly running = new Map<string, Prompt>();
  private readonly waiting: Prompt[] = [];
  /** Message IDs by `idempotencyKey`. */
  private readonly keys = new Map<string, string>();
  private readonly modes = new Map<string, Fields>();
  /** Sessions being resumed, by request ID. */
  private readonly resuming = new Map<unknown, string>();

  constructor(
    private readonly toAgent: Send,
    private readonly toClient: Send,
  ) {}

  fromClient(message: Fields): void {
    const { method, id } = message;
    const params = fieldsOf(message['params']);
    if (method === 'initialize') return this.initialize(message, params);
    if (!this.isVersion2) return this.toAgent(message);
    if (id !== undefined && typeof method === 'string') this.asked.set(id, method);
    switch (method) {
      case 'session/prompt':
        return this.prompt(id, params);
      case 'session/cancel':
        this.dropWaiting(textOf(params['sessionId']));
        return this.toAgent(message);
      case 'session/resume': {
        const { replayFrom, ...rest } = params;
        const load = { method: 'session/load', params: { mcpServers: [], ...rest } };
        this.resuming.set(id, textOf(params['sessionId']));
        return this.toAgent(replayFrom ? { ...message, ...load } : message);
      }
      case 'session/set_config_option': {
        const { sessionId, value } = params;
        return this.toAgent({ ...message, method: 'session/set_mode', params: { sessionId, modeId: value } });
      }
      default:
        return this.toAgent(message);
    }
  }

  fromAgent(message: Fields): void {
    if (!this.isVersion2) return this.toClient(message);
    const params = fieldsOf(message['params']);
    if (message['method'] === 'session/update') return this.update(message, params);
    if (message['method'] === 'session/request_permission') {
      const { toolCall, ...rest } = params;
      const title = `${textOf(fieldsOf(toolCall)['title'])}?`;
      return this.toClient({ ...message, params: { ...rest, title, subject: { type: 'tool_call', toolCall } } });
    }
    if (message['method'] !== undefined) return this.toClient(message);
    const asked = this.asked.get(message['id']);
    this.asked.delete(message['id']);
    if (asked === 'session/prompt') return this.ended(message);
    this.toClient(message['result'] === undefined ? message : { ...message, result: this.resultOf(asked, message) });
  }

  private initialize(message: Fields, params: Fields): void {
    this.isVersion2 = Number(params['protocolVersion']) >= 2;
    if (!this.isVersion2) return this.toAgent(message);
    this.asked.set(message['id'], 'initialize');
    const { info, capabilities, clientCapabilities } = params;
    const both = { ...fieldsOf(clientCapabilities), ...fieldsOf(capabilities) };
    // Version 2 has notices without a capability.
    const session = { ...fieldsOf(both['session']), notices: {} };
    const changed = { protocolVersion: 1, clientInfo: info, clientCapabilities: { ...both, session } };
    this.toAgent({ ...message, params: changed });
  }

  private prompt(id: unknown, params: Fields): void {
    const sessionId = textOf(params['sessionId']);
    const key = textOf(params['idempotencyKey']);
    const known = key === '' ? undefined : this.keys.get(key);
    if (known !== undefined) return this.toClient({ jsonrpc: '2.0', id, result: { messageId: known } });
    const prompt = { id, sessionId, params, messageId: randomUUID() };
    if (key !== '') this.keys.set(key, prompt.messageId);
    if (this.running.has(sessionId)) this.waiting.push(prompt);
    else this.begin(prompt);
  }

  private begin(prompt: Prompt): void {
    const { id, sessionId, params, messageId } = prompt;
    this.running.set(sessionId, prompt);
    this.notify(sessionId, { sessionUpdate: 'user_message', messageId, content: params['prompt'] });
    this.toClient({ jsonrpc: '2.0', id, result: { messageId } });
    this.notify(sessionId, { sessionUpdate: 'state_update', state: 'running', background: [] });
    this.asked.set(id, 'session/prompt');
    this.toAgent({ jsonrpc: '2.0', id, method: 'session/prompt', params: { sessionId, prompt: params['prompt'] } });
  }

  private ended({ id, result, error }: Fields): void {
    const prompt = [...this.running.values()].find((one) => one.id === id);
    if (!prompt) return;
    const { sessionId } = prompt;
    this.running.delete(sessionId);
    const how = error === undefined ? fieldsOf(result) : { stopReason: 'error', error };
    this.notify(sessionId, { sessionUpdate: 'state_update', state: 'idle', background: [], ...how });
    const next = this.waiting.findIndex((one) => one.sessionId === sessionId);
    const [begun] = next < 0 ? [] : this.waiting.splice(next, 1);
    if (begun) this.begin(begun);
  }

  private dropWaiting(sessionId: string): void {
    const dropped = this.waiting.filter((one) => one.sessionId === sessionId);
    this.waiting.splice(0, this.waiting.length, ...this.waiting.filter((one) => one.sessionId !== sessionId));
    const error = { code: requestCancelled, message: 'Request cancelled' };
    for (const { id } of dropped) this.toClient({ jsonrpc: '2.0', id, error });
  }

  private update(message: Fields, params: Fields): void {
    const update = fieldsOf(params['update']);
    const sessionId = textOf(params['sessionId']);
    this.toClient({ ...message, params: { ...params, update: this.updateOf(sessionId, update) } });
  }

  private updateOf(sessionId: string, update: Fields): Fields {
    switch (update['sessionUpdate']) {
      case 'tool_call':
        return { ...update, sessionUpdate: 'tool_call_update' };
      case 'plan':
        return { sessionUpdate: 'plan_update', plan: { type: 'items', planId: 'plan', entries: update['entries'] } };
      case 'current_mode_update':
        return {
          sessionUpdate: 'config_option_update',
          configOptions: this.options(sessionId, update['currentModeId']),
        };
      default:
        return update;
    }
  }

  private resultOf(asked: string | undefined, message: Fields): Fields {
    const result = fieldsOf(message['result']);
    if (asked === 'initialize') {
      const { agentInfo, agentCapabilities } = result;
      const { _meta } = fieldsOf(agentCapabilities);
      return { protocolVersion: 2, info: agentInfo, capabilities: { session: {}, _meta }, authMethods: [] };
    }
    const { modes, ...others } = result;
    if (asked === 'session/new' || asked === 'session/resume') {
      const sessionId = this.resuming.get(message['id']) ?? textOf(result['sessionId']);
      this.resuming.delete(message['id']);
      this.modes.set(sessionId, fieldsOf(modes));
      return { ...others, configOptions: this.options(sessionId, fieldsOf(modes)['currentModeId']) };
    }
    return result;
  }

  private options(sessionId: string, currentValue: unknown): readonly Fields[] {
    const modes = fieldsOf(this.modes.get(sessionId))['availableModes'];
    const options = (Array.isArray(modes) ? modes : [])
      .map(fieldsOf)
      .map(({ id, ...mode }) => ({ value: id, ...mode }));
    return [{ configId: 'mode', name: 'Mode', category: 'mode', type: 'select', currentValue, options }];
  }

  private notify(sessionId: string, update: Fields): void {
    this.toClient({ jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } });
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
