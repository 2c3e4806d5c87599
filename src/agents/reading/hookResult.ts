import type { JsonObject } from '../../text/json';
import { arrayOf, objectOf, textOf, textsOf } from '../../text/json';
import { parsedJson } from '../../text/jsonText';
import type { HookEnd } from '../../protocols/agentWriter/verbs';

/** What a hook did, as far as the agent says it. */
interface HookRun {
  readonly exitCode?: number | undefined;
  readonly stdout?: string | undefined;
  readonly stderr?: string | undefined;
  /** In the agent's own words. */
  readonly state?: 'failed' | 'cancelled' | undefined;
}

/** Events that only tell: a hook can't keep anything from happening. */
const onlyTells =
  /^(?:Post|Session(?:Start|End)|Setup|Notification|SubagentStart|StopFailure|PermissionDenied|InstructionsLoaded|(?:Cwd|File)Changed|WorktreeRemove)/i;

/**
 * What a hook decided. Agents took the rules of Claude Code: JSON on its standard output decides, otherwise exit code 2 blocks.
 * @param event the agent's, such as `PreToolUse`
 */
export function hookResult(event: string, run: HookRun): Pick<HookEnd, 'outcome' | 'exitCode' | 'output'> {
  const { exitCode, stdout = '', stderr = '', state } = run;
  const answer = objectOf(parsedJson(stdout));
  const hasAnswer = Object.keys(answer).length > 0;
  const reason = blockedIn(answer);
  if (reason !== undefined) return { outcome: 'refused', exitCode, output: reason };
  const [words = ''] = textsOf(stderr.trim(), stdout.trim());
  if (exitCode === 2 && !onlyTells.test(event)) return { outcome: 'refused', exitCode, output: words };
  if (state === 'cancelled') return { outcome: state, exitCode, output: words };
  if (state === 'failed' || (exitCode ?? 0) !== 0) return { outcome: 'error', exitCode, output: words };
  const { additionalContext, permissionDecision } = objectOf(answer['hookSpecificOutput']);
  const decision = textOf(permissionDecision) ?? textOf(answer['decision']);
  const said = textsOf(decision, answer['systemMessage'], additionalContext, ...arrayOf(additionalContext)).join(' · ');
  return { outcome: 'ok', exitCode, output: hasAnswer ? said : words };
}

/** Why a hook's JSON blocks; `undefined` if it doesn't. */
function blockedIn(answer: JsonObject): string | undefined {
  const specific = objectOf(answer['hookSpecificOutput']);
  const { behavior, message } = objectOf(specific['decision']);
  const [reason = ''] = textsOf(specific['permissionDecisionReason'], message, answer['reason'], answer['stopReason']);
  const isDenied = specific['permissionDecision'] === 'deny' || behavior === 'deny';
  const isBlocked = /^(?:block|deny)$/.test(textOf(answer['decision']) ?? '');
  return isDenied || isBlocked || answer['continue'] === false ? reason : undefined;
}
