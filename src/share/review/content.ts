import type { SharedContent, SharedRecord, SharedSpan } from '../sharedRun';

/** What a text is. `free`: it may quote any content. */
export type TextClass = SharedContent | 'free';

/** Loggers of activities whose records are one content and nothing else. All other texts of agents are free. */
const byLogger: ReadonlyMap<string, SharedContent> = new Map([
  ...['prompt', 'user', 'developer'].map((logger) => [logger, 'prompts'] as const),
  ...['agent', 'partial', 'thought', 'message', 'plan'].map((logger) => [logger, 'answers'] as const),
  ...['tool', 'terminal', 'files', 'edit'].map((logger) => [logger, 'tools'] as const),
  ...['stdout', 'stdin'].map((logger) => [logger, 'stderr'] as const),
]);

export function classOfRecord({ kind, logger = '' }: SharedRecord): TextClass {
  if (kind === 'stderr') return 'stderr';
  if (kind === 'wire') return 'wire';
  return (kind === 'activity' ? byLogger.get(logger) : undefined) ?? 'free';
}

/** Of the title of a span. */
export function classOfSpan({ kind }: SharedSpan): TextClass {
  switch (kind) {
    case 'turn':
      return 'prompts';
    case 'tool':
      return 'tools';
    case 'permission':
    case 'span':
    case 'subagent':
    case 'compaction':
    case 'request':
      return 'free';
  }
}
