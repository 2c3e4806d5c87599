import assert from 'node:assert/strict';
import { envVariablesOf, launchSpec } from '../../../../src/live/config/launchSpec';
import { hasLevel, sectionOf, withLevel } from '../../../../src/live/lsp/lspSettings';
import { deepJson } from '../../../../src/text/jsonText';

describe('language server settings', () => {
  const settings = { aws: { logLevel: 'x', 'deep.er': { most: 1 } }, 'a.b': { c: 2 }, none: null };

  const sections = { 'aws.logLevel': 'x', 'aws.deep.er.most': 1, 'a.b': { c: 2 }, 'a.b.c': 2, '': settings };
  const none = ['a', 'none.x', '__proto__', 'aws.constructor'].map((section) => [section, null] as const);
  for (const [section, expected] of [...Object.entries(sections), ...none]) {
    it(`have a section "${section}" or not`, () => assert.deepEqual(sectionOf(settings, section), expected));
  }

  it('use the level names of most servers', () => {
    const given = { a: ['${level}', 1, null], b: { c: 'log:${level}' } };
    assert.equal(hasLevel(given), true);
    assert.equal(hasLevel({ a: '${levels}', '${level}': 1 }), false);
    assert.deepEqual(withLevel(given, 'warning'), { a: ['warn', 1, null], b: { c: 'log:warn' } });
    const levels = ['debug', 'info', 'notice', 'error', 'emergency', 'off'] as const;
    const words = levels.map((level) => withLevel('${level}', level));
    assert.deepEqual(words, ['debug', 'info', 'info', 'error', 'error', 'error']);
  });

  it('are read however deep they are nested', () => {
    const nested = (text: string): unknown =>
      JSON.parse(`${'{"b":1,"a":['.repeat(5000)}${JSON.stringify(text)}${']}'.repeat(5000)}`) as unknown;
    assert.equal(hasLevel(nested('${level}')), true);
    assert.equal(deepJson(withLevel(nested('${level}'), 'warning')), deepJson(nested('warn')));
  });

  it('keep fields of any name, in order', () => {
    const given: unknown = JSON.parse('{"z":"${level}","__proto__":{"a":"${level}"},"b":[]}');
    assert.equal(JSON.stringify(withLevel(given, 'error')), '{"z":"error","__proto__":{"a":"error"},"b":[]}');
  });

  it('substitute our variables, and keep theirs', () => {
    const lsp = {
      settings: { a: '${workspaceFolder}/x', b: ['${env:A}${userHome}'], c: '${level} ${theirs} ${input:i}', d: 1 },
    };
    const agent = { name: 'A', protocol: 'lsp', command: 'c', args: [], env: {}, lsp } as const;
    const spec = launchSpec(agent, { workspaceFolder: '/w', userHome: '/h', env: { A: 'v' }, inputs: { i: 'given' } });
    assert.deepEqual(envVariablesOf(lsp), ['A']);
    assert.deepEqual(spec.lsp, { settings: { a: '/w/x', b: ['v/h'], c: '${level} ${theirs} given', d: 1 } });
  });
});
