import { inTermsOf } from '../../protocols/terms';
import type { Words } from '../../text/translator';
import type { RunProtocol } from '../../wire/protocol';
import { translate } from './translate';

/** Words about a run, or about an agent of the settings, in the terms of its protocol. Only a run of a replay has one. */
export function translateFor(of: { readonly name: string; readonly protocol?: RunProtocol }, words: Words): string {
  return translate(inTermsOf(words, of.protocol ?? 'acp'));
}
