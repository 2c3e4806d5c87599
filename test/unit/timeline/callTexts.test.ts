import assert from 'node:assert/strict';
import { CallTexts } from '../../../src/timeline/callTexts';
import { callText, toolInput } from '../../../src/work/callText';

describe('texts of tool calls', () => {
  it('are cut, and say how much is missing', () => {
    const result = callText(undefined, 'short', ` ${'x'.repeat(3000)}\n`);
    assert.deepEqual(result, { text: 'x'.repeat(2000), missing: 1000 });
    const { args } = toolInput({ text: 'x'.repeat(3000) });
    assert.equal(args?.text.length, 2001);
    assert.equal(args.missing, '{"text":""}'.length + 1000);
    assert.equal(toolInput(undefined).args, undefined);
    assert.equal(callText('  '), undefined);
  });

  it('cut circular arguments of other extensions', () => {
    const given: Record<string, unknown> = { text: 'x'.repeat(3000) };
    given['self'] = given;
    assert.equal(toolInput(given).args?.missing, 1);
  });

  it('are kept of the newest calls, within a limit', () => {
    const texts = new CallTexts();
    const result = callText('x'.repeat(2000));
    for (let i = 0; i < 2000; i++) texts.set(`tool-${i}`, { args: undefined, result });
    assert.equal(texts.get('tool-999'), undefined);
    assert.equal(texts.get('tool-1000')?.result, result);
    texts.set('tool-1000', { args: undefined, result: undefined });
    texts.set('tool-2000', { args: undefined, result });
    assert.notEqual(texts.get('tool-1001'), undefined);
    texts.clear();
    assert.equal(texts.get('tool-2000'), undefined);
  });
});
