import { Script } from 'node:vm';

/** The program that the sandbox runs for an expression, or for statements that `return` a value. */
export function expressionProgram(text: string): string {
	const asValue = program(`return (${text}\n);`);
	return compiles(asValue) || !/\breturn\b/.test(text) ? asValue : program(text);
}

// on the first line: errors name lines of the text
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
