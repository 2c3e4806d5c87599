import { createRequire } from 'node:module';
import { join } from 'node:path';

/** What the build makes of `src/sharedPage`. */
export interface SharedPageFiles {
  readonly script: string;
  readonly style: string;
}

/** The page of a shared run, in a language. */
export interface SharedPage extends SharedPageFiles {
  readonly locale: string;
  /** Texts in its language, by their English texts. */
  readonly translations: Readonly<Record<string, string>>;
}

/** The name of the module with the page, in the folder of the build. */
export const sharedPageModule = './sharedPage.js';

/** The page that is in the folder of a build. */
export function readSharedPage(
  folder: string,
  locale: string,
  translations: SharedPage['translations'] = {},
): SharedPage {
  const files = createRequire(join(folder, 'main.js'))(sharedPageModule) as SharedPageFiles;
  return { ...files, locale, translations };
}
