import type { JsonObject } from '../../text/json';
import { arrayOf, isObject, objectOf, textOf, textsOf } from '../../text/json';
import { ownHead, ownTail } from '../../text/ownText';
import type { ActivityDraft } from '../../work/activity';
import type { ToolFact } from '../../work/tools/toolFacts';
import { maxActivityId } from '../../work/activity';
import type { Ended } from '../../work/step';
import { traceMark } from '../../work/tools/callMarks';
import { argumentsText, callText } from '../../work/tools/callText';
import { inputDigest } from '../../work/tools/inputDigest';
import { childFailure, commandEndOf, commandOf, outputError } from '../../work/tools/toolOutput';
import { contentText, contentTextOf } from '../../work/tools/contentText';
import { changesOfUpdate } from './changes';
import type { AcpExtensions } from './extension';
import type { AcpSession } from './session';
import { keyOf } from './session';
import { withShortIds } from './subagents';
import { describeTool, outputOf, terminalText } from './words';
import type { AcpWriter } from './writer';

/** Maximum length of a title, in characters. Records show less. */
const maxTitle = 1000;

/** Maximum lengths of what facts have, in characters. */
const maxFactTitle = 300;
const maxOutput = 1000;
const maxCommand = 1000;
const maxTerminals = 20;

/** Outcomes by final state. */
export const outcomes: ReadonlyMap<unknown, ToolFact['outcome']> = new Map([
  ['completed', 'ok'],
  ['failed', 'error'],
  ['cancelled', 'cancelled'],
]);

/** Kinds of calls that change nothing, whose title and locations usually say all of their input. */
const looks: ReadonlySet<unknown> = new Set(['read', 'search', 'fetch']);
/** Titles of commands without the command. */
const bareCommand =
  /^\W*(?:(?:run|running|execut(?:e|ing)|a|the|shell|bash|terminal|command|script|code|tool|in|process)\b\W*)*$/i;

/** The title of a call, which its updates needn't have. */
export function titleOf({ calls }: AcpSession, toolCallId: unknown): string | undefined {
  const id = textOf(toolCallId);
  return id === undefined ? undefined : calls.get(keyOf(id))?.title;
}

/** Reads a `tool_call` or a `tool_call_update`. */
export function toolCalled(session: AcpSession, sent: JsonObject, out: AcpWriter): void {
  const { calls } = session;
  const { isReplay, isVersion2 } = out;
  const update = out.extensions.first((extension) => extension.toolUpdateOf?.(sent)) ?? sent;
  const id = textOf(update['toolCallId']);
  const key = id === undefined ? undefined : keyOf(id);
  const known = key === undefined ? undefined : calls.get(key);
  // In version 2, the first update of a call creates it.
  const isNew = update['sessionUpdate'] === 'tool_call' || (isVersion2 && known?.title === undefined);
  const own = textOf(update['title']) ?? (isNew && isVersion2 ? (textOf(update['name']) ?? id) : undefined);
  const isOld = isReplay || known?.isOld === true;
  if (key !== undefined && (own !== undefined || isReplay)) {
    calls.set(key, { title: own === undefined ? known?.title : ownHead(own, maxTitle), isOld });
  }
  const end = isOld ? undefined : report(session, update, out);
  const { data, ...text } = describeTool(own ?? known?.title ?? id ?? '', update, isNew, end);
  out.record(session.id, isObject(data) ? { ...text, data: withShortIds(data, out) } : text);
}

/** Returns how the call ended, if the update says that it has. */
function report({ id }: AcpSession, update: JsonObject, out: AcpWriter): Ended | undefined {
  const fact = toolOf(update, out.extensions);
  const ended = out.fact(id, fact);
  return fact.type === 'tool' && fact.change === 'ended' ? ended?.tools[0]?.end : undefined;
}

/** Reads a `tool_call_content_chunk`. */
export function toolOutput(session: AcpSession, update: JsonObject, out: AcpWriter): void {
  const id = textOf(update['toolCallId']);
  const title = textOf(update['title']) ?? titleOf(session, id) ?? id ?? '';
  out.record(session.id, describeTool(title, { ...update, content: [update['content']] }, false, undefined));
}

/** Updates contain only changed fields. Without a status, one either starts a call or adds to it. */
function toolOf(update: JsonObject, extensions: AcpExtensions): ActivityDraft {
  const id = idOf(update['toolCallId']);
  if (id === undefined) return { type: 'progress' };
  const { status } = update;
  const outcome = outcomes.get(status);
  const isRunning = update['sessionUpdate'] === 'tool_call' || textOf(status) !== undefined;
  const meta = objectOf(update['_meta']);
  const own = extensions.first((extension) => extension.toolOf?.(meta));
  const output = resultOf(update);
  const about = {
    type: 'tool',
    id,
    parentId: idOf(own?.parentId),
    title: headOf(update['title'], maxFactTitle),
    name: headOf(textOf(update['name']) ?? own?.name, maxFactTitle),
    command: headOf(commandOf(update['rawInput']), maxCommand),
    input: inputOf(update),
    args: argumentsText(update['rawInput']),
    changes: changesOfUpdate(update, headOf(update['name'] ?? own?.name ?? update['title'], maxFactTitle)),
    marks: textsOf(traceMark(meta['traceparent'])),
    file: headOf(fileOf(update), maxFactTitle),
    isCommand: update['kind'] === undefined ? undefined : update['kind'] === 'execute',
    isNew: update['sessionUpdate'] === 'tool_call',
    terminals: terminalsOf(update['content']),
    ...commandEndOf(update),
    error: headOf(outputError(update['rawOutput']), maxOutput),
    childError: headOf(childFailure(update), maxOutput),
    output: output && headAndTail(output),
    result: callText(outputOf(update), contentText(rawResult(update['rawOutput']))),
    // OpenCode's `task`. Agents that announce subagent sessions don't send this tool call.
    ...(textOf(objectOf(update['rawInput'])['subagent_type']) !== undefined && { isSubagent: true }),
  } as const;
  if (!outcome) return { ...about, change: isRunning ? 'running' : 'updated' };
  return { ...about, change: 'ended', outcome };
}

/** Agents that don't send the input put it into the title, or show what they change. */
function inputOf({ rawInput, title, kind, locations, content }: JsonObject): string | undefined {
  if (rawInput !== undefined && rawInput !== null) return inputDigest(rawInput);
  if (typeof title !== 'string') return undefined;
  const isTelling = kind === 'execute' ? !bareCommand.test(title) : looks.has(kind) && /[./\\:*`'"]/.test(title);
  if (isTelling || (looks.has(kind) && arrayOf(locations).length > 0)) return inputDigest([title, locations]);
  const diffs = arrayOf(content).filter((block) => objectOf(block)['type'] === 'diff');
  return diffs.length === 0 ? undefined : inputDigest([title, diffs]);
}

function resultOf({ content, _meta: meta, rawOutput }: JsonObject): string | undefined {
  return (
    contentTextOf(content) ?? terminalText(meta) ?? contentTextOf(rawOutput) ?? textOf(objectOf(rawOutput)['output'])
  );
}

/** The result of an MCP tool as it was, which Codex keeps in `result`. */
function rawResult(rawOutput: unknown): unknown {
  const { result, content = objectOf(result)['content'], output } = objectOf(rawOutput);
  return content ?? textOf(output) ?? (typeof rawOutput === 'string' ? rawOutput : []);
}

function fileOf({ locations, rawInput }: JsonObject): string | undefined {
  const { file_path: snake, filePath, path, url } = objectOf(rawInput);
  return [objectOf(arrayOf(locations)[0])['path'], snake, filePath, path, url].map(textOf).find(Boolean);
}

/** Keeps both ends, because either may contain the exit code. */
function headAndTail(output: string): string {
  if (output.length <= maxOutput) return ownHead(output, maxOutput);
  return `${ownHead(output, maxOutput * 0.2)}\n${ownTail(output, maxOutput * 0.7)}`;
}

function terminalsOf(content: unknown): readonly string[] | undefined {
  const ids = arrayOf(content)
    .slice(0, maxTerminals)
    .map(objectOf)
    .flatMap(({ type, terminalId }) => (type === 'terminal' ? (idOf(terminalId) ?? []) : []));
  return ids.length === 0 ? undefined : ids;
}

export function headOf(value: unknown, length: number): string | undefined {
  const text = textOf(value);
  return text === undefined ? undefined : ownHead(text, length);
}

export function idOf(id: unknown): string | undefined {
  return textOf(id)?.slice(0, maxActivityId);
}
