import assert from 'node:assert/strict';
import { isOtherModel, isSameModel } from '../../../../src/work/usage/modelNames';
import { SessionModels } from '../../../../src/work/usage/sessionModels';

describe('names of models', () => {
  const same = [
    ['sonnet', 'claude-sonnet-4-5-20250929'],
    ['anthropic/claude-opus-4.5', 'claude-opus-4-5@20251101'],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5'],
    ['gpt-4o', 'gpt-4o-2024-08-06'],
    ['gpt-5-high', 'openai/gpt-5'],
    ['deepseek/deepseek-r1:free', 'deepseek-r1-0528'],
    ['gemini-2.0-flash', 'models/gemini-2.0-flash-001'],
    ['anthropic/claude-sonnet-4-5-20250929', 'claude-sonnet-4-5'],
    ['anthropic:claude-sonnet-4-5', 'claude-sonnet-4-5-20250929'],
    ['our-deployment-2', 'azure/our-deployment-2'],
  ] as const;
  const other = [
    ['opus', 'claude-sonnet-4-5-20250929'],
    ['claude-sonnet-4', 'claude-sonnet-4-5-20250929'],
    ['gpt-5', 'gpt-5-mini'],
    ['gpt-5', 'gpt-5-mini-2025-08-07'],
    ['openai:gpt-5', 'openai:gpt-5-codex'],
    ['llama3:8b', 'llama4:8b'],
    ['gemini-2.5-pro', 'gemini-2.5-flash'],
    ['claude-opus-4-5', 'gpt-5'],
  ] as const;
  const unknown = [
    ['auto', 'gpt-5'],
    ['default', 'claude-opus-4-5'],
    ['our-deployment-2', 'gpt-4o'],
    ['opusplan', 'claude-sonnet-4-5'],
  ] as const;

  for (const [pairs, how, expected] of [
    [same, 'is the same model as', [false, true]],
    [unknown, 'may be', [false, false]],
    [other, 'is another model than', [true, false]],
  ] as const) {
    for (const [one, another] of pairs) {
      it(`${one} ${how} ${another}`, () => assert.deepEqual(judged(one, another), expected));
    }
  }

  it('decide whether a session keeps the window of its context', () => {
    const windowAfter = (to: string): number | undefined => {
      const models = new SessionModels();
      models.use('s', 'gpt-5');
      models.noteContext('s', { contextTokens: 10, contextWindow: 400_000 });
      models.use('s', to);
      return models.contextOf('s')?.window;
    };
    assert.deepEqual(['openai/gpt-5-2025-08-07', 'gpt-5-mini'].map(windowAfter), [400_000, undefined]);
  });
});

function judged(one: string, another: string): readonly boolean[] {
  assert.equal(isOtherModel(one, another), isOtherModel(another, one));
  assert.equal(isSameModel(one, another), isSameModel(another, one));
  return [isOtherModel(one, another), isSameModel(one, another)];
}
