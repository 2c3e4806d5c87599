import * as assert from 'node:assert/strict';
import { agentLogs, configureAgents, execute, fake, inWindow } from './support';
import { poll } from './waiting';

const category = 'Agent Logs: ';

describe('In the window: commands that can act now', () => {
  const workbench = inWindow();

  /**
   * The titles of our commands in the Command Palette that match a text, as far as they are drawn. VS Code adds two that focus
   * the view.
   */
  async function palette(text = ''): Promise<readonly string[]> {
    await workbench.page.keyboard.press('F1');
    await workbench.filterQuickInput(`>${category}${text}`);
    const rows = await workbench.quickPickRows(); // at least a row that says that nothing matches
    await workbench.screenshot(`palette${text.replace(/\W+/g, '-')}`);
    await workbench.page.keyboard.press('Escape');
    const titles = rows.flatMap(({ label }) => (label.startsWith(category) ? [label.slice(category.length)] : []));
    return titles.filter((title) => !/ View$/.test(title)).sort();
  }

  // The window of the tests has no saved sessions.
  const ever = [
    ...['Add Agent…', 'Add to an Agent…', 'Check MCP Servers', 'Copy Tap Command', 'Open Log File…', 'Open Past Run…'],
    ...['Search All Sessions…', 'Set Log Level…', 'Start Agent…', 'Start Sample Agent', 'Watch MCP Servers…'],
  ];

  it('are eleven in the palette while nothing is open', async () => {
    assert.deepEqual(await palette(), ever);
  });

  it('are offered in the palette as soon as an agent runs, and in the menu of its output', async () => {
    await configureAgents({ Able: fake('setsLevel') });
    const run = await (await agentLogs()).start('Able');
    for (const title of ['Send Prompt…', 'Stop Agent', 'New Session', 'Open Log Explorer']) {
      await poll(() => palette(title)).until((titles) => titles.includes(title));
    }
    for (const title of ['Call Tool…', 'Cancel Turn', 'Open Termination Report', 'Log In…']) {
      assert.ok(!(await palette(title)).includes(title), title);
    }
    await execute('agentLogs.showOutput', run.id);
    const buttons = workbench.page.locator('.part.panel .title').getByRole('button');
    await buttons
      .and(workbench.page.getByLabel(/^(Views and )?More Actions/))
      .first()
      .click();
    const items = workbench.page.getByRole('menuitem');
    await items.filter({ hasText: 'Go to Next Problem' }).waitFor();
    await workbench.screenshot('output-menu');
    const texts = (await items.allInnerTexts()).map((text) => text.trim());
    // A shortcut may follow.
    for (const title of [/^Set Agent's Log Level…/m, /^Go to Previous Problem/m]) assert.match(texts.join('\n'), title);
    await workbench.chooseItem(items.filter({ hasText: "Set Agent's Log Level…" }));
    await workbench.asks('Log level of Able');
    await workbench.page.keyboard.press('Escape');
  });
});
