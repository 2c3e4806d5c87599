import { ErrorCodes, ResponseError } from 'vscode-jsonrpc/node';
import { oneLine } from '../../log/text';
import type { JsonObject } from '../../protocols/json';
import { arrayOf, objectOf, textOf } from '../../protocols/json';
import type { LspMessages } from './lspMessages';
import { sectionOf } from './lspSettings';

/** Limits on what a server may ask for in one request. */
const maxSection = 200;
const maxSections = 1000;

export interface LspFolder {
  readonly uri: string;
  readonly name: string;
}

export interface LspAnswersOptions {
  /** The client's name, for refusals. */
  readonly title: string;
  readonly folders: readonly LspFolder[];
  readonly messages: LspMessages;
  /** The settings at the current level. */
  readonly settings: () => JsonObject;
}

/** Answers a server's requests without side effects. */
export class LspAnswers {
  constructor(private readonly options: LspAnswersOptions) {}

  /** Returns a result or a `ResponseError`. */
  answer(method: string, params: unknown): unknown {
    switch (method) {
      case 'window/showMessageRequest':
        return this.options.messages.show(params);
      case 'workspace/configuration':
        return this.sections(params);
      case 'workspace/workspaceFolders':
        return this.options.folders;
      case 'window/workDoneProgress/create':
      case 'client/registerCapability':
      case 'client/unregisterCapability':
        return null;
      case 'window/showDocument':
        return { success: false };
      case 'workspace/applyEdit':
        return { applied: false, failureReason: this.refusal(method) };
      default:
        return method.endsWith('/refresh') ? null : new ResponseError(ErrorCodes.MethodNotFound, this.refusal(method));
    }
  }

  private sections(params: unknown): unknown[] {
    const settings = this.options.settings();
    return arrayOf(objectOf(params)['items'])
      .slice(0, maxSections)
      .map((item) => sectionOf(settings, (textOf(objectOf(item)['section']) ?? '').slice(0, maxSection)));
  }

  private refusal(method: string): string {
    return `${this.options.title} declines ${oneLine(method, 100)}: it only shows what happens.`;
  }
}
