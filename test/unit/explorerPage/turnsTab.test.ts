import { ExplorerWindow, WrittenRun } from '../../support/explorerWindow';
import { describeWithEsbuild } from '../../support/platform';
import { line, startedAt } from '../../support/wireRows';

describeWithEsbuild('explorer: the Turns tab', () => {
  let page: ExplorerWindow;
  afterEach(() => page.close());

  it('goes on counting the time of an open turn while the agent is silent', async () => {
    const began = Date.now() - 5000 - startedAt;
    const sessionId = '5e551017-0000-4000-8000-000000000001';
    const run = new WrittenRun([
      line(began, 'c2a', { id: 1, method: 'session/new', params: { cwd: '/work' } }),
      line(began + 1, 'a2c', { id: 1, result: { sessionId } }),
      line(began + 2, 'c2a', {
        id: 2,
        method: 'session/prompt',
        params: { sessionId, prompt: [{ type: 'text', text: 'Go.' }] },
      }),
    ]);
    page = await ExplorerWindow.open(run, { tab: 'turns' });
    const took = (): string | undefined => /\d+(\.\d)? s/.exec(page.rows.find((row) => row.includes('Go.')) ?? '')?.[0];
    const seen = new Set<string>();
    await page.until(() => seen.add(took() ?? '').size > 3);
  });
});
