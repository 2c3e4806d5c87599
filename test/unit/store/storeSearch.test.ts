import assert from 'node:assert/strict';
import fc from 'fast-check';
import { RecordStore } from '../../../src/store/store';

/** Texts that come close to each other: the same few words in other cases, beside letters that are one only for some. */
const word = fc.constantFrom(
  ...['error', 'ERROR', 'Größe', 'größe', 'GRÖSSE', 'K', '\u212a', '\u017f', 's', '.*', 'ÿ', '\0', '\n', ''],
);
const text = fc.array(word, { maxLength: 4 }).map((words) => words.join(' '));

describe('search for a text', () => {
  it('finds what a search over each message and logger would, in the order of arrival', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(text, fc.option(text, { nil: undefined })), { maxLength: 60 }),
        text,
        (all, asked) => {
          const store = new RecordStore(1e6);
          for (const [message, logger] of all) {
            const named = logger === undefined ? {} : { logger };
            store.append({ receivedAt: 1, level: 'info', kind: 'log', message, ...named });
          }
          const expression = new RegExp(asked.replace(/[.*]/g, '\\$&'), 'i');
          const expected = all.flatMap(([message, logger], index) =>
            expression.test(message) || (logger !== undefined && expression.test(logger)) ? [index + 1] : [],
          );
          const found = store.query({ text: asked }).map(({ seq }) => seq);
          assert.deepEqual(found, expected);
        },
      ),
    );
  });

  it('finds nothing across two messages', () => {
    const store = new RecordStore(1e6);
    for (const message of ['one', 'two']) store.append({ receivedAt: 1, level: 'info', kind: 'log', message });
    assert.deepEqual(store.query({ text: 'onetwo' }), []);
    assert.deepEqual(store.query({ text: 'oneÿtwo' }), []);
  });
});
