import { timeOf } from '../../protocols/logFields/timeOf';
import { oneLine } from '../../text/text';
import type { QuotaWindow } from '../../work/usage/quotaWindow';
import type { JsonObject } from '../../text/json';
import { arrayOf, isObject, numberOf, objectOf, textOf } from '../../text/json';
import { tellsOfInterruption } from './stream';
import { outputText } from '../../protocols/agentWriter/toolText';
import { readCodexItem } from './savedItems';
import { numberIn, textIn } from '../reading/saved/parts';
import { parsedJson } from '../../text/jsonText';
import { providerError } from '../../work/failures/errorText';
import type { SavedForm } from '../savedForm';
import { beside } from './beside';
import { anyFolder, named } from '../savedForm';
import { CodexOrigins } from './origins';
import type { LineOrigin, SavedReader } from '../reading/saved/savedReader';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';
import { hookBlock } from '../../work/tools/hookBlock';
import { usageOf, usageWithWindow } from '../../work/usage/usage';

const types = new Set([
  'session_meta',
  'turn_context',
  'event_msg',
  'response_item',
  'compacted',
  'world_state',
  'token_usage_record',
]);
const rollout = named('rollout-.{10,40}?-', '\\.jsonl(?:\\.zst)?');

/** Codex: `sessions/YYYY/MM/DD/rollout-TIME-UUID.jsonl`, with each subagent's thread in a separate file. */
export const saved: SavedForm = {
  type: 'files',
  tried: { version: '0.171' },
  waits: {
    records: [],
    tools: { request_user_input: 'answer', request_permissions: 'permission' },
    permissions: 'unrecorded',
  },
  deletion: { asOf: '0.171.0', rule: 'deletes none' },
  recognises: (line) =>
    types.has(textOf(line['type']) ?? '') && isObject(line['payload']) && textOf(line['timestamp']) !== undefined,
  reader: () => new CodexReader(),
  roots: [['CODEX_HOME'], ['~', '.codex']],
  files: [['archived_sessions'], ['sessions', anyFolder, anyFolder, anyFolder]].map((below) => ({
    below,
    name: rollout,
  })),
  beside,
  // A UUID of version 7.
  timeInId: (id) => Number.parseInt(id.replace('-', '').slice(0, 12), 16),
  marks: { type: 'locked', names: ['thread-writer-locks'], file: (id) => `${id}.lock` },
  ends: { head: 64 * 1024, tail: 16 * 1024 },
};

class CodexReader implements SavedReader {
  private readonly origins = new CodexOrigins();
  /** False up to version 0.98, which saves only what was sent to the model. */
  private hasItems = false;
  /** True if the file has a record for each model call. */
  private hasUsageRecords = false;
  /** The newest cumulative token count. */
  private total: number | undefined;
  /** True from an interruption to the next turn; the errors that it causes may follow. */
  private isInterrupted = false;

  originOf(line: JsonObject): LineOrigin | undefined {
    return this.origins.of(line);
  }

  read(line: JsonObject, writer: AgentWriter): void {
    const payload = objectOf(line['payload']);
    this.hasItems ||= 'ordinal' in line;
    const type = textOf(line['type']);
    if (type === 'session_meta') return readHeader(payload, writer);
    switch (type) {
      case 'turn_context':
        return this.readContext(payload, writer);
      case 'world_state':
        return writer.other('state of the environment');
      case 'compacted':
        return this.hasItems ? undefined : writer.compacted(undefined);
      case 'token_usage_record':
        this.hasUsageRecords = true;
        return writer.usage(textOf(payload['response_id']), usageOf(objectOf(payload['usage']), 'turn'));
      case 'response_item':
        return this.readSent(payload, writer);
      case 'event_msg':
        return this.readEvent(payload, writer);
      default:
        return writer.unknown(type);
    }
  }

  private readContext(context: JsonObject, writer: AgentWriter): void {
    const model = textOf(context['model']);
    const approval = textOf(context['approval_policy']);
    const effort = textOf(context['effort']);
    const details = `${effort === undefined ? '' : `, effort ${effort}`}${approval === undefined ? '' : `, approval ${approval}`}`;
    if (model === undefined) return writer.other('turn context');
    writer.model(model, { details });
    writer.uses(model);
  }

  private readEvent(event: JsonObject, writer: AgentWriter): void {
    const type = textOf(event['type']);
    switch (type) {
      case 'task_started':
        this.isInterrupted = false;
        writer.turnStarted();
        return writer.requestUsed(undefined, usageWithWindow(undefined, event['model_context_window']));
      case 'task_complete':
        return this.readTurnEnd(event, writer);
      case 'turn_aborted': {
        this.isInterrupted = true;
        const reason = textOf(event['reason']);
        const isUsual = reason === undefined || reason === 'interrupted';
        return writer.turnEnded({ outcome: 'cancelled', ...(!isUsual && { error: reason }) });
      }
      case 'item_completed':
        return readCodexItem(objectOf(event['item']), writer);
      case 'thread_settings_applied':
        return writer.other('thread settings');
      case 'token_count':
        return this.readCount(event, writer);
      case 'user_message':
        this.isInterrupted = false;
        return writer.prompt(textOf(event['message']) ?? '', { startsTurn: !writer.isInTurn });
      case 'agent_message':
        return writer.answer(textOf(event['message']) ?? '');
      case 'agent_reasoning':
        return writer.thought(textOf(event['text']) ?? '');
      case 'error':
        return this.failed(textOf(event['message']), writer);
      case 'stream_error':
        return writer.retry({ why: textOf(event['message']) ?? 'the stream failed' });
      case 'context_compacted':
        return writer.compacted(undefined);
      default:
        return writer.unknown(`event_msg/${type ?? ''}`);
    }
  }

  private readTurnEnd(event: JsonObject, writer: AgentWriter): void {
    const took = numberOf(event['duration_ms']);
    const error = isObject(event['error']) ? event['error'] : undefined;
    if (!error) {
      return writer.turnEnded({ outcome: 'ok', took, isCommand: event['last_agent_message'] === null, level: 'info' });
    }
    const info = error['codex_error_info'];
    const kind = textOf(info) ?? (isObject(info) ? Object.keys(info)[0] : undefined);
    const words = providerError(textOf(error['message']) ?? 'no reason given');
    const isNamed = kind !== undefined && kind !== 'other';
    this.failed(isNamed ? `${words} (${oneLine(kind, 60)})` : words, writer, took);
  }

  private failed(error: string | undefined, writer: AgentWriter, took?: number): void {
    if (this.isInterrupted) return writer.other('error after the interruption');
    const isInterrupted = error !== undefined && tellsOfInterruption(error);
    this.isInterrupted = isInterrupted;
    writer.turnEnded(isInterrupted ? { outcome: 'cancelled', took } : { outcome: 'error', took, error });
  }

  /** Cumulative. Newer files also have a record for each call, before this one. */
  private readCount(event: JsonObject, writer: AgentWriter): void {
    const info = objectOf(event['info']);
    readLimits(objectOf(event['rate_limits']), writer);
    writer.requestUsed(undefined, usageWithWindow(undefined, info['model_context_window']));
    const { input_tokens: input, output_tokens: output, total_tokens: sum } = objectOf(info['total_token_usage']);
    const total = numberOf(sum) ?? (numberOf(input) ?? 0) + (numberOf(output) ?? 0);
    if (total === this.total || total === 0) return;
    this.total = total;
    if (!this.hasUsageRecords) writer.usage(`total ${total}`, usageOf(objectOf(info['last_token_usage']), 'turn'));
  }

  /** Requests to the model repeat the items, but also show which tools started; old versions save nothing else. */
  private readSent(item: JsonObject, writer: AgentWriter): void {
    const type = textOf(item['type']);
    const key = textOf(item['call_id']);
    switch (type) {
      case 'function_call':
      case 'custom_tool_call':
      case 'local_shell_call': {
        const input = argumentsOf(item['arguments'] ?? item['input'] ?? item['action']);
        return writer.toolStarted(key, textOf(item['name']) ?? type, input, { isShown: !this.hasItems });
      }
      case 'function_call_output':
      case 'custom_tool_call_output':
        if (!writer.hasTool(key)) return;
        return this.readOutput(key, item['output'], writer);
      case 'message':
        return readContext(item, writer);
      case 'reasoning':
        return;
      default:
        return writer.unknown(`response_item/${type ?? ''}`);
    }
  }

  private readOutput(key: string | undefined, output: unknown, writer: AgentWriter): void {
    const text = outputText(isObject(output) ? (output['content'] ?? output['output']) : output);
    const exitCode = numberIn(
      text.slice(0, 500),
      /^(?:.*\n){0,4}?(?:Process exited with code|Exit code:) (-?\d{1,10})\b/,
    );
    const isFailed = (isObject(output) && output['success'] === false) || hookBlock(text) !== undefined;
    writer.toolEnded(key, {
      outcome: isFailed ? 'error' : 'ok',
      exitCode,
      output: /(?:^|\n)Output:\n([\s\S]*)$/.exec(text)?.[1] ?? text,
    });
  }
}

/** What hooks add to the conversation; the rest of the messages are items. */
function readContext(item: JsonObject, writer: AgentWriter): void {
  const kinds = arrayOf(objectOf(item['internal_chat_message_metadata_passthrough'])['content_item_kinds']);
  if (!kinds.includes('hooks.additional_context')) return;
  writer.hookEnded(undefined, { name: 'hook', outcome: 'ok', output: textIn(item['content']) });
}

/** Two windows, usually of five hours and a week. */
function readLimits(limits: JsonObject, writer: AgentWriter): void {
  const windows = ['primary', 'secondary'].flatMap((name): readonly QuotaWindow[] => {
    const {
      used_percent: used,
      window_minutes: minutes,
      resets_at: at,
      resets_in_seconds: after,
    } = objectOf(limits[name]);
    const usedPercent = numberOf(used);
    if (usedPercent === undefined) return [];
    const length = numberOf(minutes);
    const rest = numberOf(after);
    const resetsAt = timeOf(at) ?? (rest === undefined ? undefined : writer.place.event.t + rest * 1000);
    return [{ name: length === undefined ? name : lengthOf(length), usedPercent, resetsAt }];
  });
  if (windows.length === 0) return;
  writer.fact({ type: 'quota', windows });
  const message = windows.map(({ name, usedPercent }) => `${name}: ${Math.round(usedPercent)}% used`).join(', ');
  writer.note({ level: 'debug', logger: 'rate limit', message });
}

/** `5 h`, `7 d`. */
function lengthOf(minutes: number): string {
  if (minutes % 1440 === 0) return `${minutes / 1440} d`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`;
}

function readHeader(header: JsonObject, writer: AgentWriter): void {
  const id = textOf(header['id']);
  if (id === undefined) return writer.other('header without an ID');
  const spawn = objectOf(objectOf(objectOf(header['source'])['subagent'])['thread_spawn']);
  const parent = textOf(header['parent_thread_id']) ?? textOf(spawn['parent_thread_id']);
  const nickname = textOf(header['agent_nickname']) ?? textOf(spawn['agent_nickname']);
  writer.in({ id, parent, name: nickname });
  writer.started({
    agent: 'Codex',
    version: textOf(header['cli_version']),
    folder: textOf(header['cwd']),
    branch: textOf(objectOf(header['git'])['branch']),
    details: [nickname !== undefined && `subagent ${nickname}`],
  });
  // A subagent may begin with the history of its parent.
  const origin = textOf(header['forked_from_id']) ?? textOf(objectOf(header['history_base'])['thread_id']);
  if (origin !== undefined && parent === undefined) writer.forked(origin);
}

function argumentsOf(value: unknown): unknown {
  const isJson = typeof value === 'string' && value.length <= 100_000 && /^\s*[{[]/.test(value);
  return isJson ? (parsedJson(value) ?? value) : value;
}
