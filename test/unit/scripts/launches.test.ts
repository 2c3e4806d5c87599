import assert from 'node:assert/strict';
import { planLaunches, seedOf, shuffled, windowsAtOnce } from '../../../scripts/vscode/launches.mjs';

const driving = ['share.ui.test.js', 'journeys/failedTurn.ui.test.js', 'nightly/themes.ui.test.js'];
const suites = ['smoke.test.js', ...driving, 'untrusted/untrusted.test.js'];

describe('the launches of the VS Code suites', () => {
  const planned = (args: string): string => {
    const launches = planLaunches(suites, args === '' ? [] : args.split(' '), { desktop: false });
    return launches.map(({ name, suites: own }) => `${name} ${own.length}`).join(', ');
  };

  for (const [args, launches] of [
    ['', 'newest-1 1, newest-2 1, oldest 1, untrusted 1'],
    ['--nightly', 'newest-1 2, newest-2 2, oldest 1, german 1, untrusted 1'],
    ['smoke', 'oldest 1'],
    ['smoke --nightly', 'newest 1, oldest 1'],
    ['themes', 'newest 1'],
    ['smoke share --newest', 'newest 2'],
    ['untrusted --newest', 'untrusted 1'],
    ['journeys --german', 'german 1'],
  ] as const) {
    it(`run what is asked for: ${args}`, () => assert.equal(planned(args), launches));
  }

  it('fail if something that is asked for would not run', () => {
    const unknown = ['nothing', 'nothing --newest', 'smoke nothing', '--newst', 'smoke --newest --newst'];
    for (const args of [...unknown, 'share --oldest', 'smoke share --oldest', 'smoke --german', 'untrusted --oldest']) {
      assert.throws(() => planned(args), /There are: /, args);
    }
    assert.throws(() => planLaunches([], [], { desktop: false }), /No suites/);
  });

  it('come in the order of a seed, which is always the same but at night', () => {
    const order = shuffled(suites, '1');
    assert.deepEqual([...order].sort(), [...suites].sort());
    assert.deepEqual(shuffled([...suites].reverse(), '1'), order);
    assert.notDeepEqual(shuffled(suites, '2'), order);
    assert.deepEqual([seedOf(undefined, false), seedOf('', false), seedOf('7', true)], ['1', '1', '7']);
    assert.match(seedOf(undefined, true), /^\d+$/);
  });

  it('run in at least one window', () => {
    assert.deepEqual([undefined, '', '1', '3'].map(windowsAtOnce), [2, 2, 1, 3]);
    for (const text of ['0', '-1', '1.5', 'two', 'NaN', 'Infinity', ' ']) {
      assert.throws(() => windowsAtOnce(text), /AGENT_LOGS_WINDOWS must be a whole number/, text);
    }
  });
});
