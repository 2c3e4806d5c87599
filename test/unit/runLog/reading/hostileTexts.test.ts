import assert from 'node:assert/strict';
import fc from 'fast-check';
import { agents, savers } from '../../../../src/agents/agents';
import { protocols } from '../../../../src/wire/protocol';
import type { HostileText } from '../../../support/doubling';
import { growthAt, hostileTexts, millisecondsFor } from '../../../support/doubling';
import { hostileFieldTexts } from '../../../support/hostileTexts';
import { readWhole } from '../../../support/hostilePipeline';
import { holds } from '../../../support/property';
import type { Recording, TextPlace } from '../../../support/textPlaces';
import { allRecordings, placesOf } from '../../../support/textPlaces';

/** Characters in all texts of a message. A search with the square of the length takes a second or more for so many. */
const size = 32_768;
/** Reading so many takes a fifth of this, in milliseconds. */
const usual = 30;
/** No text may take longer, even if twice its length takes no longer: a window would stand still. */
const longest = 1000;

/** Everything that is read: the protocols, the streams of agents and the sessions that they save. */
const formats: readonly string[] = [
  ...protocols.filter((protocol) => protocol !== 'stream-json'),
  ...agents.filter(({ stream }) => stream).map(({ id }) => `stream-json ${id}`),
  ...savers.map(({ id }) => `saved ${id}`),
];

function formatOf({ protocol, name }: Recording): string {
  const [, vendor] = /^(?:streams|saved)\/([a-z]+)/.exec(name) ?? [];
  return vendor === undefined ? protocol : `${protocol} ${vendor}`;
}

/** One of each kind for each vendor, in any recording. */
function distinct(places: readonly TextPlace[]): readonly TextPlace[] {
  const vendorOf = ({ recording: { protocol, name } }: TextPlace): string =>
    `${protocol} ${/[^/-]+(?=[^/]*$)/.exec(name)?.[0] ?? ''}`;
  return [...new Map(places.map((place) => [`${vendorOf(place)} ${place.name}`, place])).values()];
}

function check(place: TextPlace, text: HostileText): void {
  const { protocol, name } = place.recording;
  const events = { name: text.name, of: (length: number) => place.eventsWith(text.of(length)) };
  const read = (input: ReturnType<TextPlace['eventsWith']>): unknown => readWhole(protocol, input);
  const length = Math.round(size / place.count);
  if (millisecondsFor(read, events.of(length)) < usual) return;
  const growth = growthAt(read, events, length, longest);
  assert.ok(growth === undefined, `${name}: ${place.name} with ${growth ?? ''}`);
}

describe('reading texts that are hard to search', () => {
  const all = allRecordings().map(placesOf);
  const ofMessages = distinct(all.flatMap(({ messages }) => messages));
  const ofFields = distinct(all.flatMap(({ fields }) => fields));
  /** By number: a failure prints what was drawn, and places are long. */
  const one = (list: readonly unknown[]): fc.Arbitrary<number> => fc.noShrink(fc.nat(list.length - 1));
  const checked = (places: readonly TextPlace[]): fc.IRawProperty<[number, number]> =>
    fc.property(one(places), one(hostileFieldTexts), (place, text) => check(places[place]!, hostileFieldTexts[text]!));

  it('takes no longer than that for the prompts and the outputs of tools in streams and saved sessions, and for ends', () => {
    const isOutput = /(?:tool|function|execut|user).*(?:output|error|content|text)(?:\[\])?$/i;
    const outputs = ofFields.filter(
      ({ recording, name }) => /^(?:streams|saved)/.test(recording.name) && isOutput.test(name),
    );
    assert.ok(outputs.length > 30);
    const ends = ['exit.signal', 'http (POST).message'].map((end) => ofFields.find(({ name }) => name === end)!);
    for (const output of [...outputs, ...ends]) {
      for (const text of hostileTexts([' ', '\n', '.', '\nExit Code: 1'])) check(output, text);
    }
  });

  for (const format of formats) {
    const ofFormat = (places: readonly TextPlace[]): readonly TextPlace[] => {
      const own = places.filter(({ recording }) => formatOf(recording) === format);
      assert.ok(own.length > 0, `no recording in test/fixtures: ${format}`);
      return own;
    };

    holds(
      `takes at most three times as long for twice the text in every field of a message, up to the views: ${format}`,
      2,
      checked(ofFormat(ofMessages)),
    );

    holds(
      `takes at most three times as long for twice the text in any one field, names and kinds included: ${format}`,
      2,
      checked(ofFormat(ofFields)),
    );
  }
});
