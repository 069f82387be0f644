/** Location of the thread code: a file next to this one in the bundle, or the TypeScript source. */
export const taskThreadFile = new URL(import.meta.url.endsWith('.ts') ? './taskThread.ts' : './taskThread.js', import.meta.url);
