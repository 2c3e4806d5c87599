import { setOf } from '../../../work/failures/commandLine';

/**
 * What a tool call is for. `look`: read or search something here. `fetch`: read something elsewhere. `probe`: ask whether a program is there. `files`:
 * copy, move or create files. `stop`: end a process. `vcs`: version control.
 */
export type Purpose =
  | 'test'
  | 'build'
  | 'lint'
  | 'install'
  | 'look'
  | 'fetch'
  | 'edit'
  | 'files'
  | 'stop'
  | 'vcs'
  | 'probe'
  | 'delegate'
  | 'run'
  | 'other';

const programs: Readonly<Partial<Record<Purpose, ReadonlySet<string>>>> = {
  test: setOf(`
    jest vitest mocha ava tap tape jasmine karma pytest py.test tox nose2 nosetests unittest rspec minitest phpunit pest
    ctest playwright cypress wdio bats behave cucumber prove nextest robot stryker testcafe detox hurl k6 runtests
  `),
  build: setOf(`
    tsc vue-tsc vite webpack rollup esbuild tsup parcel swc babel next nuxt make gmake cmake ninja meson bazel gcc g++ cc c++
    clang clang++ rustc javac kotlinc scalac sbt msbuild xcodebuild swiftc zig ant buck pants javadoc protoc typedoc sphinx-build
    mkdocs hugo jekyll latexmk pdflatex
  `),
  lint: setOf(`
    eslint ruff flake8 pylint mypy pyright black isort prettier clippy rustfmt golangci-lint gofmt stylelint biome shellcheck
    rubocop ktlint hadolint yamllint markdownlint tflint swiftlint standard xo oxlint phpstan psalm checkstyle detekt bandit
    vulture knip lychee linkinator markdown-link-check htmlproofer muffet vale ansible-lint actionlint pre-commit dprint clang-format clang-tidy cspell
  `),
  install: setOf(
    'pip pipx gem apt apt-get aptitude brew yum dnf apk pacman zypper snap choco winget scoop conda mamba',
  ),
  look: setOf(`
    cat bat head tail less more ls ll dir tree find fd fdfind grep egrep fgrep rg ag ack findstr stat file wc du df sed awk jq yq xxd
    hexdump od strings nl realpath readlink basename dirname diff cmp column sort uniq cut type env printenv ps pgrep lsof ss
    netstat uname whoami id date hostname free uptime journalctl dmesg tac man history exiftool pdftotext pdfinfo
    Get-Content Get-ChildItem Select-String gc gci test [ [[ md5sum sha256sum nproc lscpu top groups locale
  `),
  fetch: setOf(
    'curl wget http https httpie xh aria2c lynx w3m Invoke-WebRequest iwr irm ping dig nslookup host telnet nc ncat',
  ),
  files: setOf(`
    cp mv rm mkdir rmdir ln touch chmod chown install rsync scp tar unzip zip gzip gunzip 7z bsdtar dd truncate tee patch
    Copy-Item Move-Item Remove-Item New-Item
  `),
  stop: setOf('kill pkill killall taskkill fuser Stop-Process'),
  probe: setOf('which where whereis command hash Get-Command pg_isready'),
  run: setOf(
    'python node ruby perl php deno bun tsx ts-node bash sh zsh java dotnet-script lua R Rscript julia go-run osascript pwsh',
  ),
  vcs: setOf('git hg svn jj'),
};

/** By the name of a script (`npm run NAME`), a target (`make NAME`) or a subcommand (`cargo NAME`). */
const names: readonly (readonly [Purpose, RegExp])[] = [
  [
    'test',
    /^(?:t|tst|(?:unit|e2e|integration|smoke|acceptance|ci|run|all)?[-_:]?tests?|e2e|specs?|check|verify|coverage|unit|integration|nextest|vitest|jest|mocha)(?:$|[-_:.])|[-_:]tests?$/i,
  ],
  ['lint', /^(?:lint|eslint|clippy|fmt|format|prettier|style|vet|ruff|mypy)(?:$|[-_:.])|[-_:](?:lint|format)$/i],
  [
    'build',
    /^(?:build|compile|bundle|dist|package|assemble|publish|all|doc|docs|typecheck|type-check|types|tsc|prebuild|classes|jar|generate|codegen)(?:$|[-_:.])|[-_:](?:build|compile|types|tsc)$/i,
  ],
  [
    'install',
    /^(?:i|ci|install|add|sync|restore|get|bootstrap|deps|dependencies|setup|fetch|up(?:date|grade)?|require)(?:$|[-_:.])/i,
  ],
];

/** Programs whose subcommands or targets say what they do. */
const builders = setOf(`
  cargo go dotnet mvn mvnw gradle gradlew make gmake just task rake mix swift flutter dart poetry uv pdm hatch bundle composer stack cabal
  zig deno bun npm pnpm yarn lerna nx turbo rush ninja bazel sbt lein manage.py tox nox invoke meson meteor ng vue expo pip pipx apt
  apt-get brew yum dnf apk gem conda mamba rustup nvm pyenv snap choco winget scoop pacman script
`);

/** Subcommands of version control that read. */
const readsHistory = setOf(
  'log show diff blame status grep ls-files rev-parse reflog describe shortlog cat-file ls-remote remote config branch tag',
);
/** Subcommands of other programs that read. */
const reads =
  /^(?:get|list|ls|show|view|describe|status|logs?|ps|info|inspect|search|find|history|images|top|whoami|tree|why|outdated|audit|help|config|diff|read|query|fetch)$/i;
/** The only arguments of a command that asks whether its program is there. */
export const asksForVersion = /^(?:-v|-V|--?version|version|--?help|-h|help)$/;

/** Whether a program's first argument may be a subcommand. */
export function hasSubcommands(program: string): boolean {
  const without = ['look', 'fetch', 'files', 'stop', 'probe', 'run', 'test', 'lint'] as const;
  return !without.some((purpose) => programs[purpose]?.has(program) === true);
}

/** What a command is for. @param verb its subcommand, if it has one @param args what follows */
export function purposeOf(program: string, verb: string, args: readonly string[]): Purpose {
  if (program === 'docker' && /^(?:image )?build|^compose build|^buildx/.test(verb)) return 'build';
  if (programs.vcs?.has(program) === true) return readsHistory.has(verb) ? 'look' : 'vcs';
  if (program === 'node' && args.includes('--test')) return 'test';
  if (builders.has(program)) {
    const word = verb === '' ? (args[0] ?? '') : verb;
    const found = names.find(([, pattern]) => pattern.test(word))?.[0];
    if (found) return found;
    if (verb === '' && program === 'yarn') return 'install';
    if (program === 'mvn' || program === 'mvnw') return 'build';
    if (reads.test(verb)) return 'look';
  }
  for (const [purpose, set] of Object.entries(programs)) if (set.has(program)) return purpose as Purpose;
  if (reads.test(verb)) return 'look';
  return ofScript(program) ?? 'other';
}

/** A script that is run by its path: `./run-tests.sh`. */
function ofScript(program: string): Purpose | undefined {
  const name = /^(.{1,60})\.(?:sh|py|js|mjs|cjs|ts|rb|pl|ps1|bat|cmd|php|exe|bin)$/i.exec(program)?.[1];
  return name === undefined ? undefined : (nameOfScript(name) ?? 'run');
}

/** What a script is for, by its name: `run-tests`. */
export function nameOfScript(name: string): Purpose | undefined {
  const plain = name.replace(/^(?:run|do|exec)[-_]?/i, '');
  return names.find(([purpose, pattern]) => purpose !== 'install' && pattern.test(plain))?.[0];
}

const toolNames: readonly (readonly [Purpose, RegExp])[] = [
  ['delegate', /^(?:task|agent|wait|delegate|spawn|dispatch|invoke agent|run agent)\b|\b(?:sub ?)?agents?\b/],
  ['stop', /\b(?:kill|stop|terminate)\b/],
  ['test', /\b(?:run|execute)? ?tests?\b/],
  ['lint', /\blint|\bdiagnostics\b|\bproblems\b/],
  ['build', /\b(?:build|compile)\b/],
  [
    'edit',
    /\b(?:edit|multi ?edit|write|replace|patch|apply|insert|create file|update file|save file|file change|delete file|move file|rename file|editor|str replace|notebook|modify|append)\b/,
  ],
  ['fetch', /\b(?:web|url|browse|browser|navigate|http|download|crawl|scrape)\b|\bfetch\b/],
  [
    'look',
    /\b(?:read|view|open|cat|ls|list|glob|grep|find|search|get|query|show|describe|look|tree|stat|symbols?|outline|todo)\b/,
  ],
];

/** What a tool is for, by its name: `read_file`, `readFile`, `mcp__jira__get_issue`. */
export function purposeOfTool(name: string): Purpose {
  const words = name
    .slice(0, 100)
    .replace(/([a-z])(?=[A-Z])/g, '$1 ')
    .replace(/[_.\-/]+/g, ' ')
    .toLowerCase()
    .trim();
  return toolNames.find(([, pattern]) => pattern.test(words))?.[0] ?? 'other';
}

/** Programs that can stand in for each other. */
const alike: readonly ReadonlySet<string>[] = [
  setOf('jq yq python node ruby perl'),
  setOf('docker podman nerdctl'),
  setOf('xdg-open open start'),
  setOf('psql mysql sqlite3 mariadb'),
  setOf('unzip tar 7z bsdtar python gunzip'),
  setOf('make gmake just ninja cmake'),
  setOf('npm pnpm yarn bun script'),
  setOf('vim nano sed'),
  setOf('timeout gtimeout'),
];

export function areAlike(one: string, other: string): boolean {
  return one === other || alike.some((group) => group.has(one) && group.has(other));
}

/** Whether a call only read or searched something. */
export function lookOnly(attempts: readonly { readonly purpose: Purpose }[]): boolean {
  return attempts.length > 0 && attempts.every(({ purpose }) => purpose === 'look' || purpose === 'fetch');
}
