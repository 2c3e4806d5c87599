import { BoundedMap } from '../../text/boundedMap';
import type { JsonObject } from '../../text/json';
import { arrayOf, isObject, numberOf, objectOf, textOf, textsOf } from '../../text/json';
import { duration, oneLine, plainText } from '../../text/text';
import { withoutEnd } from '../reading/saved/parts';
import type { AgentReader } from '../../protocols/agentWriter/agentReader';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';
import type { ToolEnd } from '../../protocols/agentWriter/verbs';
import { sizeOf } from '../../protocols/agentWriter/recordText';
import { failureText } from './failure';
import { readPart } from './otherParts';
import { confirmation, requestState } from './requestState';

/** Maximum number of requests and tool calls to remember. They are saved again when they change. */
const maxKnown = 10_000;
/** What Copilot tells the model of a tool that failed. */
const thrown = 'ERROR while calling tool: ';
/** Waiting times up to this aren't reported, in milliseconds. */
const shortWait = 1000;

interface KnownTool {
  readonly isAsked: boolean;
  readonly hasEnded: boolean;
}

/** Reads the lines of `SessionReplay`. */
export class ChatReader implements AgentReader {
  private sessionId: string | undefined;
  private folder: string | undefined;
  private readonly requests = new BoundedMap<string, 'open' | 'ended'>(maxKnown);
  private readonly tools = new BoundedMap<string, KnownTool>(maxKnown);
  private readonly texts = new BoundedMap<string, number>(maxKnown);
  /** True if the log beside the session has the model calls of the request. */
  private hasCalls = false;

  read(line: JsonObject, writer: AgentWriter): void {
    const type = textOf(line['type']);
    if (type === 'vscode.session') return this.readSession(line, writer);
    if (this.sessionId !== undefined) writer.in({ id: this.sessionId });
    this.readFolder(line, writer);
    switch (type) {
      case 'vscode.request':
        return this.readRequest(line, writer);
      case 'vscode.answer':
        return this.readText(line, 'answer', writer);
      case 'vscode.thought':
        return this.readText(line, 'thought', writer);
      case 'vscode.tool':
        return this.readTool(line, writer);
      case 'vscode.subagentEnded':
        return this.readSubagentEnd(line, writer);
      case 'vscode.edit':
        return readEdit(line, writer);
      case 'vscode.part':
        return readPart(objectOf(line['part']), writer);
      case 'vscode.end':
        return this.readEnd(line, writer);
      case 'vscode.call':
        return this.readCall(line, writer);
      case 'vscode.removed':
        return notice(writer, `${String(line['requests'])} requests were removed; what they had changed may be undone`);
      case 'vscode.unreadable':
        return notice(
          writer,
          `a change can't be applied (${sizeOf(numberOf(line['bytes']) ?? 0)}): damaged, or too long`,
        );
      default:
        return writer.unknown(type);
    }
  }

  private readSession(line: JsonObject, writer: AgentWriter): void {
    this.sessionId ??= textOf(line['sessionId']) ?? 'session';
    writer.in({ id: this.sessionId });
    const agent = textOf(line['agent']);
    const details = [agent !== undefined && 'VS Code Chat'];
    // The version is that of the participant, not of VS Code.
    const names = textsOf(agent ?? 'VS Code Chat', line['version']);
    writer.started({ agent: names.join(' '), details });
    writer.title(textOf(line['customTitle']));
  }

  /** Only the parts of answers say where the agent works. */
  private readFolder(line: JsonObject, writer: AgentWriter): void {
    const folder = textOf(line['folder']);
    if (this.folder !== undefined || folder === undefined) return;
    this.folder = folder;
    writer.about({ folder });
  }

  private readRequest(line: JsonObject, writer: AgentWriter): void {
    const id = textOf(line['requestId']) ?? '';
    if (this.requests.has(id)) return;
    this.requests.set(id, 'open');
    this.hasCalls = false;
    const command = textOf(line['slashCommand']);
    writer.prompt(textOf(line['text']) ?? (command === undefined ? '(no text)' : `/${command}`));
    writer.answeredBy(modelName(line['modelId']));
  }

  /** Reads what a text has more than before: it may be written before it is complete. */
  private readText(line: JsonObject, kind: 'answer' | 'thought', writer: AgentWriter): void {
    const text = textOf(line['text']) ?? '';
    const request = textOf(line['requestId']) ?? '';
    const key = `${kind} ${request} ${textOf(line['at']) ?? text.slice(0, 40)}`;
    const known = this.texts.get(key) ?? 0;
    this.texts.set(key, text.length);
    const more = known <= text.length ? text.slice(known) : '';
    if (this.requests.get(request) !== 'ended') return kind === 'answer' ? writer.answer(more) : writer.thought(more);
    // It doesn't start another turn.
    if (more.trim() !== '') writer.note({ level: 'debug', logger: kind, message: `after its end: ${more}` });
  }

  private readTool(line: JsonObject, writer: AgentWriter): void {
    const id = textOf(line['toolCallId']) ?? textOf(line['requestId']) ?? '';
    const known = this.tools.get(id);
    if (known?.hasEnded === true || this.sessionId === undefined) return;
    const parent = textOf(line['subAgentInvocationId']);
    if (parent !== undefined && this.tools.get(parent)?.hasEnded !== true) writer.in(this.subagent(parent));
    const { name, input } = inputOf(line);
    const { event, time } = writer.place;
    if (!known) {
      const startedAt = numberOf(line['startedAt']);
      if (startedAt !== undefined && startedAt < event.t) {
        writer.begin({ t: startedAt, dir: 'a2c', line: event.line }, startedAt);
      }
      writer.toolStarted(id, name, input);
      if (isObject(line['subagent'])) this.startSubagent(id, line['subagent'], writer);
    }
    const isAsked = this.readConfirmation(id, line, known?.isAsked ?? false, writer);
    const hasEnded = line['isOpen'] !== true;
    this.tools.set(id, { isAsked, hasEnded });
    if (!hasEnded) return;
    // Only a command has a time of its own; when others ended is unknown.
    writer.begin(event, line['exitCode'] === undefined ? undefined : time);
    writer.toolEnded(id, endOf(line));
  }

  /** Returns whether the user was asked and hasn't answered. */
  private readConfirmation(id: string, line: JsonObject, wasAsked: boolean, writer: AgentWriter): boolean {
    const { isConfirmed, isWaiting, autoApproved } = line;
    const title = inputOf(line).title;
    if (isWaiting === true && !wasAsked) writer.asked(id, title);
    const {
      type,
      id: setting,
      scope,
    } = isObject(isConfirmed) ? isConfirmed : { type: isConfirmed === false ? 0 : undefined };
    const isNew = !this.tools.has(id) || wasAsked;
    if (!isNew || type === undefined) return isWaiting === true || wasAsked;
    const hasToAsk = !wasAsked && isWaiting !== true;
    switch (type) {
      case confirmation.user:
        if (textOf(autoApproved) !== undefined) {
          writer.note({ level: 'debug', logger: 'permission', message: `${title}: ${textOf(autoApproved) ?? ''}` });
          if (!wasAsked) return false;
        }
        if (hasToAsk) writer.asked(id, title);
        writer.settled(id, 'ok', `confirmed: ${title}`);
        return false;
      case confirmation.denied:
      case confirmation.skipped:
        if (hasToAsk) writer.asked(id, title);
        writer.settled(id, 'refused', `${type === confirmation.denied ? 'denied' : 'skipped'}: ${title}`);
        return false;
      case confirmation.setting:
      case confirmation.perTool: {
        const by =
          type === confirmation.setting
            ? `the setting ${textOf(setting) ?? ''}`
            : `the user for this ${textOf(scope) ?? 'tool'}`;
        writer.note({ level: 'debug', logger: 'permission', message: `allowed by ${by.trim()}: ${title}` });
        return false;
      }
      default:
        return wasAsked;
    }
  }

  private subagent(id: string, name?: string): { id: string; parent: string; name: string | undefined } {
    const parent = this.sessionId ?? '';
    return { id: `${parent}/${id}`, parent, name };
  }

  private startSubagent(id: string, about: JsonObject, writer: AgentWriter): void {
    const name = textsOf(about['agentName'], about['description']).join(': ');
    writer.in(this.subagent(id, name === '' ? undefined : name));
    writer.prompt(textOf(about['prompt']) ?? (name === '' ? 'subagent' : name));
    writer.answeredBy(modelName(about['modelId']));
    writer.in({ id: this.sessionId ?? '' });
  }

  private readSubagentEnd(line: JsonObject, writer: AgentWriter): void {
    const id = textOf(line['toolCallId']) ?? '';
    const known = this.tools.get(id);
    if (!known || known.hasEnded || this.sessionId === undefined) return;
    const result = textOf(objectOf(line['subagent'])['result']) ?? '';
    const end = endOf({ ...line, output: result });
    // When it ended is unknown.
    writer.begin(writer.place.event, undefined);
    writer.in(this.subagent(id));
    if (writer.isInTurn) {
      writer.answer(result);
      const isOk = end.outcome === 'ok';
      writer.turnEnded(
        isOk ? { outcome: 'ok' } : { outcome: end.outcome === 'error' ? 'error' : 'cancelled', error: result },
      );
    }
    writer.in({ id: this.sessionId });
    this.tools.set(id, { ...known, hasEnded: true });
    writer.toolEnded(id, end);
  }

  /** A model call in the log beside the session. */
  private readCall(line: JsonObject, writer: AgentWriter): void {
    const { inputTokens, outputTokens, cachedTokens, ttft, model } = line;
    const subagent = textOf(line['subAgentInvocationId']);
    const isOpen = subagent !== undefined && this.tools.get(subagent)?.hasEnded === false;
    if (isOpen) writer.in(this.subagent(subagent));
    const counts = { inputTokens, outputTokens, cachedTokens };
    const known = Object.fromEntries(Object.entries(counts).filter(([, count]) => numberOf(count) !== undefined));
    if (writer.isInTurn && (subagent === undefined || isOpen)) {
      if (subagent === undefined) this.hasCalls = true;
      writer.usage(textOf(line['spanId']), { ...known, basis: 'turn' });
    }
    const first = numberOf(ttft);
    const message = `${textOf(model) ?? 'model call'}${first === undefined ? '' : `, first token after ${duration(first)}`}`;
    writer.note({ level: 'debug', logger: 'model', message, data: known });
  }

  private readEnd(line: JsonObject, writer: AgentWriter): void {
    const id = textOf(line['requestId']) ?? '';
    if (this.requests.get(id) === 'ended') return;
    const { state, errorDetails, timings, elapsedMs, promptTokens, completionTokens, calls, resolvedModel } = line;
    // VS Code was closed while it ran, or another request followed.
    if (state !== requestState.complete && state !== requestState.cancelled && state !== requestState.failed) return;
    this.requests.set(id, 'ended');
    writer.answeredBy(textOf(resolvedModel));
    const took = numberOf(elapsedMs);
    const total = numberOf(objectOf(timings)['totalElapsed']);
    if (took !== undefined && total !== undefined && total - took > shortWait) {
      writer.note({ level: 'debug', logger: 'turn', message: `waited ${duration(total - took)} for the user` });
    }
    const input = numberOf(promptTokens);
    const output = numberOf(completionTokens);
    // The tokens of the last call's prompt, but those of all answers.
    const usage = {
      ...(output !== undefined && { outputTokens: output }),
      ...(input !== undefined && { contextTokens: input, ...(calls === 1 && { inputTokens: input }) }),
      basis: 'turn',
    } as const;
    if (!this.hasCalls && (input !== undefined || output !== undefined)) writer.usage(id, usage);
    const isFailed = isObject(errorDetails) && state !== requestState.cancelled;
    writer.turnEnded({
      outcome:
        state === requestState.cancelled ? 'cancelled' : isFailed || state === requestState.failed ? 'error' : 'ok',
      ...(isFailed && { error: failureText(errorDetails) }),
      took,
    });
  }
}

/** The last part of VENDOR/GROUP/MODEL. */
function modelName(id: unknown): string | undefined {
  return textOf(id)?.split('/').at(-1);
}

/** A tool call's name, input and title. A running one says only what VS Code shows. */
function inputOf(line: JsonObject): { readonly name: string; readonly input: unknown; readonly title: string } {
  const { command, input, message, subagent, todos, server } = line;
  const id = textOf(line['toolId']) ?? 'tool';
  const name = typeof server === 'string' ? `${server}: ${id}` : id;
  const said = textOf(message) ?? '';
  const shown =
    typeof command === 'string'
      ? { ...objectOf(input), command }
      : isObject(subagent)
        ? { description: textOf(subagent['description']) ?? textOf(subagent['prompt']) ?? '' }
        : input !== undefined
          ? input
          : said === ''
            ? todos === undefined
              ? undefined
              : { todos }
            : { description: said };
  const title = oneLine(textOf(command) ?? (said === '' ? name : said), 300);
  return { name, input: shown, title };
}

function endOf(line: JsonObject): ToolEnd {
  const { isConfirmed, exitCode, resultError, isError, isCancelled } = line;
  const { type } = objectOf(isConfirmed);
  const said = plainText(textOf(line['output']) ?? '').replace(/\[\?2004[hl]/g, '');
  const isThrown = said.startsWith(thrown);
  const output = isThrown
    ? withoutEnd(said.slice(thrown.length), /\s+Please check your input and try again\.\s*$/)
    : said;
  const isRefused = isConfirmed === false || type === confirmation.denied || type === confirmation.skipped;
  const hasError = (resultError !== undefined && resultError !== false) || isError === true || isThrown;
  const code = numberOf(exitCode);
  // VS Code's code for a command that was interrupted.
  const wasStopped = code === -1 || (isCancelled === true && code === undefined);
  return {
    outcome: isRefused ? 'refused' : wasStopped ? 'cancelled' : hasError ? 'error' : 'ok',
    ...(code !== undefined && code !== -1 && { exitCode: code }),
    ...(typeof resultError === 'string' && { error: resultError }),
    ms: numberOf(line['duration']),
    output: output === '' && typeof resultError === 'string' ? resultError : output,
  };
}

function readEdit(line: JsonObject, writer: AgentWriter): void {
  const files = textsOf(line['file'], ...arrayOf(line['files']).slice(0, 20)).join(', ');
  const edits = numberOf(line['edits']);
  const count = edits === undefined ? '' : edits === 1 ? ' (1 edit)' : ` (${edits} edits)`;
  writer.activity({ type: 'progress' });
  writer.note({
    level: 'info',
    logger: 'edit',
    content: 'tool',
    message: `edited ${oneLine(files === '' ? 'a file' : files, 500)}${count}`,
  });
}

function notice(writer: AgentWriter, message: string): void {
  writer.note({ level: 'notice', logger: 'session', message });
}
