import { t } from '../text/translator';
import { HumanError } from '../text/humanError';
import { kindOf } from './addresses';

/** A page that a server or an agent wants the user to open. */
export interface WebPage {
  readonly href: string;
  /** Where it leads, with its port if that isn't the usual one; names in other scripts are in Punycode. Show it whole, and apart from the URL. */
  readonly host: string;
}

/**
 * Checks a URL that was chosen by a server, an agent or a file. Every page that somebody else names has to pass here before it is opened: other
 * schemes start programs (`file:`, `ms-settings:`, `search-ms:`, `vscode:`, `smb:`).
 * @throws HumanError unless it is `https:`, or `http:` on this machine
 */
export function webPage(text: string): WebPage {
  // The parser drops these, so that what is opened would differ from what is shown.
  const isPlain = text.length <= maxLength && !/[\u0000-\u0020\u007f-\u00a0\\]/.test(text);
  const url = isPlain && URL.canParse(text) ? new URL(text) : undefined;
  if (!url) throw new HumanError(t('The page to open isn’t a valid URL.'));
  const isWeb = url.protocol === 'https:' || (url.protocol === 'http:' && kindOf(url.hostname) === 'loopback');
  if (!isWeb) {
    const address = url.host === '' ? url.protocol : `${url.protocol}//${url.host}`;
    throw new HumanError(t('Only https: pages are opened, and http: pages of this machine; not {0}', address));
  }
  if (url.username !== '' || url.password !== '') {
    throw new HumanError(
      t('The URL of a page on {0} contains a user name, which can look like another host.', url.host),
    );
  }
  return { href: url.href, host: url.host };
}

/** In characters; authorization requests can be long. */
const maxLength = 32 * 1024;
