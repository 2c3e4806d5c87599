import { withoutByteOrderMark } from '../text/jsonText';
import type { LogRecord } from '../text/record';
import type { ShortSessionIds } from './shortSessionIds';

type NoData = Omit<LogRecord, 'data'>;

/** Returns the given object, so that a derived class adds its private fields to an object that stays plain. */
const Given = function (object: object) {
  return object;
} as unknown as new (object: object) => object;

/** Reads the data of a record on first use. */
class LazyData extends Given {
  readonly #read: () => unknown;

  constructor(record: object, read: () => unknown) {
    super(record);
    this.#read = read;
  }

  static of(record: object): unknown {
    return #read in record ? record.#read() : undefined;
  }
}

/** Shared by all records: creating a function for each took three times as long. */
const data: PropertyDescriptor = {
  get(this: object) {
    return LazyData.of(this);
  },
  enumerable: true,
  configurable: true,
};

/**
 * Adds the data in a line of JSON to a record. It is parsed when it is used, which is rare.
 * @param names the path to the data, from the outermost member
 * @param ids are shortened in the data
 */
export function giveDataInLine(record: NoData, line: string, names: readonly string[], ids: ShortSessionIds): void {
  giveLazyData(record, () => valueAt(line, names, (json) => ids.inJson(json, record.sessionId)));
}

/** Adds data that is stored separately to a record. */
export function giveDataBeside(record: NoData, value: unknown, ids: ShortSessionIds): void {
  giveLazyData(record, () => ids.inValue(value, record.sessionId));
}

function giveLazyData(record: NoData, read: () => unknown): void {
  Object.defineProperty(record, 'data', data);
  new LazyData(record, read);
}

function valueAt(line: string, names: readonly string[], shorten: (json: string) => string): unknown {
  try {
    let value = JSON.parse(shorten(withoutByteOrderMark(line))) as unknown;
    for (const name of names) value = (value as Readonly<Record<string, unknown>> | null)?.[name];
    return value;
  } catch {
    return undefined;
  }
}
