import type { Workbench } from './workbench';

/** Pictures are for people: with all of them, the suites take a third longer. */
export const arePicturesWanted = process.env['AGENT_LOGS_PICTURES'] === '1';

/** Takes screenshots/NAME-dark.png and NAME-light.png, if pictures are wanted. */
export async function takeInThemes(workbench: Workbench, name: string): Promise<void> {
  if (!arePicturesWanted) return;
  await workbench.inTheme('Default Dark Modern', () => workbench.screenshot(`${name}-dark`));
  await workbench.inTheme('Default Light Modern', () => workbench.screenshot(`${name}-light`));
}
