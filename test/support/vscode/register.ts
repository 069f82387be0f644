// Loaded by mocha before the unit tests: what they import as `vscode` is the stand-in beside this file.
import { registerHooks } from 'node:module';

const standIn = new URL('./vscode.ts', import.meta.url).href;

registerHooks({
	resolve: (specifier, context, next) => (specifier === 'vscode' ? { url: standIn, shortCircuit: true } : next(specifier, context)),
});
