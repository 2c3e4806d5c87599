import { withoutByteOrderMark } from '../jsonText';
import type { LogRecord } from '../record';
import type { ShortSessionIds } from './shortSessionIds';

type NoData = Omit<LogRecord, 'data'>;

/** Constructs nothing: the fields of a derived class become fields of the object it is given, which stays a plain object. */
const Given = function (object: object) {
  return object;
} as unknown as new (object: object) => object;

/** Reads the data of a record when it is looked at. */
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

/** Shared by all records: a function for each took three times as long to make. */
const data: PropertyDescriptor = {
  get(this: object) {
    return LazyData.of(this);
  },
  enumerable: true,
  configurable: true,
};

/**
 * Gives a record the data in a line of JSON. It is parsed when it is looked at, which it mostly is not.
 * @param names lead to it, from the outermost
 * @param ids are shortened in it
 */
export function giveDataInLine(record: NoData, line: string, names: readonly string[], ids: ShortSessionIds): void {
  giveLazyData(record, () => valueAt(line, names, (json) => ids.inJson(json, record.sessionId)));
}

/** Gives a record data that is kept beside its line. */
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
