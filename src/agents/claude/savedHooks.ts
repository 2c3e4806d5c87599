import type { JsonObject } from '../../text/json';
import { arrayOf, numberOf, objectOf, textOf, textsOf } from '../../text/json';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';
import type { HookEnd } from '../../protocols/agentWriter/verbs';
import { hookResult } from '../reading/hookResult';

/** Maximum number of hooks in a summary. */
const maxHooks = 100;
/** How an attachment words that a hook failed. */
const failure = /^Failed with non-blocking status code: /;

/** The hooks that Claude Code saves: those that said something or failed as attachments, all hooks at the end of a turn in a summary. */
export class ClaudeHooks {
  /** Those of the latest event, which the summary has again. */
  private readonly seen = new Set<string>();
  private event: string | undefined;

  /** Returns whether the attachment is a hook that ran. */
  readAttachment(attachment: JsonObject, writer: AgentWriter): boolean {
    const end = endOf(attachment);
    if (!end) return false;
    this.note(textOf(attachment['toolUseID']), end.command);
    writer.hookEnded(undefined, end);
    return true;
  }

  /** Reads `stop_hook_summary`. */
  readSummary(line: JsonObject, writer: AgentWriter): void {
    const id = textOf(line['toolUseID']);
    const errors = arrayOf(line['hookErrors']).map((error) => textOf(error) ?? '');
    const failed = new Set(arrayOf(line['failedHookErrorIndexes']));
    for (const info of arrayOf(line['hookInfos']).slice(0, maxHooks).map(objectOf)) {
      const command = textOf(info['command']);
      if (this.event === id && this.seen.has(command ?? '')) continue;
      const prefix = `[${command ?? ''}]: `;
      const at = errors.findIndex((error) => error.startsWith(prefix));
      const outcome = at < 0 ? 'ok' : failed.has(at) ? 'error' : 'refused';
      const output = at < 0 ? '' : (errors[at] ?? '').slice(prefix.length).trim();
      writer.hookEnded(undefined, { name: 'Stop', outcome, output, command, ms: numberOf(info['durationMs']) });
    }
  }

  private note(event: string | undefined, command = ''): void {
    if (this.event !== event) this.seen.clear();
    this.event = event;
    if (this.seen.size < maxHooks) this.seen.add(command);
  }
}

/** The hook that an attachment tells of, if it does. */
function endOf(attachment: JsonObject): HookEnd | undefined {
  const { hookEvent, hookName, toolUseID, command, durationMs, exitCode, stdout, stderr } = attachment;
  const event = textOf(hookEvent) ?? 'hook';
  const about = {
    name: textOf(hookName) ?? event,
    toolId: textOf(toolUseID),
    command: textOf(command),
    ms: numberOf(durationMs),
  };
  const run = { exitCode: numberOf(exitCode), stdout: textOf(stdout), stderr: textOf(stderr)?.replace(failure, '') };
  switch (attachment['type']) {
    case 'hook_success':
      return { ...about, ...hookResult(event, run) };
    case 'hook_non_blocking_error':
      return { ...about, ...hookResult(event, run), outcome: 'error' };
    case 'hook_cancelled':
      return { ...about, ...hookResult(event, { ...run, state: 'cancelled' }), timeout: timeoutIn(attachment) };
    case 'hook_error_during_execution':
      return { ...about, outcome: 'error', output: textOf(attachment['content']) ?? '' };
    case 'hook_blocking_error': {
      const { blockingError, command: blocking } = objectOf(attachment['blockingError']);
      const [output = ''] = textsOf(blockingError, attachment['blockingError']);
      return { ...about, command: textOf(blocking), outcome: 'refused', output };
    }
    case 'hook_permission_decision': {
      const decision = textOf(attachment['decision']) ?? '';
      return { ...about, name: event, outcome: decision === 'deny' ? 'refused' : 'ok', output: decision };
    }
    default:
      return undefined;
  }
}

function timeoutIn({ timedOut, timeoutMs }: JsonObject): HookEnd['timeout'] {
  return timedOut === true ? { name: '', limit: numberOf(timeoutMs) } : undefined;
}
