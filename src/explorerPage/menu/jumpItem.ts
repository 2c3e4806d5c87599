import type { Tab } from '../../explorer/page/messages';
import type { Page } from '../page';
import type { Translate } from '../texts';
import type { MenuItem } from './menuItem';

const labels: Readonly<Record<Tab, (t: Translate) => string>> = {
  log: (t) => t('Show in Log'),
  wire: (t) => t('Show on the Wire'),
  turns: (t) => t('Show in Turns'),
};

/** The key that shows a row in each tab. */
const jumpKeys: Readonly<Record<Tab, string>> = { log: 'l', wire: 'w', turns: 't' };

/** Shows what a record is about in another tab. */
export function jumpItem(page: Page, tab: Tab, seq: number): MenuItem {
  return { label: labels[tab](page.view.t), key: jumpKeys[tab], run: () => page.show(tab, seq) };
}
