import { changesOfDisplay } from '../gemini/changes';
import { duration } from '../../text/text';
import type { JsonObject } from '../../text/json';
import { isObject, numberOf, objectOf, textOf } from '../../text/json';
import { asideUsage } from '../reading/saved/asideUsage';
import { partsOf, textIn } from '../reading/saved/parts';
import { shellResult } from './shellResult';
import type { SavedForm } from '../savedForm';
import { anyFolder, named } from '../savedForm';
import type { LineOrigin } from '../reading/saved/savedReader';
import { Sidechains } from '../reading/saved/sidechain';
import type { AgentSession, ToolEnd } from '../../protocols/agentWriter/verbs';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';
import type { Usage } from '../../work/activity';
import { isPassing } from '../../protocols/agentWriter/recordText';
import { usageOf } from '../../work/usage/usage';

/** Qwen Code: `projects/CWD/chats/UUID.jsonl`, and `subagents/UUID/agent-*.jsonl`. */
export const saved: SavedForm = {
  type: 'files',
  tried: { version: '0.24' },
  waits: { records: [], tools: { ask_user_question: 'answer', exit_plan_mode: 'plan' }, permissions: 'unrecorded' },
  deletion: {
    asOf: '0.24.4',
    rule: 'deletes none, but transcripts of background subagents after 30 days (`general.cleanupPeriodDays`)',
  },
  recognises(line) {
    if (textOf(line['sessionId']) === undefined || textOf(line['uuid']) === undefined) return false;
    return 'systemPayload' in line || 'provenance' in line || Array.isArray(objectOf(line['message'])['parts']);
  },
  reader: () => {
    const sidechains = new Sidechains();
    return { originOf, read: (line, writer) => read(line, sidechains.idsOf(line), writer) };
  },
  roots: [['QWEN_RUNTIME_DIR'], ['QWEN_HOME'], ['~', '.qwen']],
  files: [{ below: ['projects', anyFolder, 'chats'], name: named('', '\\.jsonl') }],
  namesProjects: true,
  subagents: { place: ({ name }) => ['..', 'subagents', name], file: /^agent-.+\.jsonl$/ },
  marks: { type: 'beside', suffix: '.runtime.json', session: 'session_id', host: 'hostname' },
};

/** A fork has all lines of its origin, each with this mark. */
function originOf(line: JsonObject): LineOrigin {
  const forkedFrom = objectOf(line['forkedFrom']);
  if (isObject(line['forkedFrom'])) return { type: 'copied', from: textOf(forkedFrom['sessionId']) };
  const [id, parentId] = [textOf(line['uuid']), textOf(line['parentUuid'])];
  return { type: 'own', id, parentId, isPrompt: line['type'] === 'user' };
}

function read(line: JsonObject, ids: AgentSession | undefined, writer: AgentWriter): void {
  enterSession(line, ids, writer);
  const type = textOf(line['type']);
  const parts = partsOf(objectOf(line['message'])['parts']);
  // An answer may span several lines, and follow failed attempts.
  if (type === 'assistant') writer.goesOn();
  else if (type !== 'system') writer.settle();
  switch (type) {
    case 'user':
      return readPrompt(line, parts, writer);
    case 'assistant':
      return readAnswer(line, parts, writer);
    case 'tool_result':
      for (const part of parts) readResult(line, part, writer);
      return;
    case 'system':
      return readSystem(line, writer);
    default:
      return writer.unknown(type);
  }
}

function enterSession(line: JsonObject, ids: AgentSession | undefined, writer: AgentWriter): void {
  if (!ids) return;
  writer.in(ids);
  const version = textOf(line['version']);
  if (version === undefined) return;
  writer.started({
    agent: 'Qwen Code',
    version,
    folder: textOf(line['cwd']),
    branch: textOf(line['gitBranch']),
    details: [ids.parent !== undefined && `subagent ${textOf(line['agentName']) ?? ''}`.trim()],
  });
}

function readPrompt(line: JsonObject, parts: readonly JsonObject[], writer: AgentWriter): void {
  const context = textOf(objectOf(line['systemPayload'])['hookContext']);
  const isOfHook = ({ text }: JsonObject): boolean => context !== undefined && (textOf(text) ?? '').includes(context);
  writer.prompt(textIn(parts.filter((part) => !isOfHook(part))));
  if (context !== undefined) writer.hookEnded(undefined, { name: 'UserPromptSubmit', outcome: 'ok', output: context });
}

function readAnswer(line: JsonObject, parts: readonly JsonObject[], writer: AgentWriter): void {
  const usage = isObject(line['usageMetadata']) ? line['usageMetadata'] : undefined;
  let hasText = false;
  let hasCall = false;
  for (const part of parts) {
    const call = isObject(part['functionCall']) ? part['functionCall'] : undefined;
    const text = textOf(part['text']) ?? '';
    hasCall ||= call !== undefined;
    if (call) writer.toolStarted(textOf(call['id']), textOf(call['name']), call['args']);
    else if (part['thought'] === true) writer.thought(text);
    else {
      hasText ||= text.trim() !== '';
      // A subagent's lines have no usage if a tool call follows.
      writer.answer(text, { isCut: usage === undefined && line['isSidechain'] !== true });
    }
  }
  writer.answeredBy(textOf(line['model']));
  if (usage) writer.usage(textOf(line['uuid']), usageOf(usage, 'turn'));
  const isWhole = usage !== undefined || line['isSidechain'] === true;
  // With its usage, an answer is over even if the model said nothing.
  if (hasCall || (!hasText && usage === undefined)) return;
  if (!isWhole) return writer.turnEnded({ outcome: 'cancelled' });
  // Unless another line of the answer follows.
  writer.mayEnd({ outcome: 'ok' });
}

function readSystem(line: JsonObject, writer: AgentWriter): void {
  const payload = objectOf(line['systemPayload']);
  const subtype = textOf(line['subtype']);
  switch (subtype) {
    case 'ui_telemetry':
      return readTelemetry(objectOf(payload['uiEvent']), writer);
    case 'slash_command': {
      const command = textOf(payload['rawCommand']) ?? textOf(payload['command']) ?? 'slash command';
      writer.settle();
      const isInput = payload['phase'] === undefined || payload['phase'] === 'invocation';
      return isInput ? writer.note({ level: 'info', logger: 'command', message: command }) : undefined;
    }
    case 'chat_compression': {
      const info = objectOf(payload['info']);
      const before = numberOf(info['originalTokenCount']);
      return writer.compacted(undefined, before, numberOf(info['newTokenCount']));
    }
    case 'custom_title':
      return writer.title(textOf(payload['customTitle']) ?? textOf(payload['title']));
    case 'attribution_snapshot':
    case 'file_history_snapshot':
      return;
    default:
      return writer.unknown(`system/${subtype ?? ''}`);
  }
}

function readTelemetry(event: JsonObject, writer: AgentWriter): void {
  // Background agents write into the same file.
  const agent = textOf(event['subagent_name']);
  const name = textOf(event['event.name'])?.replace(/^qwen-code\./, '');
  const took = numberOf(event['duration_ms']);
  const after = took === undefined ? '' : ` after ${duration(took)}`;
  const by = agent === undefined ? '' : ` (${agent})`;
  switch (name) {
    case 'api_response':
      // Those of the conversation have their answers; a compaction's don't.
      if (agent !== undefined || !/########\d+$/.test(textOf(event['prompt_id']) ?? '########0')) {
        asideUsage(writer, textOf(event['response_id']), usageInTelemetry(event), agent ?? 'compression', {
          hasMore: true,
        });
      }
      return writer.note({ level: 'debug', logger: 'model', message: `answered${after}${by}` });
    case 'api_error': {
      const error = textOf(event['error_message']) ?? 'no reason given';
      // Its duration is that of the request.
      if (agent === undefined) return isPassing(error) ? writer.attemptFailed(error) : failed(error, writer);
      return writer.note({ level: 'warning', logger: 'model', message: `failed${after}${by}: ${error}` });
    }
    case 'tool_call': {
      const error = textOf(event['error']);
      const toolId = textOf(event['call_id']);
      // The user or a rule allowed it, and yet it wasn't run.
      const isAllowed = /^(?:auto_)?accept/.test(textOf(event['decision']) ?? '');
      if (isAllowed && event['error_type'] === 'execution_denied' && event['execution_status'] === 'not_started') {
        writer.hookEnded(undefined, { name: 'PreToolUse', toolId, outcome: 'refused', output: error ?? '' });
      }
      // Its result has a separate line, except for background agents.
      if (writer.hasTool(toolId)) return;
      const tool = textOf(event['function_name']) ?? 'tool';
      const state = textOf(event['status']) ?? '';
      const message = `${tool} of another agent: ${error ?? state}`;
      return writer.note({ level: 'debug', logger: 'tool', content: 'tool', message });
    }
    default:
      return writer.other(`telemetry: ${name ?? 'unknown'}`);
  }
}

function usageInTelemetry(event: JsonObject): Usage | undefined {
  const fields = {
    promptTokenCount: event['input_token_count'],
    candidatesTokenCount: event['output_token_count'],
    cachedContentTokenCount: event['cached_content_token_count'],
    thoughtsTokenCount: event['thoughts_token_count'],
    totalTokenCount: event['total_token_count'],
  };
  return usageOf(fields, 'turn');
}

function failed(error: string, writer: AgentWriter): void {
  writer.goesOn();
  writer.turnEnded({ outcome: 'error', error });
}

function readResult(line: JsonObject, block: JsonObject, writer: AgentWriter): void {
  const response = objectOf(block['functionResponse']);
  const said = objectOf(response['response']);
  const result = objectOf(line['toolCallResult']);
  const shown = objectOf(result['resultDisplay']);
  const status = textOf(result['status']);
  const whole = textOf(said['output']) ?? textOf(said['error']) ?? textOf(result['resultDisplay']) ?? '';
  const shell = shellResult(whole);
  const output = textOf(shown['output']) ?? shell?.output ?? whole;
  const outcome = outcomeOf(status, said, textOf(result['errorType']));
  writer.toolEnded(textOf(response['id']) ?? textOf(result['callId']), {
    outcome,
    exitCode: outcome === 'cancelled' ? undefined : (numberOf(shown['exitCode']) ?? shell?.exitCode),
    ms: numberOf(result['durationMs']),
    output,
    changes: changesOfDisplay(result['resultDisplay']),
  });
  if (outcome === 'cancelled') writer.turnEnded({ outcome: 'cancelled' });
}

function outcomeOf(status: string | undefined, said: JsonObject, errorType: string | undefined): ToolEnd['outcome'] {
  if (status === 'cancelled') return 'cancelled';
  if (errorType === 'execution_denied') return 'refused';
  return status === 'error' || (status === undefined && said['error'] !== undefined) ? 'error' : 'ok';
}
