import type { FarRun } from '../../explorer/turns/turnMessages';
import type { Translate } from '../texts';

/** `Show in memory`: the run at the other end. */
export function farLabel({ name, isServer }: FarRun, t: Translate): string {
  return isServer ? t('Show in {0}', name) : t('Called by {0}', name);
}
