import type { Termination } from '../../wire/termination';
import { isCrash } from '../../wire/termination';
import type { SessionFacts } from '../saved/list/sessionFilter';
import { outcomeWords } from '../saved/list/sessionFilter';
import type { FileRunInfo } from './fileRunInfo';

type RunAbout = Pick<FileRunInfo, 'name' | 'cwd'> & { readonly saved?: FileRunInfo['saved'] | undefined };

/**
 * What a filter of sessions can ask of a run: of a saved session, what its agent saved.
 * @param termination how it ended, if that is known
 */
export function runFacts(
  { name: title, cwd: folder, saved }: RunAbout,
  termination: Termination | undefined,
  isRunning: boolean,
): SessionFacts & { readonly title: string } {
  if (saved) {
    const { agentName: agent, model, outcome = 'open' } = saved;
    return { title, folder, agent, model, outcome: outcomeWords[saved.isRunning ? 'running' : outcome] };
  }
  const ended = termination && (isCrash(termination) ? outcomeWords.error : outcomeWords.ok);
  return { title, folder, agent: title, outcome: isRunning ? outcomeWords.running : (ended ?? outcomeWords.open) };
}
