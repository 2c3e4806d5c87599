import assert from 'node:assert/strict';
import { isOtherModel } from '../../../../src/work/usage/modelNames';

describe('names of models', () => {
  const same = [
    ['sonnet', 'claude-sonnet-4-5-20250929'],
    ['anthropic/claude-opus-4.5', 'claude-opus-4-5@20251101'],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5'],
    ['gpt-4o', 'gpt-4o-2024-08-06'],
    ['gpt-5-high', 'openai/gpt-5'],
    ['deepseek/deepseek-r1:free', 'deepseek-r1-0528'],
    ['gemini-2.0-flash', 'models/gemini-2.0-flash-001'],
  ] as const;
  const other = [
    ['opus', 'claude-sonnet-4-5-20250929'],
    ['claude-sonnet-4', 'claude-sonnet-4-5-20250929'],
    ['gpt-5', 'gpt-5-mini-2025-08-07'],
    ['gemini-2.5-pro', 'gemini-2.5-flash'],
    ['claude-opus-4-5', 'gpt-5'],
  ] as const;
  const unknown = [
    ['auto', 'gpt-5'],
    ['default', 'claude-opus-4-5'],
    ['our-deployment-2', 'gpt-4o'],
    ['opusplan', 'claude-sonnet-4-5'],
  ] as const;

  for (const [one, another] of [...same, ...unknown]) {
    it(`${one} may be ${another}`, () => {
      assert.deepEqual([isOtherModel(one, another), isOtherModel(another, one)], [false, false]);
    });
  }

  for (const [one, another] of other) {
    it(`${one} is another model than ${another}`, () => {
      assert.deepEqual([isOtherModel(one, another), isOtherModel(another, one)], [true, true]);
    });
  }
});
