import assert from 'node:assert/strict';
import { StreamJsonInterpreter } from '../../../../../src/agents/reading/streams/streamJsonInterpreter';
import { StreamWire } from '../../../../support/streamWire';

describe('unknown streams', () => {
  it('reads an event of an unknown agent once, and keeps what only looks like a known one', () => {
    const { records } = new StreamWire((context) => new StreamJsonInterpreter(context))
      .send({ type: 'message', role: 'assistant', content: 'A third one' })
      .send({ type: 'assistant', text: 'Hello from nowhere' })
      .send({ type: 'text', text: 'Another greeting' });
    const texts = records.map(({ message }) => message).join('\n');
    for (const text of ['Hello from nowhere', 'Another greeting', 'A third one']) {
      assert.equal(texts.split(text).length, 2, `${text}: ${texts}`);
    }
  });
});
