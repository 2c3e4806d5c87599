import type { JsonObject } from '../json';
import { claude } from './claude';
import { codex } from './codex';
import type { Dialect } from './dialect';
import { gemini } from './gemini';
import { opencode } from './opencode';
import { qwen } from './qwen';

/** The dialect that an event is in beyond doubt; many events are in any. */
export function recogniseDialect(event: JsonObject): Dialect | undefined {
  // Qwen before Claude, whose form it borrows.
  return [qwen, claude, codex, gemini, opencode].find((dialect) => dialect.recognises(event));
}
