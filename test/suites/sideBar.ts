import type { Page } from 'playwright-core';

/** Where the side bar ends, in pixels from the left. */
export async function sideBarEdge(page: Page): Promise<number> {
  const sideBar = page.locator('.part.sidebar');
  await sideBar.waitFor();
  const box = await sideBar.boundingBox();
  return (box?.x ?? 0) + (box?.width ?? 0);
}

/** The center of the vertical sash that moves it: the nearest, 2 to 6 pixels away. */
export async function sideBarSash(page: Page): Promise<number> {
  const edge = await sideBarEdge(page);
  const boxes = await Promise.all(
    (await page.locator('.monaco-sash.vertical').all()).map((sash) => sash.boundingBox()),
  );
  const centers = boxes.flatMap((box) => (box ? [box.x + box.width / 2] : []));
  const distance = (x: number): number => Math.abs(x - edge);
  return centers.reduce((nearest, x) => (distance(x) < distance(nearest) ? x : nearest), Infinity);
}
