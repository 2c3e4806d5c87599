import assert from 'node:assert/strict';
import { usageIn } from '../../../../src/protocols/traces/spanUsage';
import { totalUsage } from '../../../../src/timeline/totalUsage';
import type { Span } from '../../../../src/timeline/span';
import { usageRows } from '../../../../src/timeline/usageText';
import { addUsage, usageOf } from '../../../../src/work/usage/usage';
import { countNames, usageCounts } from '../../../../src/work/usage/usageCounts';

describe('what a usage has', () => {
  for (const name of countNames) {
    const { addsUp, aliases, label, otlp, isStandard, oldOtlp = [], otherAttributes = [] } = usageCounts[name];

    it(`${name} ${addsUp ? 'adds up' : 'is that of the last'}`, () => {
      const [one, two] = ([20, 30] as const).map((count) => ({ [name]: count, basis: 'turn' }) as const);
      const expected = { [name]: addsUp ? 50 : 30, basis: 'turn' };
      assert.deepEqual(addUsage(one, two), expected);
      const turns = [one, two].map((usage) => ({ kind: 'turn', usage }) as unknown as Span);
      const total = totalUsage(turns);
      assert.equal(total?.[name], name === 'contextWindow' ? undefined : expected[name]);
    });

    it(`${name} is read by each of its names, and shown by its label`, () => {
      for (const alias of aliases) assert.equal(usageOf({ [alias]: 7 }, 'turn')?.[name], 7, alias);
      const prefix = isStandard ? 'gen_ai.usage' : 'agent_logs.usage';
      for (const attribute of [...[otlp, ...oldOtlp].map((one) => `${prefix}.${one}`), ...otherAttributes]) {
        assert.equal(usageIn({ [attribute]: 7 })?.[name], 7, attribute);
      }
      const shown = usageRows({ [name]: 7, contextTokens: 1, basis: 'turn' }).find(([of]) => of === label.text);
      assert.notEqual(shown?.[1], undefined);
    });
  }
});
