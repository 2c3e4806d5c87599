import type { JsonObject } from '../../log/json';
import { claude, qwen } from './claude/claude';
import { codex } from './codex';
import type { Dialect } from './dialect';
import { gemini } from './gemini';
import { opencode } from './opencode';

/** Qwen comes before Claude, because it uses a variant of Claude's format. */
const dialects: readonly Dialect[] = [qwen, claude, codex, gemini, opencode];

/** The dialect of an event, if it is unambiguous; many events fit several. */
export function recogniseDialect(event: JsonObject): Dialect | undefined {
  return dialects.find((dialect) => dialect.recognises(event));
}

/** A dialect that the event could be in. */
export function likelyDialect(event: JsonObject): Dialect | undefined {
  return dialects.find((dialect) => dialect.resembles(event));
}
