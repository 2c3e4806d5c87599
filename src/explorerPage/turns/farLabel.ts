import type { FarRun, SpanRow } from '../../runs/explorer/turns/turnMessages';
import type { Translate } from '../texts';

/** `Show in memory`: the run at the other end. */
export function farLabel({ lane }: SpanRow, { name }: FarRun, t: Translate): string {
  return lane ? t('Show in {0}', name) : t('Called by {0}', name);
}
