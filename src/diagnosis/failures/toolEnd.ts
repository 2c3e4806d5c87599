import { t, verbatim } from '../../log/translator';
import { oneLine } from '../../log/text';
import type { ToolCall } from '../../work/toolCall';
import { tellsOfRejection } from '../../work/troubleText';
import type { Found } from '../rule';

/** The start of a wrapped output; the exit code is shown anyway. */
const wrapping = /^(?:```\w*\s*)?(?:Exit code:? \d{1,3}\s*)?/i;
const fence = '```';
const maxName = 100;
const maxOutput = 160;

/** The finding about a tool call that failed, or ended with an exit code that is a result. */
export function toolFinding(tool: ToolCall): Found | undefined {
  const { outcome, exitCode, signal, error, isAnswer = false } = tool.end ?? {};
  const isRejected = outcome === 'refused' && tool.unwanted === undefined && tool.outcome !== 'refused';
  if (outcome !== 'error' && !isRejected && !isAnswer) return undefined;
  const title = tool.command ?? tool.subject;
  const output = oneLine(unwrapped(error ?? tool.output), maxOutput);
  const isBad = exitCode !== undefined && exitCode !== 0;
  const name = title === '' ? t('A tool') : `\`${oneLine(title, maxName)}\``;
  const how = isBad
    ? t('{0} exited with code {1}', name, exitCode)
    : signal === undefined
      ? t('{0} failed', name)
      : t('{0} crashed ({1})', name, signal);
  const what = tool.outcome === 'completed' ? t('{0}, but the agent marked it completed', how) : how;
  const isNews = !isAnswer && !tellsOfRejection(output);
  const short = isBad ? t('exit {0}', exitCode) : signal === undefined ? t('failed') : verbatim(signal);
  return {
    code: 'tool-failed',
    level: isNews ? 'warning' : 'notice',
    what: output === '' ? what : t('{0}: {1}', what, output),
    cause: t('{0} · {1}', short, title === '' ? t('a tool') : oneLine(title, 60)),
    key: `${exitCode ?? ''} ${title}`,
  };
}

function unwrapped(output: string): string {
  const text = output.trim();
  return (text.endsWith(fence) ? text.slice(0, -fence.length) : text).replace(wrapping, '');
}
