import type { JsonObject } from '../../text/json';
import { arrayOf, isObject, numberOf, objectOf, textOf } from '../../text/json';
import type { KeyedLine } from '../reading/saved/keyedLine';
import { isFinal, requestState, stateOf } from './requestState';
import { fileOf, isTool, otherPart, textIn, toolPart } from './responsePart';
import { Rounds } from './rounds';

/** What all lines of a request depend on. */
interface Request {
  readonly id: string;
  readonly state: number;
  readonly hasEnded: boolean;
  readonly parts: readonly unknown[];
  readonly rounds: Rounds;
}

/** Converts a request into lines: its prompt, the parts of its response, and its end. Called again when the request has changed. */
export class RequestLines {
  /** The parts before this one can't change any more, and aren't converted again. */
  private from = 0;
  /** The subagents among those that haven't ended. */
  private subagents: readonly JsonObject[] = [];

  changedFrom(part: number): void {
    if (part >= this.from) return;
    this.from = 0;
    this.subagents = [];
  }

  /** @param isLast false if another request follows, so that this one has ended */
  *of(request: JsonObject, isLast: boolean): Generator<KeyedLine> {
    const id = textOf(request['requestId']) ?? `request ${String(numberOf(request['timestamp']))}`;
    const state = stateOf(request);
    const parts = arrayOf(request['response']);
    const known = { id, state, hasEnded: isFinal(state) || !isLast, parts, rounds: new Rounds(request) };
    if (this.from === 0) yield keyed(id, 'prompt', promptOf(request));
    yield* this.parts(known);
    if (!known.hasEnded) return;
    for (const { id: call, line } of known.rounds.left(parts)) yield keyed(id, `call ${call}`, line);
    yield keyed(id, 'end', endOf(request, state, known.rounds));
  }

  private *parts(request: Request): Generator<KeyedLine> {
    const { id, hasEnded, parts } = request;
    let { from: index, subagents } = this;
    let isSettled = true;
    while (index < parts.length) {
      const part = objectOf(parts[index]);
      const { text: whole, end } = textFrom(parts, index);
      const isGrowing = end === parts.length && end > index && !hasEnded;
      const text = isGrowing ? sentencesIn(whole) : whole;
      if (isGrowing) isSettled = false;
      // The agent goes on after its subagents have ended.
      if (!isTool(part) && part['kind'] !== 'textEditGroup' && (end === index || text !== '')) {
        for (const subagent of subagents) yield endOfSubagent(request, subagent);
        subagents = [];
      }
      const name = `part ${index}`;
      if (end > index) {
        if (text !== '') yield* answer(request, name, text, placeOf(part));
        index = end;
      } else {
        const line = isTool(part) ? toolLine(request, index) : otherPart(part);
        if (line['isOpen'] === true && !isSubagent(part)) isSettled = false;
        if (isSubagent(part)) subagents = [...subagents, part];
        yield keyed(id, name, { ...line, ...(line['type'] === 'vscode.thought' && { at: name }), ...placeOf(part) });
        index++;
      }
      if (isSettled) [this.from, this.subagents] = [index, subagents];
    }
    if (!hasEnded) return;
    for (const subagent of subagents) yield endOfSubagent(request, subagent);
  }
}

function* answer({ id, parts, rounds }: Request, name: string, text: string, place: JsonObject): Generator<KeyedLine> {
  let count = 0;
  for (const piece of rounds.divided(text, parts)) {
    if (typeof piece !== 'string') yield keyed(id, `call ${piece.id}`, piece.line);
    else {
      const at = count++ === 0 ? name : `${name} ${count}`;
      yield keyed(id, at, { type: 'vscode.answer', text: piece, at, ...place });
    }
  }
}

function isSubagent(part: JsonObject): boolean {
  return objectOf(part['toolSpecificData'])['kind'] === 'subagent';
}

/** The texts from a part on, and the part after them. Fences around edits aren't part of an answer. */
function textFrom(parts: readonly unknown[], from: number): { readonly text: string; readonly end: number } {
  const texts: string[] = [];
  let end = from;
  for (let text = textOfPart(parts[end]); text !== undefined; text = textOfPart(parts[end])) {
    texts.push(text);
    end++;
  }
  const text = withoutHalfFence(texts.join(''));
  return { text: /[^\s`]/.test(text) ? text : '', end };
}

/** The beginning of an answer of which more may follow: the rest must not begin within a word or a sentence, as either may be secret. */
function sentencesIn(text: string): string {
  const end = Math.max(text.lastIndexOf('\n'), ...['. ', '! ', '? '].map((mark) => text.lastIndexOf(mark)));
  return text.slice(0, end + 1);
}

function textOfPart(part: unknown): string | undefined {
  return isObject(part) ? textIn(part) : undefined;
}

/** An edit stands between two fences, so the texts around it have one each. */
function withoutHalfFence(text: string): string {
  const fences = text.split('```').length - 1;
  if (fences % 2 === 0) return text;
  const at = text.lastIndexOf('```');
  const isLast = /^```\w{0,20}\s*$/.test(text.slice(at, at + 40)) && text.length - at < 40;
  return isLast ? text.slice(0, at) : text.replace(/^\s{0,10}```\s/, '');
}

/** A tool call. Others follow the last one that the user cancelled. */
function toolLine({ state, hasEnded, parts, rounds }: Request, index: number): JsonObject {
  const part = objectOf(parts[index]);
  const later = parts.slice(index + 1, index + 100).map(objectOf);
  const isOpen = !hasEnded && isToolOpen(part, later);
  const isWaiting = isOpen && state === requestState.needsInput && part['isConfirmed'] === undefined;
  const isCancelled = state === requestState.cancelled && later.every(isTool);
  return {
    ...toolPart(part),
    ...rounds.callOf(part),
    ...((isOpen || isSubagent(part)) && { isOpen: true }),
    ...(isWaiting && { isWaiting }),
    ...(isCancelled && { isCancelled }),
  };
}

/** VS Code saves all of them as complete. The agent goes on when they have ended. */
function isToolOpen(part: JsonObject, later: readonly JsonObject[]): boolean {
  const { toolSpecificData, resultDetails, resultError, pastTenseMessage, isConfirmed } = part;
  if (later.some((other) => other['kind'] === 'thinking' || (textIn(other) ?? '').trim() !== '')) return false;
  const { type } = objectOf(isConfirmed);
  if (type === 0 || type === 5 || resultDetails !== undefined || resultError !== undefined) return false;
  const data = objectOf(toolSpecificData);
  if (data['kind'] === 'terminal') return objectOf(data['terminalCommandState'])['exitCode'] === undefined;
  return pastTenseMessage === undefined;
}

function endOfSubagent({ id, state, rounds }: Request, part: JsonObject): KeyedLine {
  const isCancelled = state === requestState.cancelled && objectOf(part['toolSpecificData'])['result'] === undefined;
  const { ts: _start, ...line }: JsonObject = {
    ...toolPart(part),
    ...rounds.callOf(part),
    ...(isCancelled && { isCancelled }),
    type: 'vscode.subagentEnded',
  };
  return keyed(id, `subagent ${textOf(part['toolCallId']) ?? ''}`, { ...line, ...rounds.endedBy(part) });
}

/** The folder that links in an answer, or a command, start from. */
function placeOf(part: JsonObject): JsonObject {
  const path = fileOf(part['baseUri']) ?? fileOf(objectOf(part['toolSpecificData'])['cwd']);
  const folder = path?.replace(/(?<=.)[/\\]$/, '');
  return folder === undefined ? {} : { folder };
}

function promptOf(request: JsonObject): JsonObject {
  const { timestamp, message, modelId, agent, modeInfo, slashCommand, variableData } = request;
  const { id, name, extensionVersion } = objectOf(agent);
  const variables = arrayOf(objectOf(variableData)['variables']).slice(0, 50).map(objectOf);
  return {
    type: 'vscode.request',
    ...(numberOf(timestamp) !== undefined && { ts: timestamp }),
    text: textOf(message) ?? textOf(objectOf(message)['text']),
    modelId,
    agent: { id, name, extensionVersion },
    mode: objectOf(modeInfo)['kind'],
    ...(slashCommand !== undefined && { slashCommand: objectOf(slashCommand)['name'] }),
    ...(variables.length > 0 && { variables: variables.map(({ kind, name: title }) => ({ kind, name: title })) }),
  };
}

function endOf(request: JsonObject, state: number, rounds: Rounds): JsonObject {
  const { modelState, result, elapsedMs, promptTokens, completionTokens, vote } = request;
  const { errorDetails, timings, metadata, details } = objectOf(result);
  const { completedAt } = objectOf(modelState);
  return {
    type: 'vscode.end',
    ...(numberOf(completedAt) !== undefined && { ts: completedAt }),
    state,
    calls: rounds.count,
    ...withoutUndefined({ elapsedMs, promptTokens, completionTokens, errorDetails, timings, details, vote }),
    ...withoutUndefined({ resolvedModel: objectOf(metadata)['resolvedModel'] }),
  };
}

function withoutUndefined(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function keyed(requestId: string, name: string, line: JsonObject): KeyedLine {
  return { key: `${requestId} ${name}`, line: { ...line, requestId } };
}
