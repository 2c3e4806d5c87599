import type { RecordContent } from '../../text/record';
import type { SharedContent, SharedRecord, SharedSpan } from '../sharedRun';

/** What a text is. `free`: it may quote any content. */
export type TextClass = SharedContent | 'free';

const ofRecords: Readonly<Record<RecordContent, SharedContent>> = {
  prompt: 'prompts',
  answer: 'answers',
  tool: 'tools',
  output: 'stderr',
};

export function classOfRecord({ kind, content }: SharedRecord): TextClass {
  if (kind === 'stderr') return 'stderr';
  if (kind === 'wire') return 'wire';
  return content === undefined ? 'free' : ofRecords[content];
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
    case 'hook':
    case 'request':
      return 'free';
  }
}
