import type { JsonObject } from '../../text/json';
import { numberOf, textOf } from '../../text/json';
import { duration } from '../../text/text';
import type { AgentReader } from '../../protocols/agentWriter/agentReader';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';
import { usageOf } from '../../work/usage/usage';

/** The fields of a line before it had a version. */
const oldFields = new Set(['turnId', 'model', 'inputTokens', 'outputTokens', 'cacheReadTokens', 'totalNanoAiu', 'ts']);

/** True for a line of `usage.jsonl`, an export of VS Code's agent host: a call of a model that was answered. */
export function isHostUsage(line: JsonObject): boolean {
  const { schemaVersion, kind, sdkSessionId, turnId, ts, inputTokens, outputTokens } = line;
  if (schemaVersion !== undefined) return kind === 'modelCall' && typeof sdkSessionId === 'string';
  const isCounted = typeof inputTokens === 'number' || typeof outputTokens === 'number';
  const isNamed = typeof turnId === 'string' && typeof ts === 'string';
  return isNamed && isCounted && Object.keys(line).every((name) => oldFields.has(name));
}

/** Reads these calls, and makes turns of those that belong to one. How a turn ended isn't saved: a call that failed has no line. */
export class HostUsageReader implements AgentReader {
  private isOpen = false;
  private turn: string | undefined;
  /** When the turn began, in milliseconds since the epoch. */
  private began = 0;

  read(line: JsonObject, writer: AgentWriter): void {
    if (!isHostUsage(line)) {
      writer.settle();
      return writer.unknown(textOf(line['type']));
    }
    const model = textOf(line['model']);
    writer.in({ id: textOf(line['sdkSessionId']) ?? 'session' });
    if (!this.isOpen) {
      this.isOpen = true;
      writer.note({ level: 'info', kind: 'lifecycle', message: "what the models of VS Code's agent host used" });
      writer.title('Model calls');
    }
    writer.about({ model });
    const took = numberOf(line['durationMs']);
    const { t } = writer.place.event;
    this.goTo(textOf(line['turnId']), t - (took ?? 0), writer);
    const id = textOf(line['apiCallId']) ?? textOf(line['eventId']);
    const usage = usageOf(line, 'turn');
    // What the model answered isn't in this file.
    if (this.turn !== undefined) writer.activity({ type: 'progress' });
    if (this.turn === undefined) writer.requestUsed(id, usage);
    else writer.usage(id ?? `${textOf(line['ts']) ?? ''} ${model ?? ''}`, usage);
    writer.note({
      level: 'info',
      logger: 'model',
      message: callText(line, model, took),
      ...(usage && { data: { usage } }),
    });
    if (this.turn !== undefined) writer.mayEnd({ outcome: 'ok', took: t - this.began });
  }

  /** Goes on in a turn, or in none. */
  private goTo(turn: string | undefined, began: number, writer: AgentWriter): void {
    if (turn === this.turn) return void writer.continueTurn();
    writer.settle();
    this.turn = turn;
    this.began = began;
    const event = { t: began, dir: 'a2c', line: '' } as const;
    if (turn !== undefined) writer.turns.start({ ...writer.place, event }, '');
  }
}

function callText(line: JsonObject, model: string | undefined, took: number | undefined): string {
  const first = numberOf(line['timeToFirstTokenMs']);
  const { inputTokens, outputTokens, cacheReadTokens: cached } = line;
  const words = [
    `${model ?? 'model'} answered${took === undefined ? '' : ` after ${duration(took)}`}`,
    ...(first === undefined ? [] : [`first token after ${duration(first)}`]),
    ...(typeof inputTokens === 'number'
      ? [`${inputTokens} tokens in${typeof cached === 'number' && cached > 0 ? ` (${cached} cached)` : ''}`]
      : []),
    ...(typeof outputTokens === 'number' ? [`${outputTokens} out`] : []),
    ...(typeof line['agentId'] === 'string' ? ['subagent'] : []),
  ];
  return words.join(', ');
}
