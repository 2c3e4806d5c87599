import { withoutByteOrderMark } from './byteOrderMark';
import type { LogRecord } from './record';

/** Constructs nothing: fields of a class derived from it become those of the object it is given, which stays as plain as it was. */
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

/** One for all records: with a function of its own each took three times as long to make. */
const data: PropertyDescriptor = {
  get(this: object) {
    return LazyData.of(this);
  },
  enumerable: true,
  configurable: true,
};

/** Gives a record data that is read when it is looked at, which it mostly is not. */
export function giveLazyData(record: Omit<LogRecord, 'data'>, read: () => unknown): void {
  Object.defineProperty(record, 'data', data);
  new LazyData(record, read);
}

/**
 * The data in a line of JSON.
 * @param names lead to it, from the outermost
 */
export function dataInLine(json: string, names: readonly string[]): unknown {
  try {
    let value = JSON.parse(withoutByteOrderMark(json)) as unknown;
    for (const name of names) value = (value as Readonly<Record<string, unknown>> | null)?.[name];
    return value;
  } catch {
    return undefined;
  }
}
