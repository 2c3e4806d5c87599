import '../../../../support/vscodeStub';
import assert from 'node:assert/strict';
import type { FakeItem, FakeQuickPick } from '../../../../support/fakeQuickPick';
import { quickPicks } from '../../../../support/fakeQuickPick';
import { askPrompt } from '../../../../../src/ui/services/agents/askPrompt';

const commands = [
  { name: 'levels', description: 'Log at each level' },
  { name: 'slow', description: 'Take some time', hint: 'seconds' },
];

describe('asking for a prompt', () => {
  function open(): { readonly picker: FakeQuickPick; readonly prompt: Promise<string | undefined> } {
    const prompt = askPrompt('Send a prompt to Sample', commands);
    return { picker: quickPicks.at(-1)!, prompt };
  }

  const labels = ({ items }: FakeQuickPick): string[] => items.map(({ label }) => label);
  const item = ({ items }: FakeQuickPick, label: string): FakeItem => items.find((one) => one.label.endsWith(label))!;

  it('lists the commands with what they do and take', () => {
    const { picker } = open();
    const shown = picker.items.map(({ label, description, detail }) => `${label} ${description} · ${detail}`);
    assert.deepEqual(shown, ['/levels undefined · Log at each level', '/slow seconds · Take some time']);
  });

  it('completes a command before it sends it', async () => {
    const { picker, prompt } = open();
    picker.accept(item(picker, '/slow'));
    assert.equal(picker.value, '/slow ');
    picker.type('/slow 5');
    picker.accept(item(picker, 'Send'));
    assert.equal(await prompt, '/slow 5');
  });

  it('sends a command that was typed', async () => {
    const { picker, prompt } = open();
    picker.type('/levels');
    picker.accept(item(picker, '/levels'));
    assert.equal(await prompt, '/levels');
  });

  it('completes what was begun, and sends any other text', async () => {
    const { picker, prompt } = open();
    picker.type('/lev');
    assert.deepEqual(labels(picker), ['/levels', '/slow', '$(send) Send']);
    picker.accept(item(picker, '/levels'));
    assert.equal(picker.value, '/levels ');
    picker.type('Fix the parser');
    assert.deepEqual(labels(picker), ['$(send) Send', '/levels', '/slow']);
    // VS Code may still have the command as the selected item, although it doesn't match.
    picker.accept(item(picker, '/levels'));
    assert.equal(await prompt, 'Fix the parser');
  });

  it('sends nothing if nothing was typed', () => {
    const { picker } = open();
    picker.type('  ');
    assert.deepEqual(labels(picker), ['/levels', '/slow']);
  });
});
