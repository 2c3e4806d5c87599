import assert from 'node:assert/strict';
import { runtimeTooOld } from '../../../../src/diagnosis/failures/runtimeTooOld';
import { inEnglish } from '../../../../src/text/translator';

const engines =
  "npm warn EBADENGINE   required: { node: '>=22' },\nnpm warn EBADENGINE   current: { node: 'v20.1.0', npm: '10' }\n";

/** What programs print, with what is said of it; `undefined` if nothing is too old. */
const texts: readonly (readonly [string, RegExp | undefined])[] = [
  ["SyntaxError: Unexpected token 'with'\n    at x\n\nNode.js v18.12.1", /^Node\.js 18\.12\.1 is probably too old/],
  ["SyntaxError: Unexpected token '}'\n    at x\n\nNode.js v24.1.0", undefined],
  ['This CLI requires Node.js version 20 or newer. You are running v16.14.0', /Node\.js 20, but runs with 16\.14\.0/],
  [
    'error x@1: The engine "node" is incompatible with this module. Expected version ">=20". Got "18.1.0"',
    />=20.*18\.1\.0/,
  ],
  ['npm error code EBADENGINE\nnpm error engine Not compatible: {"node":">=22"}', /It needs Node\.js >=22/],
  ["ERROR: Package 'x' requires a different Python: 3.8.10 not in '>=3.10'", /Python >=3\.10, but runs with 3\.8\.10/],
  ['Java 21 is required', undefined],
  ['This server requires Java 17 or later', /It needs Java 17/],
  ['go: go.mod requires go >= 1.23 (running go 1.20; GOTOOLCHAIN=local)', /Go 1\.23, but runs with 1\.20/],
  ["/lib/libc.so.6: version `GLIBC_2.34' not found (required by x)", /glibc 2\.34/],
  ['Error: connect ECONNREFUSED 127.0.0.1:80\n\nNode.js v18.12.1', undefined],
  [
    'SyntaxError: Unexpected token \'<\', "<!DOCTYPE "... is not valid JSON\n    at JSON.parse\n\nNode.js v20.11.0',
    undefined,
  ],
  ['SyntaxError: Unexpected end of JSON input\n    at JSON.parse\n\nNode.js v18.12.1', undefined],
  ['ReferenceError: settings is not defined\n    at x\n\nNode.js v20.11.0', undefined],
  ['ReferenceError: File is not defined\n    at x\n\nNode.js v18.20.0', /^Node\.js 18\.20\.0 is probably too old/],
  [
    "SyntaxError: The requested module './config.js' does not provide an export named 'load'\n\nNode.js v20.11.0",
    undefined,
  ],
  [
    "SyntaxError: The requested module 'node:fs' does not provide an export named 'glob'\n\nNode.js v20.11.0",
    /20\.11\.0/,
  ],
  [`${engines}Error: OPENAI_API_KEY is not set`, undefined],
  [`${engines}TypeError: Promise.withResolvers is not a function`, /It needs Node\.js >=22, but runs with v20\.1\.0/],
  [
    'Warning: versions published after January 2027\nwill require node >=22. You are running node v20.20.0.\nError: x',
    undefined,
  ],
  ['(node:4) Warning: the next major version requires Node.js 24\nError: no API key', undefined],
];

describe('runtimeTooOld', () => {
  for (const [text, said] of texts) {
    it(`${said ? 'recognizes' : 'ignores'} ${JSON.stringify(text.slice(0, 60))}`, () => {
      const found = runtimeTooOld(text);
      assert.equal(found !== undefined, said !== undefined);
      if (found && said) assert.match(inEnglish(found.advice), said);
    });
  }
});
