import type { StderrExcerpt, Termination } from '../../wire/termination';
import { describeReason, isFailedEnd, shortEnd } from '../../wire/termination';
import { oneLine } from '../../text/text';
import { inEnglish, verbatim } from '../../text/translator';
import type { JsonObject } from '../../text/json';
import type { ExchangeText } from '../jsonrpc/exchangeText';
import { isObject, objectOf, textOf } from '../../text/json';

/** The notification with which sandbox-agent and others report that a session's process ended, and how. */
export const sessionEndedMethod = '_sandboxagent/session/ended';

/** Parses the end of a session: snake_case, `terminated_by: agent | daemon`, with fields at the root or under `data`. */
export function sessionTermination(params: unknown): Termination {
  const root = objectOf(params);
  const fields = isObject(root['data']) ? root['data'] : root;
  const { reason, terminated_by: by, exit_code: exitCode, stderr } = fields;
  const message = textOf(fields['message']);
  const signal = textOf(fields['signal']);
  return {
    reason: reason === 'completed' || reason === 'terminated' ? reason : 'error',
    terminatedBy: by === 'agent' ? 'agent' : by === 'daemon' || by === 'client' ? 'client' : 'system',
    ...(message !== undefined && { message: verbatim(message) }),
    ...(typeof exitCode === 'number' && { exitCode }),
    ...(signal !== undefined && { signal }),
    ...(isObject(stderr) && { stderr: stderrOf(stderr) }),
  };
}

/** Describes the end of a session. */
export function describeTermination(termination: Termination): ExchangeText {
  const { message, exitCode, signal } = termination;
  const how = exitCode === undefined && signal === undefined ? undefined : shortEnd(termination);
  const details = [how, message].flatMap((part) => (part ? oneLine(inEnglish(part), 300) : []));
  return {
    level: isFailedEnd(termination) ? 'error' : 'info',
    kind: 'lifecycle',
    message: `the session ${inEnglish(describeReason(termination))}${details.length === 0 ? '' : `: ${details.join(', ')}`}`,
    ...(termination.stderr && { data: { stderr: termination.stderr } }),
  };
}

function stderrOf(stderr: JsonObject): StderrExcerpt {
  const head = textOf(stderr['head']);
  const tail = textOf(stderr['tail']);
  const total = stderr['total_lines'];
  return {
    ...(head !== undefined && { head }),
    ...(tail !== undefined && { tail }),
    truncated: stderr['truncated'] === true,
    totalLines: typeof total === 'number' ? total : (head ?? tail ?? '').split('\n').length,
  };
}
