import { claude } from './agents/claude';
import { codex } from './agents/codex';
import { gemini } from './agents/gemini';
import { opencode } from './agents/opencode';
import { pi } from './agents/pi';
import { sdkExample } from './agents/sdkExample';
import type { RealAgent } from './realAgent';

/** The agents that are tried, the quickest first. */
export const agents: readonly RealAgent[] = [sdkExample, pi, claude, gemini, opencode, codex];
