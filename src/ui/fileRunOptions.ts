import type { FileRunOptions } from '../runs/fileRun';
import type { Configuration } from './configuration';

/** How a file is read, within the limits of the settings. Our own journals have no secrets any more; a file of others may. */
export function fileRunOptions(configuration: Configuration, isOwn: boolean): FileRunOptions {
  return {
    level: configuration.level,
    maxMemory: configuration.maxMemory,
    ...(configuration.redacts && !isOwn && { redaction: { patterns: configuration.redactionPatterns } }),
  };
}
