// @ts-check
import { resolve } from 'node:path';

/** The extension's own repository. */
export const repository = resolve(import.meta.dirname, '../..');

/** What is fetched or made on demand; ignored by git, and safe to delete at any time. */
export const cache = resolve(repository, '.vscode-test');

/** The photographs that suites take, and that of a window which hung. */
export const screenshots = resolve(repository, 'screenshots');
