import { acpTurns } from './agents/acpTurns';
import { askingAgents } from './agents/askingAgents';
import { claude } from './agents/claude';
import { claudeMock } from './agents/claudeMock';
import { claudePrint } from './agents/claudePrint';
import { claudeStreams } from './agents/claudeStream';
import { codex } from './agents/codex';
import { codexExec } from './agents/codexExec';
import { copilotLsp } from './agents/copilotLsp';
import { gemini } from './agents/gemini';
import { growing } from './agents/growing';
import { kimi } from './agents/kimi';
import { kimiPrint } from './agents/kimiPrint';
import { jsonStreams } from './agents/jsonStreams';
import { mcpEverything } from './agents/mcpEverything';
import { mcpFilesystem } from './agents/mcpFilesystem';
import { mcpMemory } from './agents/mcpMemory';
import { newStreams } from './agents/newStreams';
import { opencode } from './agents/opencode';
import { opencodeRun } from './agents/opencodeRun';
import { pi } from './agents/pi';
import { sdkExample } from './agents/sdkExample';
import { sdkTapped } from './agents/sdkTapped';
import { typescriptLsp, typescriptLspAlone } from './agents/typescriptLsp';
import type { RealAgent } from './realAgent';

/** The agents to test, fastest first. */
export const agents: readonly RealAgent[] = [
  ...[
    sdkExample,
    sdkTapped,
    mcpMemory,
    mcpFilesystem,
    mcpEverything,
    pi,
    typescriptLsp,
    typescriptLspAlone,
    copilotLsp,
  ],
  ...[claude, claudeMock, claudePrint, ...claudeStreams, gemini, kimi, kimiPrint, opencode, opencodeRun],
  ...[codex, codexExec, ...jsonStreams, ...newStreams, ...acpTurns, ...askingAgents, ...growing],
];
