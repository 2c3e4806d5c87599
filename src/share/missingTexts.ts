import type { Translator } from '../text/translator';
import type { SharedContent, SharedCut } from './sharedRun';

/** What isn't in a shared run, a sentence each. */
export function missingTexts(cut: readonly SharedCut[], t: Translator['t']): readonly string[] {
  return cut.map((one) => textOf(one, t));
}

function textOf(cut: SharedCut, t: Translator['t']): string {
  switch (cut.type) {
    case 'records':
      return t('Older records that aren’t here: {0}', cut.count);
    case 'messages':
      return t('Older messages that aren’t here: {0}', cut.count);
    case 'spans':
      return t('Older turns and steps that aren’t here: {0}', cut.count);
    case 'texts':
      return t('Long texts without their ends: {0}', cut.count);
    case 'part':
      return cut.of === 'session' ? t('This is one session of a run.') : t('These are some records of a run.');
    case 'content':
      return contents[cut.content](t, cut.count);
    case 'personal':
      return t('Personal paths and names that were replaced: {0}', cut.count);
    case 'suspects':
      return t('Texts that may be secrets and were cut: {0}', cut.count);
  }
}

const contents: Readonly<Record<SharedContent, (t: Translator['t'], count: number) => string>> = {
  prompts: (t, count) => t('Prompts that were left out: {0}', count),
  answers: (t, count) => t('Answers and thoughts that were left out: {0}', count),
  tools: (t, count) => t('Inputs and outputs of tools that were left out: {0}', count),
  wire: (t, count) => t('Bodies of messages that were left out: {0}', count),
  stderr: (t, count) => t('Lines of standard error that were left out: {0}', count),
};
