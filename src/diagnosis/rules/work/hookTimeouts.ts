import type { Words } from '../../../text/translator';
import { t } from '../../../text/translator';
import type { NoticeFact } from '../../../work/activity';
import type { HookFact } from '../../../work/tools/toolFacts';
import type { StderrFact } from '../../../work/facts';
import type { HookTimeout } from '../../../work/failures/hookTimeout';
import { hookTimeoutIn } from '../../../work/failures/hookTimeout';
import { causes } from '../../causes';
import { changesFiles } from '../../failures/calls/failedAim';
import type { Findings, Found, Rule, ToolEnded } from '../../rule';

/** Hooks that run into their time limit: each time, the agent waits for nothing, whether or not its tool succeeds. */
export const hookTimeouts: Rule = {
  hook({ timeout }: HookFact): Findings {
    return found(timeout);
  },

  notice({ text }: NoticeFact): Findings {
    return found(hookTimeoutIn(text));
  },

  stderr({ entry }: StderrFact): Findings {
    return entry.said.map(({ message }) => found(hookTimeoutIn(message)));
  },

  /** Some agents add it to the result of the tool. That of a failed one is reported with it. */
  toolEnded({ tool }: ToolEnded): Findings {
    return tool.end?.outcome === 'ok' && changesFiles(tool) ? found(hookTimeoutIn(tool.output)) : undefined;
  },
};

function found(timeout: HookTimeout | undefined): Found | undefined {
  return (
    timeout && {
      code: 'hook-timed-out',
      level: 'warning',
      what: wordsFor(timeout),
      cause: causes.hookTimedOut,
      advice: t(
        "Make the hook faster, or raise its time limit in the agent's settings: the agent waits for it each time.",
      ),
      key: timeout.name,
    }
  );
}

function wordsFor({ name, limit }: HookTimeout): Words {
  const what = name === '' ? t('A hook') : t('The hook `{0}`', name);
  return limit === undefined ? t('{0} timed out', what) : t('{0} timed out after {1}', what, { ms: limit });
}
