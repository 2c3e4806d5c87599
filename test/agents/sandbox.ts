import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** New folders for a home directory, a project, temporary files and two kinds of journals. */
export class Sandbox {
  readonly home: string;
  readonly project: string;
  readonly temp: string;
  /** The extension's journals. */
  readonly journals: string;
  /** The taps' journals. */
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

  /** Writes a file to the home directory. */
  write(path: string, text: string): void {
    const file = join(this.home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** Creates sandboxes in one temporary folder, which is deleted when this process exits. */
export class Sandboxes {
  private readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'agent-logs-')));
  private count = 0;

  constructor() {
    process.once('exit', () => {
      rmSync(this.root, { recursive: true, force: true, maxRetries: 3 });
    });
  }

  /** A folder that all sandboxes share. */
  get common(): string {
    return this.root;
  }

  next(): Sandbox {
    return new Sandbox(join(this.root, String(++this.count)));
  }
}
