import type { JsonObject } from '../json';
import { claude } from './claude';
import { cline } from './cline';
import { codex } from './codex';
import { copilot } from './copilot';
import { gemini } from './gemini';
import { opencode } from './opencode';
import { pi } from './pi';
import { qwen } from './qwen';
import type { SavedFormat } from './savedFormat';

/** The format of a saved session that a line is in beyond doubt. */
export function recogniseSaved(line: JsonObject): SavedFormat | undefined {
  // Qwen before Claude, whose form it borrows.
  return [qwen, claude, codex, gemini, copilot, pi, cline, opencode].find((format) => format.recognises(line));
}
