// Reads OTLP's protobuf messages by their definitions (opentelemetry-proto 1.9), as objects of its JSON mapping.

/** A field: its name, and its type or the fields of its message. A list if it is repeated. */
type Field = readonly [
  name: string,
  type: 'string' | 'id' | 'int' | 'bool' | 'double' | 'fixed' | Message,
  isList?: 'list',
];
interface Message {
  readonly [number: number]: Field;
}

const values: { [number: number]: Field } = {};
const anyValue: Message = {
  1: ['stringValue', 'string'],
  2: ['boolValue', 'bool'],
  3: ['intValue', 'int'],
  4: ['doubleValue', 'double'],
  5: ['arrayValue', values],
};
values[1] = ['values', anyValue, 'list'];
const attribute: Message = { 1: ['key', 'string'], 2: ['value', anyValue] };
const resource: Message = { 1: ['attributes', attribute, 'list'], 2: ['droppedAttributesCount', 'int'] };
const scope: Message = { 1: ['name', 'string'], 2: ['version', 'string'] };
const log: Message = {
  1: ['timeUnixNano', 'fixed'],
  2: ['severityNumber', 'int'],
  3: ['severityText', 'string'],
  5: ['body', anyValue],
  6: ['attributes', attribute, 'list'],
  7: ['droppedAttributesCount', 'int'],
  8: ['flags', 'fixed'],
  9: ['traceId', 'id'],
  10: ['spanId', 'id'],
  11: ['observedTimeUnixNano', 'fixed'],
};
const link: Message = {
  1: ['traceId', 'id'],
  2: ['spanId', 'id'],
  3: ['traceState', 'string'],
  4: ['attributes', attribute, 'list'],
  5: ['droppedAttributesCount', 'int'],
  6: ['flags', 'fixed'],
};
const span: Message = {
  1: ['traceId', 'id'],
  2: ['spanId', 'id'],
  3: ['traceState', 'string'],
  4: ['parentSpanId', 'id'],
  5: ['name', 'string'],
  6: ['kind', 'int'],
  7: ['startTimeUnixNano', 'fixed'],
  8: ['endTimeUnixNano', 'fixed'],
  9: ['attributes', attribute, 'list'],
  10: ['droppedAttributesCount', 'int'],
  12: ['droppedEventsCount', 'int'],
  13: ['links', link, 'list'],
  14: ['droppedLinksCount', 'int'],
  15: ['status', { 2: ['message', 'string'], 3: ['code', 'int'] }],
  16: ['flags', 'fixed'],
};
const requests: Readonly<Record<string, Message>> = {
  '/v1/logs': {
    1: [
      'resourceLogs',
      { 1: ['resource', resource], 2: ['scopeLogs', { 1: ['scope', scope], 2: ['logRecords', log, 'list'] }, 'list'] },
      'list',
    ],
  },
  '/v1/traces': {
    1: [
      'resourceSpans',
      { 1: ['resource', resource], 2: ['scopeSpans', { 1: ['scope', scope], 2: ['spans', span, 'list'] }, 'list'] },
      'list',
    ],
  },
};

/** An export request of a signal. @throws for bytes that its definition doesn't allow */
export function requestOf(path: string, body: Buffer): object {
  const message = requests[path];
  if (!message) throw new Error(`no message for ${path}`);
  return read(message, new Reader(body));
}

/** The response that rejects some items. */
export function partialSuccess(rejected: number, message: string): Buffer {
  const text = Buffer.from(message);
  const inner = Buffer.concat([Buffer.from([0x08, ...varint(rejected), 0x12, ...varint(text.length)]), text]);
  return Buffer.concat([Buffer.from([0x0a, ...varint(inner.length)]), inner]);
}

function varint(number: number): number[] {
  return number < 128 ? [number] : [(number % 128) + 128, ...varint(Math.floor(number / 128))];
}

function read(message: Message, reader: Reader): object {
  const found: Record<string, unknown> = {};
  while (!reader.isAtEnd) {
    const tag = Number(reader.varint());
    const raw = reader.value(tag % 8);
    const field = message[Math.floor(tag / 8)];
    if (!field) throw new Error(`unknown field ${Math.floor(tag / 8)}`);
    const [name, type, isList] = field;
    const value = valueOf(type, raw);
    if (isList) found[name] = [...((found[name] as unknown[] | undefined) ?? []), value];
    else found[name] = value;
  }
  return found;
}

function valueOf(type: Field[1], raw: Buffer | bigint): unknown {
  if (typeof raw === 'bigint') {
    if (type === 'bool') return raw === 1n;
    if (type !== 'int') throw new Error(`a varint isn't of type ${JSON.stringify(type)}`);
    return Number(BigInt.asIntN(64, raw));
  }
  if (typeof type === 'object') return read(type, new Reader(raw));
  switch (type) {
    case 'string':
      return new TextDecoder('utf-8', { fatal: true }).decode(raw);
    case 'id':
      return raw.toString('hex');
    case 'double':
      return raw.readDoubleLE();
    case 'fixed':
      return raw.length === 8 ? raw.readBigUInt64LE().toString() : raw.readUInt32LE();
    default:
      throw new Error(`${type} isn't a varint`);
  }
}

class Reader {
  private at = 0;

  constructor(private readonly bytes: Buffer) {}

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.bytes.readUInt8(this.at++);
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  }

  /** @param wireType 0: varint, 1: 64 bits, 2: with its length before it, 5: 32 bits */
  value(wireType: number): Buffer | bigint {
    if (wireType === 0) return this.varint();
    const length = wireType === 1 ? 8 : wireType === 5 ? 4 : Number(this.varint());
    if (this.at + length > this.bytes.length) throw new Error('cut');
    return this.bytes.subarray(this.at, (this.at += length));
  }
}
