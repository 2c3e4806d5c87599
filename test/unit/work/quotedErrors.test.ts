import assert from 'node:assert/strict';
import { refusalText } from '../../../src/live/mcp/http/refusalText';
import { errorLine, providerError, readable } from '../../../src/work/failures/errorText';
import { isProgramMissingBy } from '../../../src/work/failures/missingProgram';
import { contentText, contentTextOf } from '../../../src/work/tools/contentText';

describe('an error that quotes an answer', () => {
  const page = '<html><title>Bad gateway</title>';
  for (const [text, inRecord, inProblem, ofHttp] of [
    ['503: {"message":"Overloaded"}', 'Overloaded (status 503)', '503: Overloaded', '503: Overloaded'],
    ['{"error":{"message":"Slow","code":429}}', 'Slow (status 429)', 'Slow', 'Slow'],
    ['[API Error: Overloaded]', 'Overloaded', 'Overloaded', undefined],
    ['[API Error: {"error":{"message":"Slow","code":429}}]', 'Slow (status 429)', 'Slow', undefined],
    ['[API Error: got 503 {"message":"Slow"}]\n', 'Slow (status 503)', 'got 503 Slow', undefined],
    ['{"detail":"No such server"}', '{"detail":"No such server"}', 'No such server', 'No such server'],
    ['a {brace} in it', 'a {brace} in it', 'a {brace} in it', 'a {brace} in it'],
    [page, page, 'got an HTML page instead of an answer: "Bad gateway"', 'status text'],
  ] as const) {
    it(`says what the answer says: ${text}`, () => {
      assert.deepEqual([providerError(text), readable(text)], [inRecord, inProblem]);
      if (ofHttp !== undefined) assert.equal(refusalText(text, 'status text'), ofHttp);
    });
  }

  it('is unwrapped in a notification, too', () => {
    const details = '429 {"type":"error","error":{"type":"rate_limit_error","message":"Too many"}}';
    assert.equal(errorLine({ message: 'Internal error', data: { details } }), '429 Too many (rate_limit_error)');
  });

  it('means a missing program only if it is about a start', () => {
    const [start, open] = ["couldn't start the tool", 'no such file'];
    assert.deepEqual([isProgramMissingBy('ENOENT', start), isProgramMissingBy('ENOENT', open)], [true, false]);
    assert.equal(isProgramMissingBy('EPERM', start), undefined);
  });
});

describe('the text of content', () => {
  const textOf = (text: string) => ({ type: 'text', text }) as const;
  const image = { type: 'image', uri: 'file:///a.png' };
  for (const [content, shown, text] of [
    ['said', 'said', 'said'],
    [[textOf('a'), { type: 'content', content: textOf('b') }], 'a b', 'a b'],
    [[{ type: 'tool_result', content: [{ type: 'text', text: 'of a tool' }] }], 'of a tool', 'of a tool'],
    [[{ type: 'text', text: 'a' }, image], 'a (image file:///a.png)', 'a'],
    [[image], '(image file:///a.png)', undefined],
    [{ type: 'text', text: 'alone' }, 'alone', undefined],
  ] as const) {
    it(`is ${shown}`, () => assert.deepEqual([contentText(content), contentTextOf(content)], [shown, text]));
  }
});
