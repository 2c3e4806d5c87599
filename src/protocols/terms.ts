import type { Words } from '../text/translator';
import { mapWords, t } from '../text/translator';
import type { RunProtocol } from '../wire/protocol';

/** What texts about any run call the program at its other end. An argument of them, like the other terms: `inTermsOf` says what a run has. */
export const peer = t('agent');
/** The same, where a sentence begins with it. */
export const peerFirst = t('Agent');
/** How to end work that hangs. */
export const endWork = t('cancel the turn');
/** What silence may mean. */
export const maybeStuck = t('The model may be slow or the agent stuck');

const ofServers: ReadonlyMap<string, Words> = new Map([
  [peer.text, t('server')],
  [peerFirst.text, t('Server')],
  [endWork.text, t('cancel the request')],
  [maybeStuck.text, t('The server may be slow or stuck')],
]);
/** A command line takes no requests. */
const ofStreams: ReadonlyMap<string, Words> = new Map([[endWork.text, t('stop the agent')]]);

/** Words about a run with the terms of its protocol. */
export function inTermsOf(words: Words, protocol: RunProtocol): Words {
  const terms = termsOf(protocol);
  return terms ? mapWords(words, ({ text }) => terms.get(text)) : words;
}

function termsOf(protocol: RunProtocol): ReadonlyMap<string, Words> | undefined {
  if (protocol === 'mcp' || protocol === 'lsp') return ofServers;
  return protocol === 'stream-json' ? ofStreams : undefined;
}
