import type { ChildProcessByStdio } from 'node:child_process';
import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';

/**
 * Keeps a list of processes and process groups. When its stdin ends, its parent has exited for whatever reason: the listed targets get a moment to
 * notice that, then SIGTERM, then SIGKILL, with the processes below them. POSIX Shell Command Language; only `sleep` isn't built into the shell, and
 * `ps`, which is for systems without /proc.
 */
const script = `
trap '' HUP INT TERM
targets=' '
while read -r sign target; do
  case $sign in
    +) targets="$targets$target " ;;
    -) case $targets in *" $target "*) targets="\${targets%% $target *} \${targets#* $target }" ;; esac ;;
  esac
done
# The processes below the targets: wrappers end without them. Each line of the table is a PID and its parent.
table() {
  for stat in /proc/[0-9]*/stat; do
    read -r line <"$stat" && set -- \${line##*) } && echo "\${line%% *} $2"
  done 2>/dev/null
  [ -e /proc/1/stat ] || ps -A -o pid=,ppid=
}
below() {
  all=$(table)
  count=-1
  while [ "$count" -ne \${#targets} ]; do
    count=\${#targets}
    while read -r pid parent; do
      case $targets in
        *" $pid "*) ;;
        *" $parent "* | *" -$parent "*) targets="$targets$pid " ;;
      esac
    done <<EOF
$all
EOF
  done
}
below
left() {
  for target in $targets; do kill -s 0 -- "$target" 2>/dev/null && return 0; done
  return 1
}
tell() {
  for target in $targets; do kill -s "$1" -- "$target" 2>/dev/null; done
}
wait_for_end() {
  for second in $1; do left || exit 0; sleep 1; done
  left || exit 0
}
wait_for_end '1'
tell TERM
wait_for_end '1 2'
tell KILL
`;

/** Without file descriptors (EMFILE, ENFILE), Node returns a failed process without stdin. */
type Shell = Omit<ChildProcessByStdio<Writable, null, null>, 'stdin'> & { readonly stdin?: Writable };

/**
 * A shell of less than 1 MB that outlives the extension host by a few seconds and ends what it still watches, because the host can't do anything on
 * SIGKILL or when the machine runs out of memory. Started with the first target. POSIX only.
 * A target is what kill(2) takes: a PID, or a process group as a negative number.
 */
export class ProcessGuardian {
  private readonly targets = new Set<number>();
  private shell: Shell | undefined;

  /** Ends the target with this process from now on. */
  watch(target: number): void {
    if (process.platform === 'win32') return;
    this.targets.add(target);
    if (this.shell) this.shell.stdin?.write(`+ ${target}\n`);
    else this.start();
  }

  /** Called when the target has ended, because its number may be reused. */
  release(target: number): void {
    if (this.targets.delete(target)) this.shell?.stdin?.write(`- ${target}\n`);
  }

  /** Lets the shell exit after ending whatever it still watches. */
  dispose(): void {
    this.shell?.stdin?.end();
    this.shell = undefined;
  }

  private start(): void {
    const shell: Shell = spawn('/bin/sh', ['-c', script, 'agent-logs-guardian'], {
      stdio: ['pipe', 'ignore', 'ignore'],
      // Not hit by signals to our group, and doesn't block the removal of a folder.
      detached: true,
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
    });
    this.shell = shell;
    const end = (): void => {
      if (this.shell === shell) this.shell = undefined; // the next target starts another
    };
    shell.on('error', end); // no shell: agents only end on our exit event
    shell.once('exit', end);
    shell.stdin?.on('error', end);
    shell.unref();
    if (shell.stdin instanceof Socket) shell.stdin.unref();
    for (const target of this.targets) shell.stdin?.write(`+ ${target}\n`);
  }
}
