import type { ChildProcessByStdio } from 'node:child_process';
import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';

/**
 * Keeps a list of process groups. When its standard input ends, whoever started it is gone, in whatever way: the groups get a moment to
 * notice that too, then SIGTERM, then SIGKILL. POSIX Shell Command Language, and nothing that is not built into a shell but `sleep`.
 */
const script = `
trap '' HUP INT TERM
groups=' '
while read -r sign group; do
  case $sign in
    +) groups="$groups$group " ;;
    -) case $groups in *" $group "*) groups="\${groups%% $group *} \${groups#* $group }" ;; esac ;;
  esac
done
left() {
  for group in $groups; do kill -0 "-$group" 2>/dev/null && return 0; done
  return 1
}
tell() {
  for group in $groups; do kill -s "$1" -- "-$group" 2>/dev/null; done
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

/** Node gives one that could not be started for want of file descriptors no standard input (EMFILE, ENFILE). */
type Shell = Omit<ChildProcessByStdio<Writable, null, null>, 'stdin'> & { readonly stdin?: Writable };

/**
 * A shell of less than 1 MB that outlives us by a few seconds, and ends the process groups that are still there: nothing that we could do
 * ourselves happens on SIGKILL, or when the machine runs out of memory. It is started with the first group. POSIX only: Windows has no groups.
 */
export class ProcessGuardian {
  private readonly groups = new Set<number>();
  private shell: Shell | undefined;

  /** From now on the group ends with us. */
  watch(group: number): void {
    if (process.platform === 'win32') return;
    this.groups.add(group);
    if (this.shell) this.shell.stdin?.write(`+ ${group}\n`);
    else this.start();
  }

  /** The group has ended: its number may soon be somebody else's. */
  release(group: number): void {
    if (this.groups.delete(group)) this.shell?.stdin?.write(`- ${group}\n`);
  }

  /** Lets the shell end, after whatever it still watches. */
  dispose(): void {
    this.shell?.stdin?.end();
    this.shell = undefined;
  }

  private start(): void {
    const shell: Shell = spawn('/bin/sh', ['-c', script, 'agent-logs-guardian'], {
      stdio: ['pipe', 'ignore', 'ignore'],
      // Neither a signal to our own group nor a folder that is to be removed is its business.
      detached: true,
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
    });
    this.shell = shell;
    const end = (): void => {
      if (this.shell === shell) this.shell = undefined; // the next group starts another
    };
    shell.on('error', end); // no shell: agents end with our exit event only
    shell.once('exit', end);
    shell.stdin?.on('error', end);
    shell.unref();
    if (shell.stdin instanceof Socket) shell.stdin.unref();
    for (const group of this.groups) shell.stdin?.write(`+ ${group}\n`);
  }
}
