import type { Level } from '../../../text/level';
import { duration, oneLine } from '../../../text/text';
import type { JsonObject } from '../../../text/json';
import { arrayOf, numberOf, objectOf, textOf } from '../../../text/json';
import type { Usage } from '../../../work/activity';
import { costOf, usageOf, usageWithWindow } from '../../../work/usage/usage';
import { isSameModel } from '../../../work/usage/modelNames';
import { convention } from '../usage';
import { counted, numbersOf } from '../../reading/streams/eventText';
import type { AgentWriter } from '../../../protocols/agentWriter/agentWriter';
import type { TurnEnding } from '../../../protocols/agentWriter/verbs';
import type { ClaudeState } from './state';
import { resultFailure } from '../../reading/streams/resultFailure';

/** Maximum number of models to look at. */
const maxModels = 50;

/** `result`: the end of a turn, and usually of the session. */
export function readClaudeResult(event: JsonObject, writer: AgentWriter, state: ClaudeState): void {
  const subtype = textOf(event['subtype']) ?? 'no subtype';
  const wasCancelled = state.interrupts.end(event);
  // A failure may be a `success` that has `is_error`.
  const failed = !wasCancelled && (event['is_error'] === true || subtype.startsWith('error'));
  const level: Level = failed ? 'error' : wasCancelled ? 'notice' : 'info';
  const end: TurnEnding = {
    outcome: wasCancelled ? 'cancelled' : 'ok',
    stopReason: textOf(event['stop_reason']) ?? textOf(event['subtype']) ?? textOf(event['status']),
    // Errors of a cancelled turn are internal notes of Claude Code.
    failure: wasCancelled ? undefined : resultFailure(event, undefined),
    isCommand: textOf(event['local_command']) !== undefined,
    took: numberOf(event['duration_ms']) ?? numberOf(objectOf(event['stats'])['duration_ms']),
    answer: textOf(event['result']),
    usage: usageOfTurn(event, writer.place.sessionId, state),
    answerTokens: state.answerTokens,
  };
  const text = (wasCancelled ? undefined : failureText(event)) ?? textOf(event['result']) ?? '';
  const how = failed ? 'failed' : wasCancelled ? 'cancelled' : 'ended';
  const isNews = failed || !state.hasSpoken;
  const usage = numbersOf(objectOf(event['usage']));
  const told = details(event, wasCancelled ? 'success' : subtype).join(', ');
  writer.turnEnded(end, {
    level,
    logger: 'turn',
    message: `${how}${told === '' ? '' : ` (${told})`}${isNews && text !== '' ? `: ${oneLine(text, 2000)}` : ''}`,
    ...(usage && { data: { usage } }),
  });
  state.hasSpoken = false;
  state.answerTokens = undefined;
  if (!state.hasInput && (numberOf(event['queued_turn_count']) ?? 0) === 0) writer.ended();
}

/** The tokens are those of the main conversation, the cost includes subagents. `modelUsage` counts all turns of the process. */
function usageOfTurn(event: JsonObject, sessionId: string | undefined, state: ClaudeState): Usage | undefined {
  const cost = costOfTurn(event, sessionId, state);
  const usage = usageOf(objectOf(event['usage']), 'turn', { convention, cost });
  const models = Object.entries(objectOf(event['modelUsage'])).slice(0, maxModels);
  const main = models.find(([name]) => state.model !== undefined && isSameModel(name, state.model));
  const [, counts] = main ?? (models.length === 1 ? models[0] : undefined) ?? [];
  return usageWithWindow(usage, objectOf(counts)['contextWindow']);
}

/** Claude Code reports the accumulated cost of its process, and newer versions also what a turn adds. */
function costOfTurn(event: JsonObject, sessionId: string | undefined, { costs }: ClaudeState): number | undefined {
  const total = numberOf(event['total_cost_usd']);
  if (total === undefined) return undefined;
  const before = costs.get(sessionId) ?? 0;
  costs.set(sessionId, total);
  // A resumed session continues its sum.
  const own = Object.values(objectOf(event['model_usage_since_last_result'])).slice(0, maxModels);
  if (own.length === 0) return costOf(total, before);
  return costOf(
    own.reduce<number>((sum, model) => sum + (numberOf(objectOf(model)['costUSD']) ?? 0), 0),
    0,
  );
}

function details(event: JsonObject, subtype: string): string[] {
  const ms = numberOf(event['duration_ms']);
  const turns = numberOf(event['num_turns']);
  const cost = numberOf(event['total_cost_usd']);
  const denied = arrayOf(event['permission_denials']).length;
  const reason = textOf(event['terminal_reason']);
  const status = numberOf(event['api_error_status']);
  return [
    ...(subtype === 'success' ? [] : [subtype]),
    ...(reason === undefined || reason === 'completed' ? [] : [reason]),
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(ms === undefined ? [] : [`after ${duration(ms)}`]),
    ...(turns === undefined ? [] : [counted(turns, 'turn')]),
    ...(cost === undefined ? [] : [`$${cost.toFixed(cost < 1 ? 4 : 2)}`]),
    ...(denied === 0 ? [] : [counted(denied, 'permission denial')]),
  ];
}

function failureText(event: JsonObject): string | undefined {
  const errors = arrayOf(event['errors']).filter((error) => typeof error === 'string');
  if (errors.length > 0) return errors.slice(0, 20).join('; ');
  return textOf(event['error']) ?? textOf(objectOf(event['error'])['message']);
}
