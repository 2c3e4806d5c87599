import { hides, hidesAs, inNestedJson, keeps } from '../../support/redactionRows';

describe('redaction of names and values that a layout joins', () => {
  const rows = [
    ['user: app\npassword: |\n  ', 'wintergreen-Falls7', '\nport: 5432'],
    ['api_key: >-\n    ', 'Zk3vQ9xT7mB2pLw8RnYc', '\n'],
    ['secret: |2- # the first\n\n      ', 'correct horse battery staple', '\nnext: 1'],
    ['db:\n  db_password:\n    ', 'wintergreen7', '\n  host: db'],
    ['access_key:\n  "', 'AbCdEf-7712-xYz', '"\n'],
    ['Your new API key:\n\n```\n', 'Zk3vQ9xT7mB2pLw8RnYc', '\n```\nKeep it safe.'],
    ['| `DB_PASSWORD` | `', 'tundra-Moss88', '` |'],
    ['| Setting | Value |\n|---|---|\n| **API key** | ', 'Zk3vQ9xT7mB2pLw8RnYc', ' |'],
    ['| name | password |\n|---|---|\n| anna | ', 'wintergreen7', ' |'],
    [' id | secret  \n----+---------\n  1 | ', 'glass-River9', '\n(1 row)'],
    ['+------+--------------+\n| user | password     |\n+------+--------------+\n| root | ', 'glass-River9', ' |'],
    ['User Name,Password,Access key ID,Secret access key\r\nci,,AKIX,', 'Zk3vQ9xT7mB2pLw8RnYc', '\r\n'],
    ['"url","password","note"\n"https://x.io","', 'glass-River9', '",""\n'],
    ['host\tuser\tpassword\ndb\tapp\t', 'glass-River9', '\n'],
    ['<input type="password" name="pw" id="pw" value="', 'glass-River9', '" class="x">'],
    ["<input value='", 'glass-River9', "' type='password'/>"],
    ['<input type=hidden name=csrf_token value=', 'Zk3vQ9xT7mB2pLw8RnYc', '>'],
  ];
  hides(rows, inNestedJson);

  for (const [before, after] of [
    [
      'apiVersion: v1\ndata:\n  pw: d2ludGVyZ3JlZW4=\n  user: "YW5uYQ=="\nkind: Secret\nmetadata:\n  name: db',
      'apiVersion: v1\ndata:\n  pw: [redacted]\n  user: "[redacted]"\nkind: Secret\nmetadata:\n  name: db',
    ],
    [
      'kind: Secret\nstringData:\n  text: hello world\n  cert: |\n    line one\n    line two\n---\ndata:\n  plain: a',
      'kind: Secret\nstringData:\n  text: [redacted]\n  cert: |\n    [redacted]\n    [redacted]\n---\ndata:\n  plain: a',
    ],
    [
      '{"items":[{"data":{"a":"YW5uYQ=="},"kind":"Secret"},{"data":{"a":"plain"},"kind":"ConfigMap"}]}',
      '{"items":[{"data":{"a":"[redacted]"},"kind":"Secret"},{"data":{"a":"plain"},"kind":"ConfigMap"}]}',
    ],
    ['~ password = "tundra-Moss88" -> "glass-River9"', '~ password = "[redacted]" -> "[redacted]"'],
    ['password changed: Zk3VtR2xLb → Qm3xV7tRk2', 'password changed: [redacted] → [redacted]'],
  ] as const) {
    hidesAs(before, [[before, after]]);
  }

  const table = (first: string, second: string): string =>
    `| user | password | token |\n|---|---|---|\n| a | ${first} | ${second} |\n| b | ${first} | ${second} |`;
  hidesAs('each row of each column that is named for a secret', [
    [table('glass-River9', 'Zk3vQ9xT7mB2pLw8'), table('[redacted]', '[redacted]')],
  ]);

  keeps([
    'password: |\n  The password of the user, at least 8 characters',
    'password:\n  type: string\n  minLength: 8',
    'Password:\nLast login: Mon Nov 20 10:00:00 on ttys001',
    'case token:\n  parseToken2(x);',
    '| Option | Type |\n|---|---|\n| password | varchar(255) |\n| apiKey | string |',
    '| Token | Count |\n|---|---|\n| the | 1203 |',
    '| name | password |\n|---|---|\n| anna | ******** |\n\nSee page2',
    'name,password\nanna,none',
    'SELECT id, password\nFROM users, x3y4z5',
    '<input type="password" name="password" placeholder="Password" value="">',
    '<input type="password" value={form.password} />',
  ]);
});
