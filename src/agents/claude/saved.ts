import { duration } from '../../text/text';
import { parseLevel } from '../../text/level';
import type { JsonObject } from '../../text/json';
import { isObject, numberOf, objectOf, textOf } from '../../text/json';
import { deletion } from './deletion';
import { ClaudeMessages, taskWords } from './savedMessages';
import type { MarkedState, SavedForm } from '../savedForm';
import { anyFolder, named } from '../savedForm';
import { CostState } from './costState';
import { claudeQuota } from './reports';
import { ClaudeHooks } from './savedHooks';
import { ClaudeOrigins, unmarked } from './origins';
import type { LineOrigin, SavedReader } from '../reading/saved/savedReader';
import { Sidechains } from '../reading/saved/sidechain';
import type { AgentSession } from '../../protocols/agentWriter/verbs';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';

/** Lines that only serve the program itself: titles, modes, and the exact model requests. */
const bookkeeping = new Set([
  'mode',
  'permission-mode',
  'tag',
  'pr-link',
  'cost-state',
  'api-request-shape',
  'api-request-blob',
  'atis-latch',
  'tools-used',
]);
/** Types of lines with the session's title, and the field that has it. */
const titles: Readonly<Record<string, string>> = {
  'custom-title': 'customTitle',
  'ai-title': 'aiTitle',
  'agent-name': 'agentName',
  summary: 'summary',
};
const ownTypes = new Set([
  ...bookkeeping,
  ...Object.keys(titles),
  'api-request',
  'last-prompt',
  'queue-operation',
  'file-history-snapshot',
]);

/** Claude Code: `projects/CWD/UUID.jsonl`, and `subagents/agent-*.jsonl` for subagents. */
export const saved: SavedForm = {
  type: 'files',
  tried: { version: '2.1' },
  waits: {
    records: ['`status` in `sessions/PID.json`'],
    tools: { AskUserQuestion: 'answer', ExitPlanMode: 'plan' },
    permissions: 'recorded',
  },
  deletion,
  recognises(line) {
    const type = textOf(line['type']) ?? '';
    if (type === 'summary') return textOf(line['leafUuid']) !== undefined;
    if (type === 'file-history-snapshot') return isObject(line['snapshot']);
    if (textOf(line['sessionId']) === undefined) return false;
    if (ownTypes.has(type)) return true;
    if (!('parentUuid' in line) || 'provenance' in line || 'systemPayload' in line) return false;
    const role = objectOf(line['message'])['role'];
    return type === 'attachment' || type === 'system' || ((type === 'user' || type === 'assistant') && role === type);
  },
  reader: () => new ClaudeReader(),
  roots: [['CLAUDE_CONFIG_DIR'], ['~', '.claude']],
  // Some versions moved there.
  otherRoots: [['~', '.config', 'claude']],
  files: [{ below: ['projects', anyFolder], name: named('', '\\.jsonl') }],
  namesProjects: true,
  subagents: {
    place: ({ name }) => [name, 'subagents'],
    morePlaces: ({ name }) => [[name, 'subagents', 'workflows', anyFolder]],
    file: /^agent-.+\.jsonl$/,
    // Version 2.0.
    isBeside: true,
  },
  ends: { head: 32 * 1024, tail: 32 * 1024 },
  unmarked,
  marks: { type: 'folder', names: ['sessions'], file: /^\d+\.json$/, session: 'sessionId', state: markedState },
};

/** What the program's own file says. `since` is when that changed. */
function markedState({ status, waitingFor, statusUpdatedAt }: JsonObject): MarkedState | undefined {
  const since = numberOf(statusUpdatedAt);
  if (since === undefined) return undefined;
  if (status === 'busy' || status === 'idle') return { type: status, since };
  // A question and a plan are told by their tools.
  return status === 'waiting'
    ? { type: status, asking: waitingFor === 'input needed' ? 'answer' : 'permission', since }
    : undefined;
}

class ClaudeReader implements SavedReader {
  private readonly origins = new ClaudeOrigins();
  private readonly sidechains = new Sidechains();
  private readonly messages: ClaudeMessages;
  private readonly hooks = new ClaudeHooks();
  /** Digest of the last request: the same one again is a retry. */
  private digest: string | undefined;

  constructor(private readonly costState = new CostState()) {
    this.messages = new ClaudeMessages(costState);
  }

  originOf(line: JsonObject): LineOrigin | undefined {
    return this.origins.of(line);
  }

  forBranch(): SavedReader {
    return new ClaudeReader(this.costState);
  }

  read(line: JsonObject, writer: AgentWriter): void {
    enterSession(line, this.sidechains.idsOf(line), writer);
    const type = textOf(line['type']);
    this.messages.next(line, writer);
    switch (type) {
      case 'user':
      case 'assistant':
        if (type === 'assistant') this.digest = undefined;
        return this.messages.read(type, line, writer);
      case 'system':
        return this.readSystem(line, writer);
      case 'attachment':
        return this.readAttachment(objectOf(line['attachment']), writer);
      case 'api-request':
        return this.readRequest(line, writer);
      case 'queue-operation': {
        // What happened after the last turn, such as a background command that ended with the program.
        const content = textOf(line['content']) ?? '';
        if (line['operation'] === 'enqueue' && /^<task-notification>[\s\S]*<status>killed</.test(content)) {
          return writer.note({ level: 'notice', logger: 'task', message: taskWords(content).message });
        }
        return writer.other(`prompt queue: ${textOf(line['operation']) ?? 'changed'}`, 'queue');
      }
      case 'file-history-snapshot':
        return writer.other('file backup for /rewind', 'files');
      case 'cost-state':
        return this.costState.read(line, writer);
      case 'last-prompt':
        return writer.title(textOf(line['lastPrompt']), { isBetter: false });
      default:
        return this.readOther(type, line, writer);
    }
  }

  private readOther(type: string | undefined, line: JsonObject, writer: AgentWriter): void {
    const field = type === undefined || !Object.hasOwn(titles, type) ? undefined : titles[type];
    if (field !== undefined) return writer.title(textOf(line[field]));
    if (type === undefined || !bookkeeping.has(type)) writer.unknown(type);
  }

  private readAttachment(attachment: JsonObject, writer: AgentWriter): void {
    if (this.hooks.readAttachment(attachment, writer)) return;
    const model = textOf(objectOf(attachment['identity'])['modelId']);
    if (attachment['type'] !== 'model' || model === undefined) {
      return writer.other(`added to the prompt: ${textOf(attachment['type']) ?? 'unknown'}`, 'context');
    }
    writer.answeredBy(model);
  }

  /** Detects retries in interactive sessions, which only repeat the request. */
  private readRequest(line: JsonObject, writer: AgentWriter): void {
    const digest = textOf(line['requestDigest']);
    if (digest !== undefined && digest === this.digest && writer.isInTurn) {
      writer.retry({ why: 'the same request was sent again' });
    }
    this.digest = digest;
  }

  private readSystem(line: JsonObject, writer: AgentWriter): void {
    const subtype = textOf(line['subtype']);
    switch (subtype) {
      case 'api_error':
        this.digest = undefined;
        return readRetry(line, writer);
      case 'compact_boundary': {
        const { trigger, preTokens, postTokens } = objectOf(line['compactMetadata']);
        const isOwnTurn = !writer.isInTurn;
        if (isOwnTurn) writer.turnStarted('/compact');
        writer.compacted(textOf(trigger), numberOf(preTokens), numberOf(postTokens));
        return isOwnTurn ? writer.turnEnded({ outcome: 'ok', isCommand: true }) : undefined;
      }
      case 'stop_hook_summary':
        return this.hooks.readSummary(line, writer);
      case 'turn_duration':
        return writer.turnEnded({ ...writer.continueTurn(), outcome: 'ok', took: numberOf(line['durationMs']) });
      case 'local_command':
        return this.messages.readCommand(textOf(line['content']) ?? '', writer);
      default: {
        if (readBlockedPrompt(line, writer)) return;
        const content = textOf(line['content']);
        if (content === undefined) return writer.unknown(`system/${subtype ?? ''}`);
        writer.note({ level: parseLevel(line['level']) ?? 'info', logger: subtype ?? 'system', message: content });
      }
    }
  }
}

function enterSession(line: JsonObject, ids: AgentSession | undefined, writer: AgentWriter): void {
  if (!ids) return;
  writer.in(ids);
  const version = textOf(line['version']);
  if (version === undefined || !('parentUuid' in line)) return;
  const branch = textOf(line['gitBranch']);
  writer.started({
    agent: 'Claude Code',
    version,
    folder: textOf(line['cwd']),
    branch,
    details: [ids.parent !== undefined && 'subagent', branch !== undefined && `branch ${branch}`],
  });
}

/** A prompt that a hook blocked isn't saved as one. Returns whether the line tells of that. */
function readBlockedPrompt(line: JsonObject, writer: AgentWriter): boolean {
  const { kind, reason } = objectOf(objectOf(line['promptSubmitEnding'])['ending']);
  if (kind !== 'blocked_by_hook') return false;
  writer.prompt(/\n\nOriginal prompt: (.*)$/s.exec(textOf(line['content']) ?? '')?.[1] ?? 'A prompt');
  writer.hookEnded(undefined, { name: 'UserPromptSubmit', outcome: 'refused', output: textOf(reason) ?? '' });
  writer.turnEnded({ outcome: 'ok' });
  return true;
}

function readRetry(line: JsonObject, writer: AgentWriter): void {
  const error = objectOf(line['error']);
  const why = textOf(error['formatted']) ?? textOf(error['message']) ?? 'the model did not answer';
  const inMs = numberOf(line['retryInMs']);
  const attempt = numberOf(line['retryAttempt']);
  const max = numberOf(line['maxRetries']);
  // Only a window that is used up has one.
  const { rateLimits } = error;
  const quota = isObject(rateLimits) ? claudeQuota({ ...rateLimits, status: 'rejected' }) : undefined;
  if (quota) writer.fact({ type: 'quota', windows: [quota] });
  if (attempt !== undefined && max !== undefined && attempt > max) {
    const after = inMs === undefined ? '' : ` after ${duration(inMs)}`;
    return writer.note({ level: 'warning', logger: 'api', message: `${why}: no more retries${after}` });
  }
  writer.retry({ attempt, max, inMs, status: numberOf(error['status']), why });
}
