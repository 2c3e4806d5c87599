import type { JsonObject } from '../json';
import { claude } from './claude/claude';
import { codex } from './codex';
import type { Dialect } from './dialect';
import { gemini } from './gemini';
import { opencode } from './opencode';
import { qwen } from './qwen';

/** Qwen comes before Claude, whose form it borrows. */
const dialects: readonly Dialect[] = [qwen, claude, codex, gemini, opencode];

/** The dialect that an event is in beyond doubt; many events are in any. */
export function recogniseDialect(event: JsonObject): Dialect | undefined {
  return dialects.find((dialect) => dialect.recognises(event));
}

/** The dialect that an event could be in. */
export function likelyDialect(event: JsonObject): Dialect | undefined {
  return dialects.find((dialect) => dialect.resembles(event));
}
