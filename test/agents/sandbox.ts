import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A home, a project, a folder for temporary files and two for journals that nobody has used before. */
export class Sandbox {
  readonly home: string;
  readonly project: string;
  readonly temp: string;
  /** Of our own journals. */
  readonly journals: string;
  /** Of those that taps write. */
  readonly taps: string;

  /** @param root an empty folder */
  constructor(root: string) {
    this.home = join(root, 'home');
    this.project = join(root, 'project');
    this.temp = join(root, 'tmp');
    this.journals = join(root, 'journals');
    this.taps = join(root, 'taps');
    for (const folder of [this.home, this.project, this.temp]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(this.project, 'README.md'), '# A project\n');
  }

  /** Writes a file into the home. */
  write(path: string, text: string): void {
    const file = join(this.home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** Makes sandboxes in one temporary folder, which is gone when this process is. */
export class Sandboxes {
  private readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'agent-logs-')));
  private count = 0;

  constructor() {
    process.once('exit', () => {
      rmSync(this.root, { recursive: true, force: true, maxRetries: 3 });
    });
  }

  /** A folder for what all of them share. */
  get common(): string {
    return this.root;
  }

  next(): Sandbox {
    return new Sandbox(join(this.root, String(++this.count)));
  }
}
