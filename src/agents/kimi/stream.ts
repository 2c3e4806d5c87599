import type { JsonObject } from '../../text/json';
import { arrayOf, objectOf, textOf } from '../../text/json';
import { parsedJson } from '../../text/jsonText';
import { ownHead } from '../../text/ownText';
import { markedId } from '../../text/sessionLabel';
import type { AgentReader } from '../../protocols/agentWriter/agentReader';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';
import { outputText } from '../../protocols/agentWriter/toolText';
import type { AgentStream } from '../reading/streams/agentStream';
import { restOf } from '../reading/streams/eventText';
import { retryOf, toolEnd } from './items';

/** Only the last line names the session, so all lines are of one that is called so. */
const session = 'kimi';
const maxCalls = 200;
/** How much of a tool's output to compare with standard error, in characters. */
const maxOutput = 65_536;
/** Its own lines on standard error. */
const own = /^(?:error: failed to run prompt: |See log: )/;

/**
 * Kimi Code, `-p … --output-format stream-json`: messages as in OpenAI's API, and `meta` lines. It has neither tokens nor whether a tool
 * failed, and nothing at all of a turn that failed: the error is on stderr, and so is what its tools print.
 */
export const stream: AgentStream = {
  tried: { version: '2.1' },
  sessionIdNames: [],
  recognises: ({ role, type }) => role === 'meta' && textOf(type) !== undefined,
  resembles,
  reader: () => new KimiStreamReader(),
};

function resembles({ role, type, content, tool_calls: calls, tool_call_id: id }: JsonObject): boolean {
  if (role === 'meta') return textOf(type) !== undefined;
  if (type !== undefined) return false;
  if (role === 'assistant') return textOf(content) !== undefined || Array.isArray(calls);
  return role === 'tool' && textOf(id) !== undefined;
}

class KimiStreamReader implements AgentReader {
  private hasStarted = false;
  /** The lines that the last tool printed: standard error may come after its result. */
  private printed: ReadonlySet<string> = new Set();

  read(line: JsonObject, writer: AgentWriter): void {
    writer.in({ id: session });
    switch (line['role']) {
      case 'meta':
        return this.readMeta(line, writer);
      case 'assistant':
        this.start(writer);
        return readAnswer(line, writer);
      case 'tool':
        this.start(writer);
        this.printed = new Set(ownHead(outputText(line['content']), maxOutput).split('\n'));
        return writer.toolEnded(textOf(line['tool_call_id']), toolEnd(line['content'], undefined));
      default:
        return writer.note({ level: 'info', logger: textOf(line['type']) ?? 'stdout', message: restOf(line) });
    }
  }

  readStderr(line: string, writer: AgentWriter): boolean {
    if (line.trim() === '' || own.test(line)) return false;
    return writer.isToolRunning || this.printed.has(line);
  }

  private readMeta(line: JsonObject, writer: AgentWriter): void {
    switch (line['type']) {
      case 'system.version':
        writer.started({ agent: 'Kimi Code', version: textOf(line['version']), isResumed: this.hasStarted });
        writer.turnStarted();
        this.hasStarted = true;
        return;
      case 'turn.step.retrying':
        this.start(writer);
        return writer.retry(retryOf(line));
      case 'session.resume_hint':
        writer.turnEnded({ outcome: 'ok' });
        return writer.note({ level: 'info', kind: 'lifecycle', message: savedAs(textOf(line['session_id'])) });
      default:
        return writer.note({ level: 'debug', logger: textOf(line['type']) ?? 'meta', message: restOf(line, ['role']) });
    }
  }

  /** The first line may be missing. */
  private start(writer: AgentWriter): void {
    if (!writer.isInTurn) writer.turnStarted();
  }
}

function savedAs(id: string | undefined): string {
  return `session saved${id === undefined ? '' : ` as ${markedId(id)}`}`;
}

/** What a hook said is printed like an answer. */
const ofHook = /^(\w+) hook( blocked)?\n\n(.*)$/s;

function readAnswer(line: JsonObject, writer: AgentWriter): void {
  const text = outputText(line['content']);
  const [, name, blocked, output = ''] = ofHook.exec(text) ?? [];
  if (name === undefined) writer.answer(text);
  else writer.hookEnded(undefined, { name, outcome: blocked === undefined ? 'ok' : 'refused', output });
  // Nothing follows.
  if (blocked !== undefined) return writer.turnEnded({ outcome: 'ok' });
  for (const call of arrayOf(line['tool_calls']).slice(0, maxCalls).map(objectOf)) {
    const { name, arguments: input } = objectOf(call['function']);
    writer.toolStarted(textOf(call['id']), textOf(name), parsedJson(textOf(input) ?? '') ?? input);
  }
}
