import { hides, keeps } from '../../support/redactionRows';

describe('redaction of command lines', () => {
  hides([
    ['docker login -u ci -p ', 'wintergreen', ' registry.example.com'],
    ['az login --service-principal -u 1234 -p ', 'wintergreen', ' --tenant x'],
    ['mysql -u root -p', 'wintergreen', ' app'],
    ["mysqldump -h db -uroot -p'", 'correct horse', "' app"],
    ['redis-cli -h cache -a ', 'wintergreen', ' ping'],
    ['ldapsearch -x -D cn=admin -w ', 'wintergreen', ' -b dc=x'],
    ['openssl rsa -in k.pem -passin pass:', 'wintergreen', ' -out o.pem'],
    ['["mysql","-h","db","-uroot","-p', 'wintergreen', '","app"]'],
    ['["docker", "login", "-u", "ci", "-p", "', 'wintergreen', '"]'],
    ["run(['redis-cli', '-a', '", 'wintergreen', "', 'ping'])"],
    ['sqlcmd -S db -U sa -P ', 'wintergreen', ' -Q x'],
    ['unzip -P ', 'wintergreen', ' a.zip'],
    ["$pw = ConvertTo-SecureString -String '", 'wintergreen', "' -AsPlainText"],
    ["ALTER LOGIN sa WITH PASSWORD = N'", 'wintergreen7', "';"],
    ['gh secret set NPM_TOKEN --body "', 'wintergreen', '"'],
    ['Set-Item -Path Env:SLACK_TOKEN -Value ', 'wintergreen7', ''],
    ['{"command":"docker","args":["login","-u","ci","-p","', 'wintergreen', '"]}'],
    ["await page.fill('#password', '", 'wintergreen7', "');"],
    ["page.getByRole('textbox', { name: 'Password' }).fill('", 'wintergreen7', "');"],
    ['find(By.ID, "password").send_keys("', 'wintergreen7', '")'],
    ['{"element":"Password textbox","ref":"e12","text":"', 'wintergreen7', '"}'],
    ['{"text":"', 'wintergreen7', '","element":"Password input field"}'],
    ['<setting name="ClearTextPassword"><value>', 'wintergreen7', '</value></setting>'],
    ['<meta name="csrf-token" content="', 'b7Fq2XzT9mLk4VwR', '">'],
    ['["password"]=> string(10) "', 'wintergreen7', '" }'],
    ['https://api.telegram.org/', 'bot1234567890:AAFxK9q3vTz8wLmN2pRsYdE7uJgHcBf4AoQ', '/sendMessage'],
    ['[Peer]\nPresharedKey = ', 'yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=', ''],
    ['ansible_become_pass: ', 'wintergreen7', ''],
    ['Passwort: ', 'wintergreen7', ''],
  ]);

  keeps([
    'docker run -p 8080:80 app',
    'mysql -p app',
    'git log -p src',
    'grep -w password x.txt',
    'scp -P 2222 a.zip host:',
    "await page.fill('#password', process.env.PASSWORD); await page.getByLabel('Password').fill(password);",
    '{"element":"Search box","text":"password7 docs"}',
    'gh secret set NPM_TOKEN --body "$NPM_TOKEN"',
    "cy.get('[name=password]').should('be.visible7')",
    '["mysql","-P","3306","-p"]',
  ]);
});
