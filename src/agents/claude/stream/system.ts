import type { Level } from '../../../text/level';
import { parseLevel } from '../../../text/level';
import { oneLine } from '../../../text/text';
import type { JsonObject } from '../../../text/json';
import type { McpServerState } from '../../../work/activity';
import { arrayOf, numberOf, objectOf, textOf } from '../../../text/json';
import { readHook, readTask } from './background';
import { claudeReport, retryIn } from '../reports';
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
  switch (subtype) {
    case 'status':
      return readStatus(event, writer);
    case 'compact_boundary':
      readCompaction(event, writer);
      return writer.activity({ type: 'progress' }, { mayComeBefore: true });
    case 'api_retry':
      return writer.retry(retryIn(event));
    case 'thinking_tokens': // A ticker for clients that show a spinner.
      return;
    case 'local_command_output':
      writer.activity({ type: 'progress' }, { mayComeBefore: true });
      break;
    default: {
      const report = claudeReport(event);
      if (report) writer.fact(report);
    }
  }
  writer.note(describe(subtype, event));
}

function describe(subtype: string, event: JsonObject): EventText {
  switch (subtype) {
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

function readCompaction(event: JsonObject, writer: AgentWriter): void {
  const about = objectOf(event['compact_metadata'] ?? event['compactMetadata']);
  const before = numberOf(about['pre_tokens'] ?? about['preTokens']);
  const after = numberOf(about['post_tokens'] ?? about['postTokens']);
  writer.compacted(textOf(about['trigger']), before, after, true);
}

function readStatus(event: JsonObject, writer: AgentWriter): void {
  const error = textOf(event['compact_error']);
  if (event['compact_result'] === 'failed' || error !== undefined) {
    return writer.notCompacted(error ?? 'no reason given');
  }
  const status = textOf(event['status']);
  if (status === 'compacting') return writer.compacting();
  writer.fact({ type: 'compaction', change: 'ended', isFailed: false });
  writer.note({ level: 'debug', logger: 'status', message: status ?? restOf(event) });
}
