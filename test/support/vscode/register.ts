// Loaded by mocha before the unit tests: resolves imports of `vscode` to the stand-in in this folder.
import { registerHooks } from 'node:module';

const standIn = new URL('./vscode.ts', import.meta.url).href;

registerHooks({
	resolve: (specifier, context, next) => (specifier === 'vscode' ? { url: standIn, shortCircuit: true } : next(specifier, context)),
});
