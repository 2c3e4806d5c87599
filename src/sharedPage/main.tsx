import './nodeGlobals';
import { render } from 'preact';
import { Failure } from '../explorerPage/boundary';
import { Host } from '../explorerPage/host';
import { startPage } from '../explorerPage/start';
import { failureTexts, textsIn } from '../explorerPage/texts';
import type { HostMessage } from '../explorer/page/messages';
import { otherWork } from '../time/timers';
import type { SharedHead } from '../share/sharedFile';
import { partId } from '../share/sharedFile';
import type { SharedMessage, SharedRecord } from '../share/sharedRun';
import { readPart } from './parts';
import { regexInPage } from './regexInPage';
import { SharedBar } from './sharedBar';
import { SharedHost } from './sharedHost';
import { SharedLog } from './sharedLog';

performance.mark('start');
void open().catch((error: unknown) => {
  // eslint-disable-next-line no-console -- a file has nobody else to tell
  console.error(error);
  const into = document.getElementById('bar') ?? document.body;
  // English: the texts of the file may be what can't be read.
  const { t } = textsIn('en', {});
  render(
    <Failure texts={{ ...failureTexts(t), message: t('Parts of this file are damaged and can’t be shown.') }} />,
    into,
  );
});

async function open(): Promise<void> {
  const head = await readPart<SharedHead>(partId.head);
  document.title = head.name;
  const { trustedTypes } = globalThis as { trustedTypes?: Parameters<typeof regexInPage>[0] };
  const log = new SharedLog(head);
  // Each waits for the other's turn, as messages between two threads do.
  const host = new Host((call) => void otherWork().then(() => shared.answer(call)));
  const post = (message: HostMessage): void => void otherWork().then(() => host.receive(message));
  const shared = new SharedHost(head, log, regexInPage(trustedTypes), post);
  const [bar, explorer] = ['bar', 'explorer'].map((id) => document.getElementById(id));
  if (!bar || !explorer) return;
  render(<SharedBar head={head} texts={textsIn(head.locale, head.translations)} />, bar);
  const kept: unknown = history.state;
  const keeper = {
    kept: typeof kept === 'string' ? kept : '',
    keep: (state: string) => history.replaceState(state, ''),
  };
  await startPage(host, keeper, explorer);
  await load(head, log, shared);
}

/** Loads the rest of the file in slices. */
async function load({ parts }: SharedHead, log: SharedLog, host: SharedHost): Promise<void> {
  const all = parts.records + parts.messages;
  for (let part = 0; part < parts.records; part++) {
    log.addRecords(await readPart<readonly SharedRecord[]>(`${partId.records}-${part}`));
    host.read((part + 1) / (all + 1));
    await otherWork();
  }
  for (let part = 0; part < parts.messages; part++) {
    log.addMessages(await readPart<readonly SharedMessage[]>(`${partId.messages}-${part}`));
    host.read((parts.records + part + 1) / (all + 1));
    await otherWork();
  }
  host.read(1);
}
