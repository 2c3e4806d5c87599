import assert from 'node:assert/strict';
import { Redactor } from '../../../src/redact/redactor';
import { hidesAs, keeps } from '../../support/redactionRows';

const password = 'Tq7vRz2mKw';
const token = 'b7Fq2XzT9mLk4VwR8nYc1HdJ6sGpQ3eA';

/** A line with the places of secrets as `~`, and as `#` for those that are a token's length. */
function written(line: string, forPassword: string, forToken: string): string {
  return line.replace(/~/g, () => forPassword).replace(/#/g, () => forToken);
}

describe('secrets at a fixed place', () => {
  for (const line of [
    'htpasswd -b /etc/nginx/.htpasswd deploy ~',
    'htpasswd -nbB ci ~',
    "htpasswd -c -b ./users anna '~'",
    '$ sqlplus scott/~@//db:1521/ORCL',
    'sqlplus -s app/~@ORCL @migrate.sql',
    'jdbc:oracle:thin:app/~@db:1521:ORCL',
    'rabbitmqctl add_user worker ~',
    "smbclient //nas/share -U 'CORP\\anna%~'",
    'http -a anna:~ GET https://api.example.com/me',
    'openssl passwd -6 -salt xyz ~',
    'openssl enc -aes-256-cbc -k ~ -in a -out b',
    'security add-generic-password -a anna -s svc -w ~',
    'security unlock-keychain -p ~ login.keychain',
    'vault login #',
    'dotnet nuget push a.nupkg -k # -s https://api.nuget.org',
    'echo ~ | sudo -S apt-get install jq',
    "echo '~' | sudo -S -k systemctl restart nginx",
    "printf '%s\\n' ~ | sudo -S true",
    'echo "root:~" | sudo chpasswd',
    'echo ~ | passwd --stdin anna',
    'echo ~ | docker login -u ci --password-stdin',
    'echo # | gh auth login --with-token',
    'echo -n "~" | gcloud secrets create db --data-file=-',
    'wrangler secret put API_KEY <<< "~"',
    'expect "password:"; send "~\\r"; interact',
    "requests.get(url, auth=('anna', '~'))",
    "HTTPBasicAuth('anna', '~')",
    'new NetworkCredential(user, "~")',
    'DriverManager.getConnection("jdbc:mysql://db/shop", "app", "~")',
    "INSERT INTO users (name, email, password) VALUES ('anna', 'a@example.com', '~');",
    "insert into `keys`(id, token)\nvalues (1, '#'), (2, '#')",
    "CREATE USER 'app'@'h' IDENTIFIED WITH mysql_native_password BY '~';",
    'alter user app identified by "~"',
    "CREATE DATABASE LINK r CONNECT TO app IDENTIFIED BY ~ USING 'ORCL'",
    'mongo --host db -u admin -p ~',
    'twine upload -u __token__ -p # dist/*',
    'useradd -m -p ~ anna',
    'mosquitto_pub -h mq -u sensor -P ~ -t a -m b',
    'requirepass ~',
    'rootpw ~',
    'cookies={"sessionid": "#", "theme": "dark"}',
    'variable "db_password" { default = "~" }',
    '<setting name="secret" serializeAs="String"><value>~</value></setting>',
  ]) {
    hidesAs(line, [[written(line, password, token), written(line, '[redacted]', '[redacted]')]]);
  }

  it('are found in all cookies of a request', () => {
    const text = `curl -b 'theme=dark; session=${token}' https://example.com`;
    assert.equal(new Redactor().line(text), "curl -b '[redacted]' https://example.com");
  });

  it('are found in the list of arguments of a program', () => {
    const redact = (words: readonly string[]): string => new Redactor().line(JSON.stringify({ args: words }));
    assert.equal(
      redact(['htpasswd', '-b', 'f', 'anna', password]),
      '{"args":["htpasswd","-b","f","anna","[redacted]"]}',
    );
    assert.equal(redact(['smbclient', '-U', `anna%${password}`]), '{"args":["smbclient","-U","anna%[redacted]"]}');
  });

  keeps([
    'htpasswd -c /etc/nginx/.htpasswd deploy',
    'htpasswd -b file user password',
    'sqlplus / as sysdba, sqlplus scott@//db:1521/ORCL',
    'rabbitmqctl add_user USER $PASSWORD',
    'smbclient -L //nas -N, lftp -u anna ftp.example.com',
    'mc alias set minio $URL $ACCESS $SECRET',
    'openssl passwd -6, openssl enc -d -in a -out b1234567',
    'snmpwalk -v2c -c public 10.0.0.1',
    'cargo login to crates.io, vault login -method=github, snyk auth to log in',
    'codecov upload-process -t unit, vercel -t',
    'curl -b cookies.txt -c cookies.txt https://example.com',
    'echo done | tee build.log; echo "$CR_PAT" | docker login --password-stdin',
    'echo "deb1234 https://example.com" | sudo tee /etc/apt/sources.list',
    'cat pw.txt | sudo -S true; sudo -S -v',
    'expect "password:" then send the answer',
    "auth=('user', getpass()), server.login(user, password)",
    "crypto.createHmac('sha256', secret), HTTPBasicAuth(user, password)",
    "socket.connect('127.0.0.1', 8080, 'client42')",
    "INSERT INTO users (name, email) VALUES ('anna', 'Tq7vRz2mKw'); INSERT INTO users (password) VALUES (?)",
    'Object.values(password7), users identified by "email", identified by their id7',
    "useradd -m -p '' anna7",
    'requirepass is not set; set password policy to strict',
    'cookies = { path: "/", domain: "example.com" }',
    'variable "region" { default = "eu-central-1" }',
    'AUTH PLAIN LOGIN CRAM-MD5',
  ]);
});
