import { BoundedMap } from '../../text/boundedMap';
import { duration } from '../../text/text';
import type { JsonObject } from '../../text/json';
import { numberOf, objectOf, textOf } from '../../text/json';
import type { AgentReader } from '../../protocols/agentWriter/agentReader';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';
import type { AgentSession, TurnEnding } from '../../protocols/agentWriter/verbs';
import { ofFile } from '../../protocols/agentWriter/verbs';
import type { AgentStream } from '../reading/streams/agentStream';
import { readUnknownEvent } from '../reading/streams/unknownEvent';
import { usageOf } from '../../work/usage/usage';
import { inputOf, toolEndOf } from './content';

/** Cline, `cline --json`: what its hooks get, events of its agents (`AgentEvent` of @cline/shared), and the result of the run. It has no prompts. */
export const stream: AgentStream = {
  tried: { version: '3.0' },
  policy: { ...ofFile, stopReason: undefined },
  sessionIdNames: [],
  recognises,
  resembles: () => false,
  reader: () => new ClineStreamReader(),
};

function recognises(event: JsonObject): boolean {
  switch (event['type']) {
    case 'hook_event':
      return textOf(event['hookEventName']) !== undefined;
    case 'agent_event':
      return typeof objectOf(event['event'])['type'] === 'string';
    case 'run_result':
      return 'finishReason' in event;
    default:
      return false;
  }
}

const maxAgents = 100;
/** Maximum length of a kept task, in characters. */
const maxTask = 1000;

interface ClineAgent extends AgentSession {
  readonly agentId: string;
  /** The ID of the agent that started it. */
  readonly startedBy: string | undefined;
}

class ClineStreamReader implements AgentReader {
  /** The agents that run, by their IDs. */
  private readonly agents = new BoundedMap<string, ClineAgent>(maxAgents);
  /** The agent of the latest hook: events don't name theirs. */
  private current: ClineAgent | undefined;
  /** What the latest call that starts a subagent asks it to do. */
  private task: string | undefined;
  /** Counts model requests, which have no IDs. */
  private requests = 0;

  read(event: JsonObject, writer: AgentWriter): void {
    if (writer.isInput) return readUnknownEvent(event, writer);
    const inner = objectOf(event['event']);
    switch (event['type']) {
      case 'hook_event':
        return this.readHook(event, writer);
      case 'agent_event':
        this.place(inner, writer);
        this.readEvent(inner, writer);
        return writer.atLeast(textOf(inner['type']) ?? 'event');
      case 'run_result':
        return this.readResult(event, writer);
      default:
        this.place({}, writer);
        readUnknownEvent(event, writer);
    }
  }

  private readHook(event: JsonObject, writer: AgentWriter): void {
    const name = textOf(event['hookEventName']) ?? 'hook';
    const id = textOf(event['agentId']) ?? 'session';
    const known = this.agents.get(id);
    this.current = known ?? this.agentOf(id, event);
    writer.in(this.current);
    if (!known && name === 'agent_start') {
      this.agents.set(id, this.current);
      writer.resumed();
      if (this.current.parent === undefined) writer.started({ agent: 'Cline' });
      const task = this.current.parent === undefined ? undefined : this.task;
      this.task = undefined;
      writer.title(task);
      writer.turnStarted(task);
    }
    writer.other(name.replaceAll('_', ' '), 'hook');
  }

  private agentOf(id: string, event: JsonObject): ClineAgent {
    const startedBy = textOf(event['parentAgentId']);
    const parent = startedBy === undefined ? undefined : (this.agents.get(startedBy)?.id ?? startedBy);
    // The task is the session of the main agent.
    return { agentId: id, id: parent === undefined ? (textOf(event['taskId']) ?? id) : id, parent, startedBy };
  }

  /** Sets the session of an event: that of its tool, of the agent that it names, or of the latest hook. */
  private place(event: JsonObject, writer: AgentWriter): void {
    const call = textOf(event['toolCallId']);
    const ofCall =
      call === undefined
        ? undefined
        : this.agents.find(({ id }) => writer.work.tools.get(id, call)?.hasEnded === false);
    const named = this.agents.get(textOf(event['agentId']) ?? '');
    this.current = ofCall ?? named ?? this.current;
    writer.in(this.current ?? { id: 'session' });
  }

  private readEvent(event: JsonObject, writer: AgentWriter): void {
    const type = textOf(event['type']) ?? 'event';
    switch (type) {
      case 'content_start':
      case 'content_update':
      case 'content_end':
        return this.readContent(type, event, writer);
      case 'usage': {
        const cost = event['cost'];
        writer.usage(String(++this.requests), usageOf(event, 'turn', { cost }));
        return writer.other(type, 'model');
      }
      case 'notice':
        return readNotice(event, writer);
      case 'error':
        return readError(event, writer);
      case 'done':
        return this.readDone(event, writer);
      default:
        writer.activity({ type: 'progress' });
        writer.other(type.replaceAll('_', ' '), 'turn');
    }
  }

  private readContent(type: string, event: JsonObject, writer: AgentWriter): void {
    if (event['contentType'] === 'tool') return this.readTool(type, event, writer);
    const text = textOf(event['text']);
    const thought = textOf(event['reasoning']);
    if (type === 'content_end') {
      if (text === undefined && thought === undefined) return writer.other(type, 'model');
      writer.thought(thought);
      return writer.answer(text);
    }
    if (text !== undefined) writer.says('agent', text, true);
    else writer.activity({ type: 'progress' });
    const chunk = text ?? thought;
    if (chunk === undefined) writer.other(type, 'model');
    else writer.chunk(text === undefined ? 'partial thought' : 'partial', undefined, chunk, true);
  }

  private readTool(type: string, event: JsonObject, writer: AgentWriter): void {
    const id = textOf(event['toolCallId']);
    if (type === 'content_start') {
      this.task = textOf(objectOf(event['input'])['task'])?.slice(0, maxTask) ?? this.task;
      return writer.toolStarted(id, textOf(event['toolName']), inputOf(event['input']));
    }
    if (type === 'content_update') {
      writer.activity({ type: 'progress' });
      return writer.other('partial result', 'tool');
    }
    const error = textOf(event['error']);
    const output = event['output'] ?? error;
    this.endSubagents(output, writer);
    writer.toolEnded(id, { ...toolEndOf(output, error !== undefined), ms: numberOf(event['durationMs']) });
  }

  /** A subagent that fails says nothing: only the result of the call that ran it does. */
  private endSubagents(output: unknown, writer: AgentWriter): void {
    const { finishReason, text } = objectOf(output);
    const { current } = this;
    if (finishReason !== 'error' || !current) return;
    const failed = this.agents.find(({ startedBy }) => startedBy === current.agentId);
    if (!failed) return;
    this.agents.delete(failed.agentId);
    writer.in(failed);
    writer.turnEnded({ outcome: 'error', error: textOf(text) });
    writer.in(current);
  }

  private readDone(event: JsonObject, writer: AgentWriter): void {
    const agent = this.current;
    // The result of the run follows, with its duration and model.
    if (agent?.startedBy === undefined) return writer.mayEnd(endOf(event['reason'], event));
    writer.turnEnded(endOf(event['reason'], event));
    this.agents.delete(agent.agentId);
    this.current = this.agents.get(agent.startedBy);
  }

  private readResult(event: JsonObject, writer: AgentWriter): void {
    const main = this.agents.find(({ startedBy }) => startedBy === undefined) ?? this.current;
    writer.in(main ?? { id: 'session' });
    const model = objectOf(event['model'])['id'];
    writer.uses(model, true);
    const took = numberOf(event['durationMs']);
    if (writer.isInTurn) writer.turnEnded({ ...endOf(event['finishReason'], event), took });
    const message = `session ended${took === undefined ? '' : ` after ${duration(took)}`}`;
    writer.ended({ level: 'info', message, data: { model, iterations: event['iterations'] } });
    this.agents.clear();
    this.current = undefined;
  }
}

function endOf(reason: unknown, event: JsonObject): TurnEnding {
  const text = textOf(event['text']);
  switch (reason) {
    case 'completed':
      return { outcome: 'ok', stopReason: 'end_turn', answer: text };
    case 'aborted':
      return { outcome: 'cancelled' };
    case 'max_iterations':
    case 'mistake_limit': {
      const limit = reason === 'max_iterations' ? 'iterations' : 'mistakes';
      return { outcome: 'error', error: text, failure: { type: 'limit', limit } };
    }
    default:
      return { outcome: 'error', error: text ?? textOf(reason) };
  }
}

function readNotice(event: JsonObject, writer: AgentWriter): void {
  const message = textOf(event['message']) ?? '';
  if (event['reason'] === 'api_error' && event['noticeType'] === 'recovery') return writer.retry({ why: message });
  if (/_compaction$/.test(textOf(event['reason']) ?? '')) {
    return writer.note({ level: 'info', logger: 'compaction', message });
  }
  const level = event['noticeType'] === 'status' ? 'info' : 'notice';
  writer.note({ level, kind: 'notice', logger: 'agent', message });
}

function readError(event: JsonObject, writer: AgentWriter): void {
  const { error } = event;
  const message = textOf(error) ?? textOf(objectOf(error)['message']) ?? 'no reason given';
  writer.activity({ type: 'progress' });
  writer.note({ level: event['recoverable'] === false ? 'error' : 'warning', logger: 'agent', message });
}
