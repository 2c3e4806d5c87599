import type { RecordKind } from './record';
import type { Words } from './translator';
import { t } from './translator';

/** The kinds of records in words. */
export const kindNames: Readonly<Record<RecordKind, Words>> = {
  log: t('log'),
  notice: t('notice'),
  stderr: t('standard error'),
  activity: t('activity'),
  lifecycle: t('lifecycle'),
  diagnosis: t('diagnosis'),
  wire: t('wire'),
};
