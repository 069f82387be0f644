/** Where the code of the engine's threads is: the bundle has it as a file beside this one; from source it is TypeScript. */
export const taskThreadFile = new URL(import.meta.url.endsWith('.ts') ? './taskThread.ts' : './taskThread.js', import.meta.url);
