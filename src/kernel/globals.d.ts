/** What of WebAssembly is used: the types of Node.js lack it. */
declare namespace WebAssembly {
  class Memory {
    constructor(descriptor: { readonly initial: number });
    readonly buffer: ArrayBuffer;
    /** @param pages of 64 KiB */
    grow(pages: number): number;
  }
  class Instance {
    constructor(module: object, imports: object);
    readonly exports: Readonly<Record<string, unknown>>;
  }
  const Module: new (bytes: Uint8Array) => object;
}
