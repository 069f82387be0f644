import { Script } from 'node:vm';

/** Creates the sandbox program of an expression, or of statements that `return` a value. */
export function expressionProgram(text: string): string {
	const asValue = program(`return (${text}\n);`);
	return compiles(asValue) || !/\breturn\b/.test(text) ? asValue : program(text);
}

// starts on the first line, so that errors have the right line numbers
function program(body: string): string {
	return `const main = async ({ outputs, nodes, run, row }) => { ${body}\n};`;
}

function compiles(source: string): boolean {
	try {
		new Script(source);
		return true;
	} catch {
		return false;
	}
}
