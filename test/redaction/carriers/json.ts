import { group } from './carrier';

function nested(name: string, value: string, depth: number): string {
  let text = JSON.stringify({ status: 200, [name]: value });
  for (let level = 0; level < depth; level++) text = JSON.stringify({ body: text });
  return text;
}

const digits = ['digits'] as const;

export const json = group('JSON', { styles: ['camel', 'snake', 'upper', 'kebab', 'lower'] }, [
  ['object', (name, value) => JSON.stringify({ id: 7, [name]: value, enabled: true })],
  ['pretty', (name, value) => JSON.stringify({ region: 'eu', settings: { [name]: value, port: 80 } }, undefined, 2)],
  ['in a sentence', (name, value) => `config loaded: ${JSON.stringify({ port: 80, [name]: value })} in 3 ms`],
  ['in a string', (name, value) => nested(name, value, 1), { depth: 1 }],
  ['in a string, 2 deep', (name, value) => nested(name, value, 2), { depth: 2 }],
  ['in a string, 3 deep', (name, value) => nested(name, value, 3), { depth: 3 }],
  ['in a string, 4 deep', (name, value) => nested(name, value, 4), { depth: 4 }],
  ['with blanks', (name, value) => `{ "a" : 1 , ${JSON.stringify(name)} : ${JSON.stringify(value)} }`],
  ['number', '{"user":"app","%n":%v,"port":5432}', { kinds: digits }],
  ['name and value', (name, value) => JSON.stringify([{ name, value }]), { styles: ['upper', 'kebab'] }],
  ['value and name', (name, value) => JSON.stringify({ value, name }), { styles: ['upper', 'kebab'] }],
  ['list of values', (name, value) => JSON.stringify({ [name]: [value] })],
  ['data', (name, value) => JSON.stringify({ request: { [name]: value, retries: 2 } }), { isData: true }],
  ['data, in a string', (name, value) => JSON.stringify({ body: nested(name, value, 0) }), { isData: true }],
]);
