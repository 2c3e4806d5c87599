import { dirname, join } from 'node:path';
import type { PriceList } from '../../work/usage/prices';
import { wrongPrices, priceListOf } from '../../work/usage/prices';
import { isObject } from '../../text/json';
import { readSettingsFile, writeSettingsFile } from './settingsFile';

/** The file with the user's prices, next to the folder of the taps' journals. */
export function tapPricesFile(tapFolder: string): string {
  return join(dirname(tapFolder), 'prices.json');
}

/** Writes the prices to the file that the terminal reads. Deletes the file if there are none. */
export function writeTapPrices(path: string, prices: PriceList): Promise<void> {
  return writeSettingsFile(path, Object.keys(prices).length === 0 ? undefined : prices);
}

/**
 * Reads the prices; empty if there is no file.
 * @throws if it can't be read, or has other content
 */
export function readTapPrices(path: string): PriceList {
  const value = readSettingsFile(path);
  if (value === undefined) return {};
  const [wrong] = wrongPrices(value);
  if (!isObject(value) || wrong !== undefined) {
    throw new Error(`${wrong ?? 'it'} must have "input" and "output", in dollars per million tokens`);
  }
  return priceListOf(value);
}
