import type { BesideRetry } from '../../protocols/saved/besideLines';
import { retryLine } from '../../protocols/saved/besideLines';

/**
 * Reads a row that `codex_core::responses_retry` wrote to Codex' `logs_2.sqlite`.
 * @param at milliseconds since the epoch
 */
export function codexRetry(body: string, at: number): BesideRetry | undefined {
  const end = body.slice(-2000);
  const [, attempt, max, time] = /\((\d{1,6})\/(\d{1,6}) in ([\d.]{1,20}m?s)\)/.exec(end) ?? [];
  const error = /\bsampling_error=([\s\S]{1,1000})$/.exec(end)?.[1];
  if (attempt === undefined || max === undefined) return undefined;
  const status = /\b(?:status:? |status=)([45]\d\d)\b/.exec(error ?? '')?.[1];
  const ms = time === undefined ? NaN : parseFloat(time) * (time.endsWith('ms') ? 1 : 1000);
  return retryLine(at, {
    why: error ?? 'the stream was disconnected',
    attempt: Number(attempt),
    max: Number(max),
    ...(Number.isFinite(ms) && { inMs: Math.round(ms) }),
    ...(status !== undefined && { status: Number(status) }),
  });
}
