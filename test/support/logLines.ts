import fc from 'fast-check';

/** A secret value that some of the lines contain. */
export const knownSecret = 'Zt5mQw8rXv1nKp4sLd7fGh2jBc9e';

/** Mostly the first, occasionally the second. */
function mostly<T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 15, arbitrary: usual }, { weight: 1, arbitrary: odd });
}

const plain = fc.constantFrom(
  ...['\\n', '\\"', '\\\\', '\\u00e9', '\\ud83d\\ude00'],
  ...'read passed tokens größe ✓ 日本 { : info db ='.split(' '),
  'the file',
);
/** Values that look like something else. */
const strange = fc.constantFrom(
  ...['api_key', 'password', 'hunter22hunter22', `sk-ant-api03-${knownSecret}`, knownSecret, 'Bearer abcdefghijklmnop'],
  ...['\\x', '\\', '\\u00g9', '\\ud800', '\u00a0', '\t', '\u0001', '}}', '@', '', 'https://user:pa55word55@host/'],
);
const text = fc.array(mostly(plain, strange), { maxLength: 4 }).map((pieces) => `"${pieces.join(' ')}"`);
const name = mostly(fc.constantFrom('"agent"', '"db"', '"größe"'), text);
const number = mostly(fc.constantFrom('1', '-0.5e+3', 'true', 'null', '0'), fc.constantFrom('01', 'nul', '+1', '1.'));
const deep = mostly(
  fc.constantFrom('[]', '{}', '[1,{"a":[]}]', '{"a":{"b":1}}', '{"a": 1}'),
  fc.constantFrom('[1,]', '{"a":}', '{a:1}', '{"a":1,}', '{"a" 1}'),
);
const time = mostly(
  fc.constant('"2026-01-05T09:00:00.000Z"'),
  fc.constantFrom(
    ...['"2026-02-30T24:00:00.000Z"', '"2026-13-05T09:00:00.000Z"', '"yesterday"', '"2026-02-30T09:00:00.000Z"'],
    ...['"2026-01-05T09:60:00.000Z"', '"2026-01-05T09:00:00+01:00"', '1767603600000', '"2026-01-05T09:00:00.00!Z"'],
  ),
);
const fieldOfData = mostly(
  fc.constantFrom('"file"', '"ms"', '"name"', '"value"'),
  fc.constantFrom('"apiKey"', 'bare', '""'),
);
const object = fc
  .array(fc.tuple(fieldOfData, fc.oneof(text, number, deep)), { maxLength: 3 })
  .map((members) => `{${members.map(([field, value]) => `${field}:${value}`).join(',')}}`);
const level = mostly(fc.constantFrom('"debug"', '"info"', '"warning"', '"warn"'), fc.constantFrom('"loud"', '7', '""'));
const sessionId = mostly(
  fc.constantFrom('"5e551017-0000-4000-8000-000000000001"', '"s2"', '"s3"'),
  fc.constantFrom('""', 'null', `"${knownSecret}"`),
);

type Member = readonly [name: string, value: string];

function member(field: string, value: fc.Arbitrary<string>): fc.Arbitrary<Member> {
  return value.map((one): Member => [field, one]);
}

const usualMembers = fc.tuple(
  member('level', level),
  member('message', mostly(text, number)),
  member('sessionId', sessionId),
  member('logger', name),
  member('timestamp', time),
  member('data', fc.oneof(object, text, number, deep)),
);
const oddMember = fc.oneof(
  member('extra', number),
  member('level', level),
  member('_meta', deep),
  member('data', text),
);

/** Mostly members of the proposal, each once and in any order; occasionally others, or duplicates. */
const params = fc
  .tuple(usualMembers, mostly(fc.constant<Member[]>([]), fc.array(oddMember, { minLength: 1, maxLength: 1 })))
  .chain(([[one, two, ...more], odd]) => fc.tuple(fc.constant([one, two, ...odd]), fc.subarray(more)))
  .chain(([needed, more]) =>
    mostly(
      fc.shuffledSubarray([...needed, ...more], { minLength: needed.length + more.length }),
      fc.shuffledSubarray([...needed, ...more]),
    ),
  );

const line = fc
  .tuple(
    mostly(fc.constant('"2.0"'), fc.constantFrom('"1.0"', '2')),
    mostly(fc.constantFrom('"log"', '"_agent-logs/log"'), fc.constantFrom('"session/update"', '"lo\\u0067"')),
    params,
    fc.constantFrom('', '', ' '),
    mostly(fc.constantFrom('', '\r'), fc.constantFrom(' ', 'x', '}')),
    mostly(fc.constant(''), fc.constantFrom(',"id":1', ',"extra":1', ',"method":"log"')),
    fc.boolean(),
  )
  .map(([version, method, members, space, end, more, isMethodLast]) => {
    const fields = members.map(([field, value]) => `"${field}":${space}${value}`).join(`,${space}`);
    const parts = [`"method":${space}${method}`, `"params":${space}{${fields}}`];
    if (isMethodLast) parts.reverse();
    return `{"jsonrpc":${space}${version},${space}${parts.join(`,${space}`)}${more}}${end}`;
  });

/** Lines of log notifications, mostly valid, in chunks that may break anywhere, even within a character. */
export const logLineChunks: fc.Arbitrary<readonly Buffer[]> = fc
  .tuple(
    fc.array(line, { minLength: 1, maxLength: 12 }),
    fc.array(fc.nat(4000), { maxLength: 3 }),
    mostly(fc.constant(undefined), fc.tuple(fc.nat(2000), fc.nat(255))),
  )
  .map(([lines, cuts, damage]) => {
    const bytes = Buffer.from(`${lines.join('\n')}\n`);
    if (damage && damage[0] < bytes.length) bytes[damage[0]] = damage[1];
    const places = [0, ...cuts.map((cut) => cut % bytes.length).sort((a, b) => a - b), bytes.length];
    return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
  });

/** A log notification with these fields. */
export function logOf(fields: object): string {
  return JSON.stringify({ jsonrpc: '2.0', method: 'log', params: { level: 'info', message: 'hello', ...fields } });
}

/** The first request and its answer. `asked` is the level that the client asks for, if it asks for log messages. */
export function greeting(
  asked: string | undefined,
  protocol: 'acp' | 'mcp',
): readonly (readonly [dir: 'c2a' | 'a2c', msg: object])[] {
  const logging = asked === undefined ? {} : { logging: { level: asked } };
  const answered =
    protocol === 'acp'
      ? { agentCapabilities: {} }
      : { capabilities: asked === undefined ? {} : { logging: {} }, serverInfo: { name: 's', version: '1' } };
  const params = { protocolVersion: 1, clientCapabilities: logging };
  return [
    ['c2a', { jsonrpc: '2.0', id: 1, method: 'initialize', params }],
    ['a2c', { jsonrpc: '2.0', id: 1, result: { protocolVersion: 1, ...answered } }],
  ];
}
