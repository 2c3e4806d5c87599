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
      empty={emptyText(explorer)}
      actions={<RecordActions explorer={explorer} />}
      details={<RecordDetails explorer={explorer} />}
    />
  );
}

/** Why no record is listed. */
function emptyText({ log, view }: Explorer): string {
  const { t, run } = view;
  const { q, matches } = log.list.state;
  if (q !== '') return t('No record matches the filter. Records hidden: {0}', matches?.of ?? 0);
  return run.isLive ? t('No records yet.') : t('This run has no records.');
}
