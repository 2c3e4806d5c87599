import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Explorer } from '../explorer';
import { ListView } from '../list/listView';
import { LogLook } from './logLook';
import { RecordActions, RecordDetails } from './recordDetails';

/** The records of the run. */
export function LogView({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const { log, view } = explorer;
  const { t } = view;
  const look = useMemo(() => new LogLook(t, log.list), [log]);
  return (
    <ListView
      explorer={explorer}
      tab={log}
      look={look}
      label={t('Log records')}
      headings={[
        { name: 'time', title: t('Time') },
        { name: 'level', title: t('Level'), isFixed: true },
        { name: 'session', title: t('Session') },
        { name: 'logger', title: t('Logger') },
        { name: 'message', title: t('Message'), isFilling: true },
      ]}
      empty={log.list.state.q === '' ? t('No records yet.') : t('No records match the filter.')}
      actions={<RecordActions explorer={explorer} />}
      details={<RecordDetails explorer={explorer} />}
    />
  );
}
