import { Script } from 'node:vm';

/** Creates the sandbox program of an expression, or of statements that `return` a value. */
export function createExpressionProgram(text: string): string {
	const asValue = wrapProgram(`return (${text}\n);`);
	return canCompileProgram(asValue) || !/\breturn\b/.test(text) ? asValue : wrapProgram(text);
}

// starts on the first line, so that errors have the right line numbers
function wrapProgram(body: string): string {
	return `const main = async ({ outputs, nodes, run, row }) => { ${body}\n};`;
}

function canCompileProgram(source: string): boolean {
	try {
		new Script(source);
		return true;
	} catch {
		return false;
	}
}
