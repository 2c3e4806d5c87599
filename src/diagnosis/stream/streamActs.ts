import { ownHead } from '../../log/ownText';
import type { JsonObject } from '../../protocols/json';
import { arrayOf, isObject, objectOf, requestIdOf, textOf } from '../../protocols/json';
import { codexToolTitle } from '../../protocols/streams/codexItem';
import { numberOf } from '../../protocols/streams/eventText';
import { toolTitle } from '../../protocols/streams/toolText';
import { contentTextOf } from '../tools';
import { tellsOfRetry } from '../troubleText';
import type { Asking } from '../turn';
import type { OpenQuestion } from './openQuestions';

/** What one event of an agent's stream tells of its turn. */
export type StreamAct =
  /** `isNew` where a run begins or goes on after a turn, so that a turn before it has ended, whether that was told or not. */
  | { readonly type: 'begin'; readonly isNew: boolean }
  /** Said to the person. */
  | { readonly type: 'text'; readonly text: string }
  /** Thought, planned or done. */
  | { readonly type: 'act' }
  /** Done by a command of the agent's own, which may be before its turn is told to begin. */
  | { readonly type: 'command' }
  /** The conversation begins anew, mostly in another session: what was asked for goes on there. */
  | { readonly type: 'reset' }
  | { readonly type: 'tool'; readonly id: string; readonly title: string }
  | { readonly type: 'tool-end'; readonly id: string }
  /** Its model does not answer, and it tries again. */
  | { readonly type: 'retry'; readonly message: string }
  /** It does not try again any more. */
  | { readonly type: 'gives-up' }
  /** Its conversation is being made shorter, or is no more. */
  | { readonly type: 'compacts'; readonly isNow: boolean }
  /** The person is asked, or need not answer any more. */
  | { readonly type: 'asks'; readonly id: string; readonly question: OpenQuestion }
  | { readonly type: 'taken-back'; readonly id: string }
  | {
      readonly type: 'end';
      readonly stopReason: string | undefined;
      readonly isCancelled: boolean;
      /** Whether a command of the agent's own was run, as `/compact`: it may have nothing to say. */
      readonly isCommand: boolean;
      /** How long it took, as it says itself, in milliseconds. */
      readonly took?: number | undefined;
      /** What it says in the end; mostly it has said that before. */
      readonly text: string;
    };

type End = Extract<StreamAct, { type: 'end' }>;

/** So many blocks of a message are looked at. */
const maxBlocks = 200;
/** Ids are compared by so many of their characters. */
const maxId = 200;
/** After these OpenCode goes on. */
const goingOn = new Set(['tool-calls', 'unknown']);
const asked: ReadonlyMap<string, Asking> = new Map<string, Asking>([
  ['can_use_tool', 'permission'],
  ['elicitation', 'answer'],
  ['request_user_dialog', 'answer'],
]);
/** What the reasons of Vercel's AI SDK, which OpenCode gives, are called elsewhere. */
const reasons: Readonly<Record<string, string>> = { length: 'max_tokens', 'content-filter': 'refusal' };

const act: StreamAct = { type: 'act' };
const begin: StreamAct = { type: 'begin', isNew: true };
const goOn: StreamAct = { type: 'begin', isNew: false };

/** What an event of Claude Code's, Qwen Code's, Codex', Gemini's or OpenCode's stream tells; nothing, where it is none of theirs. */
export function streamActs(msg: JsonObject): readonly StreamAct[] {
  switch (msg['type']) {
    case 'system':
      return systemActs(msg);
    case 'conversation_reset':
      return [{ type: 'reset' }];
    case 'assistant':
      return blocksOf(msg).flatMap((block) => blockActs(block, textOf(msg['parent_tool_use_id']) !== undefined));
    case 'user':
      // What else the agent hears is none of its own words: a prompt that is told back, the text of a skill, a note on an interrupt.
      return blocksOf(msg).flatMap((block) =>
        block['type'] === 'tool_result' ? toolEndActs(block['tool_use_id']) : [],
      );
    case 'stream_event':
      return [objectOf(objectOf(msg['event'])['delta'])['type'] === 'text_delta' ? { type: 'text', text: '' } : act];
    case 'control_request':
      return questionActs(msg);
    case 'control_cancel_request':
      return [{ type: 'taken-back', id: questionId(msg) }];
    case 'result':
      return [
        end(textOf(msg['stop_reason']) ?? textOf(msg['subtype']) ?? textOf(msg['status']), {
          took: numberOf(msg['duration_ms']) ?? numberOf(objectOf(msg['stats'])['duration_ms']),
          isCommand: textOf(msg['local_command']) !== undefined,
          text: textOf(msg['result']) ?? '',
        }),
      ];
    case 'completion': // Factory's droid, whose stream begins as Claude Code's
      return [end(undefined)];
    case 'init':
    case 'thread.started':
    case 'turn.started':
      return [begin];
    case 'step_start':
      return [goOn];
    case 'turn.completed':
    case 'turn.failed':
      return [end(undefined)];
    case 'error':
      return errorActs(msg);
    default:
      return isObject(msg['item']) ? itemActs(msg, msg['item']) : partActs(msg);
  }
}

function systemActs({ subtype, status }: JsonObject): readonly StreamAct[] {
  switch (subtype) {
    case 'init':
      return [begin];
    case 'status':
      return [{ type: 'compacts', isNow: status === 'compacting' }];
    case 'compact_boundary':
    case 'local_command_output':
      return [{ type: 'command' }];
    default:
      return [];
  }
}

function blocksOf(msg: JsonObject): readonly JsonObject[] {
  return arrayOf(objectOf(msg['message'])['content']).slice(0, maxBlocks).map(objectOf);
}

/** @param isInner of a subagent, which speaks to the agent */
function blockActs(block: JsonObject, isInner: boolean): readonly StreamAct[] {
  switch (block['type']) {
    case 'text':
      return [isInner ? act : { type: 'text', text: textOf(block['text']) ?? '' }];
    case 'tool_use':
      return toolActs(block['id'], toolTitle(textOf(block['name']) ?? 'a tool', block['input']));
    default:
      return [act];
  }
}

/** Codex: items of a thread. */
function itemActs(msg: JsonObject, item: JsonObject): readonly StreamAct[] {
  const type = textOf(item['type']) ?? textOf(item['item_type']);
  if (type === 'agent_message' || type === 'assistant_message') {
    return [{ type: 'text', text: textOf(item['text']) ?? '' }];
  }
  const title = codexToolTitle(item);
  if (title === undefined) return [act];
  return msg['type'] === 'item.completed' ? toolEndActs(item['id']) : toolActs(item['id'], title);
}

/** Gemini: messages and tools; OpenCode: parts of messages, each when it is complete. */
function partActs(msg: JsonObject): readonly StreamAct[] {
  const part = objectOf(msg['part']);
  switch (msg['type']) {
    case 'message':
      if (msg['role'] === 'assistant') return [{ type: 'text', text: contentTextOf(msg['content']) ?? '' }];
      return msg['role'] === 'user' ? [goOn] : [];
    case 'tool_use':
      if (msg['tool_id'] === undefined) return [act];
      return toolActs(msg['tool_id'], toolTitle(textOf(msg['tool_name']) ?? 'a tool', msg['parameters']));
    case 'tool_result':
      return toolEndActs(msg['tool_id']);
    case 'text':
      return [{ type: 'text', text: textOf(part['text']) ?? '' }];
    case 'reasoning':
      return [act];
    case 'step_finish': {
      const reason = textOf(part['reason']);
      return [reason !== undefined && goingOn.has(reason) ? act : end(reasons[reason ?? ''] ?? reason)];
    }
    default:
      return [];
  }
}

/** Codex reports each attempt to get its connection back so, and that it has given up; OpenCode has given up then. */
function errorActs(msg: JsonObject): readonly StreamAct[] {
  const message = textOf(msg['message']);
  if (message !== undefined && tellsOfRetry(message)) return [{ type: 'retry', message }];
  if (msg['sessionID'] === undefined) return [{ type: 'gives-up' }];
  return [end(undefined, { isCancelled: objectOf(msg['error'])['name'] === 'MessageAbortedError' })];
}

/** Of all that a program is asked by the control protocol of Claude Code, this is for a person. */
function questionActs(msg: JsonObject): readonly StreamAct[] {
  const { subtype, tool_use_id: tool } = objectOf(msg['request']);
  const asking = typeof subtype === 'string' ? asked.get(subtype) : undefined;
  if (!asking) return [];
  return [{ type: 'asks', id: questionId(msg), question: { asking, toolId: textOf(tool)?.slice(0, maxId) } }];
}

/** Of a question by the control protocol of Claude Code. */
export function questionId(msg: JsonObject): string {
  return String(requestIdOf(msg['request_id']) ?? '').slice(0, maxId);
}

function toolActs(id: unknown, title: string): StreamAct[] {
  const text = textOf(id);
  return text === undefined ? [act] : [{ type: 'tool', id: ownHead(text, maxId), title }];
}

function toolEndActs(id: unknown): StreamAct[] {
  const text = textOf(id);
  return text === undefined ? [act] : [{ type: 'tool-end', id: text.slice(0, maxId) }];
}

function end(stopReason: string | undefined, told: Partial<Omit<End, 'type' | 'stopReason'>> = {}): End {
  return { type: 'end', stopReason, isCancelled: false, isCommand: false, text: '', ...told };
}
