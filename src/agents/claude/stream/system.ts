import type { Level } from '../../../text/level';
import { parseLevel } from '../../../text/level';
import { duration, oneLine } from '../../../text/text';
import type { JsonObject } from '../../../text/json';
import type { McpServerState } from '../../../work/activity';
import { arrayOf, numberOf, objectOf, textOf } from '../../../text/json';
import { readHook, readTask } from './background';
import type { CompactionFact } from '../../../work/activity';
import { claudeReport } from '../reports';
import type { EventText } from '../../../protocols/agentWriter/verbs';
import { restOf } from '../../reading/streams/eventText';
import type { AgentWriter } from '../../../protocols/agentWriter/agentWriter';

/** Lists of which only the length is shown. */
const countedLists = ['tools', 'slash_commands', 'agents', 'skills', 'plugins'];

/** Reads `system` events. Unknown subtypes are recorded at their own level, with all their fields. */
export function readClaudeSystem(event: JsonObject, writer: AgentWriter): void {
  const subtype = textOf(event['subtype']) ?? 'system';
  if (subtype === 'init') return readInit(event, writer);
  if (subtype.startsWith('hook_')) return readHook(subtype, event, writer);
  if (subtype.startsWith('task_')) return readTask(subtype, event, writer);
  readActivity(subtype, event, writer);
  // A ticker for clients that show a spinner.
  if (subtype === 'thinking_tokens') return;
  writer.note(describe(subtype, event));
}

function readActivity(subtype: string, event: JsonObject, writer: AgentWriter): void {
  switch (subtype) {
    case 'status': {
      const change = event['status'] === 'compacting' ? 'started' : 'ended';
      const isFailed = event['compact_result'] === 'failed' || textOf(event['compact_error']) !== undefined;
      return writer.activity({ type: 'compaction', change, isFailed }, { mayComeBefore: true });
    }
    case 'compact_boundary':
      writer.activity(
        { type: 'compaction', change: 'ended', isFailed: false, ...sizesOf(event) },
        { mayComeBefore: true },
      );
      return writer.activity({ type: 'progress' }, { mayComeBefore: true });
    case 'local_command_output':
      return writer.activity({ type: 'progress' }, { mayComeBefore: true });
    default: {
      const report = claudeReport(event);
      if (report) writer.fact(report);
    }
  }
}

function describe(subtype: string, event: JsonObject): EventText {
  switch (subtype) {
    case 'api_retry':
      return { level: 'warning', logger: 'api', message: describeRetry(event) };
    case 'informational':
      return describeInformational(event);
    case 'notification':
      return {
        level: event['priority'] === 'low' ? 'info' : 'notice',
        kind: 'notice',
        message: textOf(event['text']) ?? restOf(event),
      };
    case 'permission_denied':
      return { level: 'warning', logger: 'permission', message: describeDenial(event) };
    case 'model_refusal_fallback':
    case 'model_refusal_no_fallback':
      return { level: 'warning', logger: 'model', message: describeRefusal(event) };
    case 'mirror_error':
      return { level: 'error', logger: 'session store', message: textOf(event['error']) ?? restOf(event) };
    case 'compact_boundary':
      return { level: 'info', logger: 'compaction', message: describeCompaction(event) };
    case 'status':
      return describeStatus(event);
    case 'local_command_output':
      return { level: 'info', logger: 'command', message: textOf(event['content']) ?? restOf(event) };
    case 'plugin_install':
      return { level: event['status'] === 'failed' ? 'warning' : 'debug', logger: 'plugin', message: restOf(event) };
    case 'files_persisted':
      return {
        level: arrayOf(event['failed']).length > 0 ? 'warning' : 'debug',
        logger: 'files',
        content: 'tool',
        message: restOf(event),
      };
    case 'session_state_changed':
      return { level: 'debug', logger: 'session', message: `is now ${textOf(event['state']) ?? 'in another state'}` };
    case 'commands_changed':
    case 'background_tasks_changed':
    case 'memory_recall':
    case 'elicitation_complete':
      return { level: 'debug', logger: subtype.replaceAll('_', ' '), message: restOf(event) };
    default:
      return {
        level: parseLevel(event['level']) ?? 'info',
        logger: subtype,
        message: textOf(event['content']) ?? restOf(event),
      };
  }
}

function readInit(event: JsonObject, writer: AgentWriter): void {
  writer.resumed();
  writer.turnStarted();
  const claude = textOf(event['claude_code_version']);
  const qwen = textOf(event['qwen_code_version']);
  const agent = claude !== undefined ? `Claude Code ${claude}` : qwen === undefined ? undefined : `Qwen Code ${qwen}`;
  const model = textOf(event['model']);
  writer.uses(model);
  const mode = textOf(event['permissionMode']) ?? textOf(event['permission_mode']);
  const cwd = textOf(event['cwd']);
  const told = [
    ...(agent === undefined ? [] : [agent]),
    ...(model === undefined ? [] : [`model ${model}`]),
    ...(mode === undefined ? [] : [`permission mode ${mode}`]),
    ...(cwd === undefined ? [] : [`in ${cwd}`]),
  ].map((part) => oneLine(part, 300));
  const counts = countedLists.flatMap((name): [string, number][] => {
    const list = event[name];
    return Array.isArray(list) ? [[name, list.length]] : [];
  });
  const other = ['apiKeySource', 'output_style', 'mcp_servers'].flatMap((name): [string, unknown][] =>
    event[name] === undefined ? [] : [[name, event[name]]],
  );
  writer.note({
    level: 'info',
    kind: 'lifecycle',
    message: `session started: ${told.join(', ')}`,
    data: Object.fromEntries([...other, ...counts]),
  });
  const servers = arrayOf(event['mcp_servers']).slice(0, 100).map(objectOf);
  for (const server of servers) readMcpServer(server, writer);
  writer.fact({
    type: 'equipment',
    tools: arrayOf(event['tools'])
      .slice(0, maxTools)
      .map((name) => textOf(name)?.slice(0, maxName) ?? ''),
    servers: servers.flatMap(({ name, status }) => {
      const state = serverStates.get(status);
      return typeof name === 'string' && state ? [{ name: name.slice(0, maxName), state }] : [];
    }),
  });
}

/** How many tools are kept, and how much of the names of tools and servers. */
const [maxTools, maxName] = [500, 200];
const serverStates = new Map<unknown, McpServerState['state']>([
  ['connected', 'connected'],
  ['pending', 'starting'],
  ['failed', 'failed'],
  ['needs-auth', 'needs-login'],
]);

/** Reports an MCP server that failed, because missing tools are easily overlooked. */
function readMcpServer({ name, status }: JsonObject, writer: AgentWriter): void {
  if (status !== 'failed' && status !== 'needs-auth') return;
  writer.note({
    level: status === 'failed' ? 'warning' : 'notice',
    logger: 'mcp',
    message: `${oneLine(textOf(name) ?? 'a server', 200)}: ${status === 'failed' ? 'could not be reached' : 'has to be logged in to'}`,
  });
}

function describeRetry(event: JsonObject): string {
  const attempt = numberOf(event['attempt']) ?? '?';
  const max = numberOf(event['max_retries']) ?? '?';
  const delay = numberOf(event['retry_delay_ms']);
  const status = numberOf(event['error_status']);
  const error = textOf(event['error']) ?? textOf(objectOf(event['error'])['message']);
  const why = status === undefined ? 'no answer' : `status ${status}`;
  return `retry ${attempt}/${max}${delay === undefined ? '' : ` in ${duration(delay)}`}: ${why}${error === undefined ? '' : ` (${oneLine(error, 500)})`}`;
}

/** Its `suggestion` isn't an RFC 5424 level. */
function describeInformational(event: JsonObject): EventText {
  const own = textOf(event['level']);
  const level: Level = parseLevel(own) ?? 'notice';
  const stops = event['prevent_continuation'] === true ? 'the agent stops here: ' : '';
  return {
    level,
    kind: 'notice',
    message: `${stops}${textOf(event['content']) ?? restOf(event)}`,
    ...(own !== undefined && parseLevel(own) === undefined && { data: { level: oneLine(own, 60) } }),
  };
}

function describeDenial(event: JsonObject): string {
  const reason = textOf(event['decision_reason']) ?? textOf(event['decision_reason_type']);
  const why = reason === undefined ? '' : ` (${oneLine(reason, 300)})`;
  return `denied: ${textOf(event['tool_name']) ?? 'a tool'}${why}: ${textOf(event['message']) ?? ''}`;
}

function describeRefusal(event: JsonObject): string {
  const content = textOf(event['content']);
  if (content !== undefined) return content;
  const from = textOf(event['original_model']) ?? 'the model';
  const to = textOf(event['fallback_model']);
  return `${from} refused${to === undefined ? '' : `, went on with ${to}`}`;
}

function describeCompaction(event: JsonObject): string {
  const { tokensBefore: before, contextTokens: after } = sizesOf(event);
  const size = before === undefined ? '' : ` from ${before} tokens${after === undefined ? '' : ` to ${after}`}`;
  return `the conversation was compacted${size} (${textOf(compactionOf(event)['trigger']) ?? 'no trigger given'})`;
}

function compactionOf(event: JsonObject): JsonObject {
  return objectOf(event['compact_metadata'] ?? event['compactMetadata']);
}

/** The sizes of the context before and after a compaction. */
function sizesOf(event: JsonObject): Pick<CompactionFact, 'tokensBefore' | 'contextTokens'> {
  const data = compactionOf(event);
  return {
    tokensBefore: numberOf(data['pre_tokens'] ?? data['preTokens']),
    contextTokens: numberOf(data['post_tokens'] ?? data['postTokens']),
  };
}

function describeStatus(event: JsonObject): EventText {
  const error = textOf(event['compact_error']);
  if (event['compact_result'] === 'failed' || error !== undefined) {
    return {
      level: 'warning',
      logger: 'compaction',
      message: `failed: ${error ?? 'no reason given'}`,
    };
  }
  const status = textOf(event['status']);
  if (status === 'compacting') return { level: 'info', logger: 'compaction', message: 'compacting the conversation' };
  return { level: 'debug', logger: 'status', message: status ?? restOf(event) };
}
