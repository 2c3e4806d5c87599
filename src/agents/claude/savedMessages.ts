import type { JsonObject } from '../../text/json';
import { objectOf, textOf, textsOf } from '../../text/json';
import { askedIn, slashCommandIn, tagged } from '../../protocols/agentWriter/askedText';
import { changesOfResult } from './changes';
import { readBlocks, isResult, readAnswerBlock, readAttached, resultOf } from './content';
import type { ToolEnd } from '../../protocols/agentWriter/verbs';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';
import { usageOf } from '../../work/usage/usage';
import type { CostState } from './costState';
import { convention } from './usage';

/** Stop reasons after which the model continues. */
const goingOn = new Set(['tool_use', 'pause_turn']);
/** The model of answers that Claude Code wrote itself. */
const synthetic = '<synthetic>';

/** Anthropic messages as Claude Code saves them: one line per block of an answer. */
export class ClaudeMessages {
  /** ID of the answer that ends its turn, unless another line of the same answer follows. */
  private endingId: string | undefined;
  /** A slash command that may start a turn; those of the program itself only print something. */
  private command: string | undefined;

  constructor(private readonly costState: CostState) {}

  /** Called before each line is read. Ends the turn if the line isn't part of the same answer. */
  next(line: JsonObject, writer: AgentWriter): void {
    const { type, subtype, timestamp, message } = line;
    if (textOf(timestamp) === undefined) return;
    const isSame = type === 'assistant' && textOf(objectOf(message)['id']) === this.endingId;
    // `turn_duration` ends the turn itself.
    // What a hook wants of the agent before it stops.
    if (line['rowSource'] === 'hook' || isFeedback(line)) return void writer.continueTurn();
    const isNext = type === 'user' || type === 'assistant' || (type === 'system' && subtype !== 'turn_duration');
    if (isNext && !isSame) writer.settle();
  }

  read(type: 'user' | 'assistant', line: JsonObject, writer: AgentWriter): void {
    readBlocks(line['message'], writer, (blocks) => {
      if (type === 'user') this.readUser(line, blocks, writer);
      else this.readAnswer(line, blocks, writer);
    });
  }

  /** Reads a command of the program itself and its output. */
  readCommand(text: string, writer: AgentWriter): void {
    const command = slashCommandIn(text);
    const output = tagged(text, 'local-command-stdout') ?? tagged(text, 'bash-stdout');
    const failure = tagged(text, 'local-command-stderr') ?? tagged(text, 'bash-stderr');
    const input = tagged(text, 'bash-input');
    const message =
      command !== undefined ? command : input !== undefined ? `! ${input}` : textsOf(output, failure).join('\n');
    if (message !== '') writer.note({ level: 'info', logger: 'command', message });
  }

  private readUser(line: JsonObject, blocks: readonly JsonObject[], writer: AgentWriter): void {
    const isText = (block: JsonObject): boolean => block['type'] === 'text';
    for (const block of blocks) if (isResult(block)) readResult(line, block, writer);
    const texts = blocks.filter(isText).flatMap((block) => textOf(block['text']) ?? []);
    if (texts.length > 0) this.readUserText(line, texts, writer);
    for (const block of blocks) if (!isText(block) && !isResult(block)) readAttached(block, writer);
  }

  private readUserText(line: JsonObject, texts: readonly string[], writer: AgentWriter): void {
    const text = texts.join('\n');
    if (/^\[Request interrupted by user/.test(text)) return writer.turnEnded({ outcome: 'cancelled' });
    if (isCommandText(text)) {
      this.command = slashCommandIn(text);
      return this.readCommand(text, writer);
    }
    if (/^<task-notification>/.test(text)) return readTask(text, writer);
    if (line['isMeta'] === true && askedIn(text) !== '') this.startCommand(writer);
    if (line['isMeta'] === true || line['isCompactSummary'] === true) return writer.insertedPrompt(text);
    if (/^<teammate-message\b/.test(text)) return readTeammate(text, writer);
    writer.prompt(text);
  }

  /** The slash command before is what was asked. */
  private startCommand(writer: AgentWriter): void {
    const { command } = this;
    this.command = undefined;
    if (command === undefined || writer.isInTurn) return;
    writer.turnStarted(command);
    writer.title(command, { isBetter: false });
  }

  private readAnswer(line: JsonObject, blocks: readonly JsonObject[], writer: AgentWriter): void {
    const message = objectOf(line['message']);
    const text = blocks.map((block) => textOf(block['text']) ?? '').join(' ');
    if (line['isApiErrorMessage'] === true) {
      const error = textOf(line['error']);
      const isNamed = error !== undefined && error !== 'unknown';
      return writer.turnEnded({ outcome: 'error', error: isNamed ? `${error}: ${text}` : text });
    }
    const model = textOf(message['model']);
    // What a resumed session has for a turn that was killed, or for no turn at all: nobody asked or answered.
    if (model === synthetic && text === 'No response requested.') {
      return writer.note({ level: 'debug', logger: 'agent', content: 'answer', message: text });
    }
    const isCut = line['isAbortedMidStream'] === true;
    this.startCommand(writer);
    for (const block of blocks) {
      if (isResult(block)) readResult(line, block, writer);
      else readAnswerBlock(block, writer, { isCut });
    }
    const id = textOf(message['id']);
    this.costState.answered(message, blocks, writer.isHistory);
    if (model !== synthetic) {
      writer.about({ model });
      writer.uses(model, true);
    }
    writer.usage(id, usageOf(objectOf(message['usage']), 'turn', { convention }));
    const reason = textOf(message['stop_reason']);
    if (reason !== undefined && !goingOn.has(reason)) {
      this.endingId = id;
      writer.mayEnd({ outcome: 'ok', stopReason: reason });
    }
  }
}

/** Older versions don't mark the line. */
function isFeedback({ isMeta, message }: JsonObject): boolean {
  const { content } = objectOf(message);
  return isMeta === true && typeof content === 'string' && content.startsWith('Stop hook feedback:');
}

function readResult(line: JsonObject, block: JsonObject, writer: AgentWriter): void {
  const key = textOf(block['tool_use_id']);
  if (objectOf(line['toolUseResult'])['status'] === 'async_launched') {
    writer.toolEnded(key, { outcome: 'ok', output: 'subagent started in the background' });
    return;
  }
  const result = resultOf(block);
  writer.toolEnded(key, { ...result, outcome: outcomeOf(line, result), changes: changesOfResult(line) });
}

function outcomeOf(line: JsonObject, { outcome, output }: ToolEnd): ToolEnd['outcome'] {
  if (outcome === 'ok') return 'ok';
  const { decision, source } = objectOf(line['permissionDecision']);
  if (decision === 'reject') return source === 'hook' ? 'error' : 'refused';
  // An interrupt while a tool runs or asks is also saved as a refusal.
  if (/^The user doesn't want to (?:proceed|take this action)/.test(output)) return 'cancelled';
  return line['toolDenialKind'] === undefined ? 'error' : 'refused';
}

/** What became of a background subagent or command. */
export function taskWords(text: string): { readonly status: string; readonly message: string } {
  const status = tagged(text, 'status') ?? 'ended';
  const summary = tagged(text, 'summary') ?? tagged(text, 'result') ?? '';
  return { status, message: `${status}${summary === '' ? '' : `: ${summary}`}` };
}

/** Its end starts a turn. */
function readTask(text: string, writer: AgentWriter): void {
  const { status, message } = taskWords(text);
  const level = status === 'failed' ? 'warning' : status === 'completed' ? 'info' : 'notice';
  writer.turnStarted();
  writer.note({ level, logger: 'task', message });
}

/** Another agent of the team writes: that starts a turn, but nobody asked it. */
function readTeammate(text: string, writer: AgentWriter): void {
  const said = /^<teammate-message\b[^>]{0,1000}>([\s\S]*?)(?:<\/teammate-message>|$)/.exec(text)?.[1]?.trim() ?? '';
  writer.turnStarted(said);
  writer.title(said, { isBetter: false, isFinal: false });
  writer.insertedPrompt(text);
}

function isCommandText(text: string): boolean {
  return /^<(?:command-name|command-message|local-command-(?:stdout|stderr)|bash-(?:input|stdout|stderr))>/.test(text);
}
