// @ts-check
import { resolve } from 'node:path';

/** The root of the repository. */
export const repository = resolve(import.meta.dirname, '../..');

/** Downloads and temporary data. Ignored by git, and safe to delete. */
export const cache = resolve(repository, '.vscode-test');

/** Screenshots that suites take, and those of windows that hung. */
export const screenshots = resolve(repository, 'screenshots');
