import { patternOf, shownText } from '../text/text';
import { spansWithin } from '../timeline/changes';
import { mapTexts } from '../timeline/outline';
import type { Span } from '../timeline/span';
import { workKinds } from '../timeline/span';
import type { RunView } from '../runLog/runView';

/**
 * The spans of a run that are compared with those of another, and everything in them, such as the turns of subagents. Their texts are ready to
 * be shown.
 */
export function comparedSpans(
  { log, cwd }: RunView,
  isWanted: (span: Span) => boolean = () => true,
): Promise<readonly Span[]> {
  const spans = spansWithin(log.spans({ kinds: workKinds }), isWanted);
  return mapTexts(spans, (text) => shownText(log.store.sessionIds.inText(inFolder(text, cwd))));
}

/** Text with paths relative to the run's folder, because two runs may be in two worktrees. */
function inFolder(text: string, folder: string): string {
  if (folder.length < 2 || !text.includes(folder)) return text;
  const literally = patternOf(folder);
  return text.replace(new RegExp(`${literally}(?:[/\\\\]|(?![\\w.-]))`, 'g'), (path) => (path === folder ? '.' : ''));
}
