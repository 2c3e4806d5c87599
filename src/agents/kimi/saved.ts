import type { JsonObject } from '../../text/json';
import { numberOf, objectOf, textOf } from '../../text/json';
import { duration } from '../../text/text';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';
import { outputText } from '../../protocols/agentWriter/toolText';
import { withoutStatus } from '../../protocols/agentWriter/recordText';
import type { SavedForm } from '../savedForm';
import { anyFolder } from '../savedForm';
import type { UsageConvention } from '../../work/usage/usage';
import type { Usage } from '../../work/activity';
import { usageOf } from '../../work/usage/usage';
import { asideUsage } from '../reading/saved/asideUsage';
import type { LineOrigin, SavedReader } from '../reading/saved/savedReader';
import { readAbout } from './about';
import { retryOf, toolEnd } from './items';

const known =
  /^(?:context|turn|llm|usage|profile|runtime|permission|prompt|plugin|token_counting|interaction|full_compaction|task|goal|config|tools|file_history|plan_mode)\.|^forked$/;
const convention: UsageConvention = { inputExcludesCache: true };
/** The field of the first line to which the session's ID is added. */
const naming = { header: 'protocol_version', field: 'sessionId' };
/** Repeats of other lines. */
const repeats = new Set([
  'agent.message.appended',
  'agent.turn.started',
  'agent.turn.ended',
  'prompt.completed',
  'prompt.aborted',
]);

/** Kimi Code: `sessions/wd_NAME_HASH/session_UUID/agents/main/wire.jsonl`, and `agents/agent-N` for each subagent. */
export const saved: SavedForm = {
  type: 'files',
  tried: { version: '2.1' },
  waits: {
    records: ['`interaction.request`'],
    tools: { AskUserQuestion: 'answer', ExitPlanMode: 'plan' },
    permissions: 'recorded',
  },
  deletion: { asOf: '2.1.0', rule: 'deletes none' },
  recognises(line) {
    if (line['type'] === 'metadata') return textOf(line['protocol_version']) !== undefined;
    return (
      textOf(line['agentId']) !== undefined &&
      numberOf(line['time']) !== undefined &&
      known.test(textOf(line['type']) ?? '')
    );
  },
  reader: () => new KimiReader(),
  roots: [['KIMI_CODE_HOME'], ['~', '.kimi-code']],
  files: [{ below: ['sessions', anyFolder, anyFolder], file: () => 'agents/main/wire.jsonl' }],
  about: { file: () => 'state.json', read: readAbout },
  programs: ['kimi', 'kimi-code', 'kimi-cli'],
  naming,
  subagents: { place: () => ['..'], folder: /^agent-/, file: /^wire\.jsonl$/, parent: naming },
  // The system prompt precedes the first prompt.
  ends: { head: 64 * 1024, tail: 16 * 1024 },
};

class KimiReader implements SavedReader {
  private session = 'session';
  /** The session of which this one is a fork, since when in milliseconds since the epoch. */
  private fork: { readonly from: string; readonly at: number } | undefined;
  /** The model request that began last. */
  private step: string | undefined;
  /** A hook blocked the prompt that follows. */
  private isBlocked = false;

  /** A fork begins with the lines of its origin. They are older than the fork. */
  originOf(line: JsonObject): LineOrigin | undefined {
    if (line['type'] === 'metadata') this.readHeader(line);
    const { fork } = this;
    const at = numberOf(line['time']);
    return fork && at !== undefined && at <= fork.at ? { type: 'copied', from: fork.from } : undefined;
  }

  read(line: JsonObject, writer: AgentWriter): void {
    const type = textOf(line['type']) ?? '';
    if (type === 'metadata') return;
    const agent = textOf(line['agentId']);
    if (agent !== undefined) this.enter(agent, writer);
    if (repeats.has(type) || type.startsWith('token_counting.')) return;
    if (type === 'context.append_loop_event') return this.readLoopEvent(objectOf(line['event']), writer);
    if (type === 'context.append_message') return this.readMessage(objectOf(line['message']), writer);
    if (type.startsWith('turn.')) return readTurn(type, line, writer);
    if (type.startsWith('subagent.')) return readSubagent(type, line, writer);
    // That of a step comes before its end, which a kill prevents, and which says it again.
    if (type === 'usage.record' && line['usageScope'] === 'turn' && this.step !== undefined) {
      writer.uses(line['model'], true);
      writer.usage(this.step, usageIn(line));
    }
    readOther(type, line, writer);
  }

  private readLoopEvent(event: JsonObject, writer: AgentWriter): void {
    if (event['type'] === 'step.begin') this.step = textOf(event['uuid']);
    else readLoopEvent(event, writer);
  }

  private readHeader(line: JsonObject): void {
    this.session = textOf(line['sessionId']) ?? this.session;
    const [from, at] = [textOf(line['forkedFrom']), numberOf(line['forkedAt'])];
    this.fork = from === undefined || at === undefined ? undefined : { from, at };
  }

  /** The user's own prompts are in `turn.prompt` and `turn.steer`, unless a hook blocked them. */
  private readMessage(message: JsonObject, writer: AgentWriter): void {
    const { kind, event, blocked, name } = objectOf(message['origin']);
    const text = outputText(message['content']);
    if (kind === 'hook_result') {
      this.isBlocked = blocked === true;
      const output = (/^<hook_result\b[^>]*>(.*)<\/hook_result>\s*$/s.exec(text)?.[1] ?? text).trim();
      const outcome = this.isBlocked ? 'refused' : 'ok';
      return writer.hookEnded(undefined, { name: textOf(event) ?? 'hook', outcome, output });
    }
    if (kind === 'system_trigger' && name === 'stop_hook') {
      return writer.hookEnded(undefined, { name: 'Stop', outcome: 'refused', output: text });
    }
    if (message['role'] !== 'user') {
      return writer.other(`message of ${textOf(message['role']) ?? 'unknown'}`, 'context');
    }
    if (kind === 'injection') writer.insertedPrompt(text);
    if (kind !== 'user' || !this.isBlocked) return;
    this.isBlocked = false;
    writer.prompt(text);
    writer.turnEnded({ outcome: 'ok' });
  }

  private enter(agent: string, writer: AgentWriter): void {
    const { session } = this;
    writer.in(agent === 'main' ? { id: session } : { id: `${session}/${agent}`, parent: session });
  }
}

function readTurn(type: string, line: JsonObject, writer: AgentWriter): void {
  switch (type) {
    case 'turn.prompt':
      return readPrompt(line, writer);
    case 'turn.steer':
      return writer.prompt(outputText(line['input']), { startsTurn: false });
    case 'turn.step.retrying':
      return writer.retry(retryOf(line));
    case 'turn.ended':
      return readEnd(line, writer);
    case 'turn.cancel':
    case 'turn.step.interrupted':
      return writer.other(type, 'turn');
    default:
      return writer.unknown(type);
  }
}

function readPrompt(line: JsonObject, writer: AgentWriter): void {
  const origin = objectOf(line['origin']);
  const text = outputText(line['input']);
  const isTask = origin['kind'] === 'system_trigger' && origin['name'] === 'subagent';
  if (isTask) return writer.prompt(text);
  if (origin['kind'] !== 'system_trigger') return writer.prompt(text);
  writer.turnStarted();
  writer.insertedPrompt(text);
}

function readEnd(line: JsonObject, writer: AgentWriter): void {
  const took = numberOf(line['durationMs']);
  switch (line['reason']) {
    case 'completed':
      return writer.turnEnded({ outcome: 'ok', took, stopReason: textOf(line['stopReason']) });
    case 'cancelled':
      return writer.turnEnded({ outcome: 'cancelled', took });
    default:
      return writer.turnEnded({ outcome: 'error', took, error: errorText(objectOf(line['error']), line['reason']) });
  }
}

function errorText(error: JsonObject, reason: unknown): string {
  const words = textOf(error['message']) ?? textOf(error['code']) ?? textOf(reason) ?? 'no reason given';
  const status = numberOf(objectOf(error['details'])['statusCode']);
  return status === undefined ? words : `${withoutStatus(words, status)} (status ${status})`;
}

function readLoopEvent(event: JsonObject, writer: AgentWriter): void {
  switch (event['type']) {
    case 'content.part':
      return readPart(objectOf(event['part']), writer);
    case 'tool.call':
      return writer.toolStarted(textOf(event['toolCallId']), textOf(event['name']), event['args']);
    case 'tool.result': {
      const { output, isError, durationMs } = objectOf(event['result']);
      return writer.toolEnded(textOf(event['toolCallId']), {
        ...toolEnd(output, isError === true),
        ms: numberOf(durationMs),
      });
    }
    case 'step.end':
      return readStepEnd(event, writer);
    default:
      return writer.unknown(`loop event ${textOf(event['type']) ?? ''}`);
  }
}

function readPart(part: JsonObject, writer: AgentWriter): void {
  if (part['type'] === 'text') return writer.answer(textOf(part['text']) ?? '');
  if (part['type'] === 'think') return writer.thought(textOf(part['think']) ?? '');
  writer.other(`part of type ${textOf(part['type']) ?? 'unknown'}`, 'agent');
}

function readStepEnd(event: JsonObject, writer: AgentWriter): void {
  const usage = usageIn(event);
  if (!usage) return;
  writer.usage(textOf(event['uuid']), usage);
  const took = numberOf(event['llmStreamDurationMs']);
  const first = numberOf(event['llmFirstTokenLatencyMs']);
  if (took === undefined || first === undefined) return;
  const message = `answered in ${duration(first + took)}, first token after ${duration(first)}`;
  writer.note({ level: 'debug', logger: 'model', message });
}

function usageIn({ usage }: JsonObject): Usage | undefined {
  const { inputOther: input, output, inputCacheRead: cacheRead, inputCacheCreation: cacheWrite } = objectOf(usage);
  return usageOf({ input, output, cacheRead, cacheWrite }, 'turn', { convention });
}

function readSubagent(type: string, line: JsonObject, writer: AgentWriter): void {
  const id = textOf(line['subagentId']) ?? 'subagent';
  const error = textOf(line['error']);
  switch (type) {
    case 'subagent.spawned': {
      const task = textOf(line['description']);
      const name = textOf(line['subagentName']);
      const message = `${id}${name === undefined ? '' : ` (${name})`} started${task === undefined ? '' : `: ${task}`}`;
      return writer.note({ level: 'info', logger: 'subagent', message });
    }
    case 'subagent.completed':
    case 'subagent.cancelled':
      return writer.note({ level: 'info', logger: 'subagent', message: `${id} ${type.slice('subagent.'.length)}` });
    case 'subagent.failed':
      return writer.note({
        level: 'warning',
        logger: 'subagent',
        message: `${id} failed: ${error ?? 'no reason given'}`,
      });
    default:
      return writer.other(type, 'subagent');
  }
}

function readOther(type: string, line: JsonObject, writer: AgentWriter): void {
  switch (type) {
    case 'profile.bind':
      return writer.started({
        agent: 'Kimi Code',
        model: textOf(line['modelAlias']),
        folder: textOf(objectOf(line['environmentDisclosure'])['cwd']),
      });
    case 'config.update': {
      const model = textOf(line['modelAlias']);
      return model === undefined ? writer.other(type) : writer.model(model, { level: 'info' });
    }
    case 'usage.record':
      if (line['usageScope'] === 'session') {
        asideUsage(writer, `at ${numberOf(line['time'])}`, usageIn(line), 'compaction');
      }
      return writer.other(type);
    case 'context.apply_compaction':
      return writer.compacted(undefined, numberOf(line['tokensBefore']), numberOf(line['tokensAfter']));
    case 'interaction.request': {
      const request = objectOf(line['request']);
      const what = textOf(request['action']) ?? textOf(request['toolName']) ?? textOf(line['kind']) ?? 'an answer';
      return writer.asked(textOf(line['id']), what);
    }
    case 'interaction.resolved': {
      const decision = textOf(objectOf(line['response'])['decision']);
      return writer.settled(textOf(line['id']), outcomeOf(decision), decision ?? 'answered');
    }
    default:
      if (known.test(type)) return writer.other(type);
      writer.unknown(type);
  }
}

/** `undefined` if it is unknown. */
function outcomeOf(decision = ''): 'ok' | 'refused' | undefined {
  if (/^(?:approved?|accept(?:ed)?|allow(?:ed)?)(?:_|$)/.test(decision)) return 'ok';
  return /^(?:reject(?:ed)?|den(?:y|ied)|cancel(?:led)?)(?:_|$)/.test(decision) ? 'refused' : undefined;
}
