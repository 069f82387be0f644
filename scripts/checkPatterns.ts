// Fails if a regular expression in src/ can take more than linear time (CONTRIBUTING.md, "How we write").
import {
	isCallExpression,
	isIdentifier,
	isNewExpression,
	isRegularExpressionLiteral,
	isStringLiteral,
	type Node,
} from 'typescript/unstable/ast';
import { allowedPatterns, builtPatterns } from './lib/allowedPatterns.ts';
import { findSlowness } from './lib/slowPattern.ts';
import { visitSourceFiles } from './lib/sourceFiles.ts';

/** A regular expression in a file. It has no `pattern` if it is built at run time. */
interface Found {
	readonly file: string;
	readonly line: number;
	readonly pattern?: RegExp;
}

function findPatterns(): readonly Found[] {
	const found: Found[] = [];
	visitSourceFiles((file, source) => found.push(...findPatternsInFile(source, source.text, file)));
	return found;
}

function findPatternsInFile(source: Node, text: string, file: string): readonly Found[] {
	const found: Found[] = [];
	const addPattern = (node: Node, pattern?: RegExp) =>
		found.push({ file, line: text.slice(0, node.end).split('\n').length, ...(pattern && { pattern }) });
	const visitNode = (node: Node): undefined => {
		if (isRegularExpressionLiteral(node)) {
			const end = node.text.lastIndexOf('/');
			addPattern(node, new RegExp(node.text.slice(1, end), node.text.slice(end + 1)));
		} else if ((isNewExpression(node) || isCallExpression(node)) && isIdentifier(node.expression) && node.expression.text === 'RegExp') {
			const [pattern, flags] = node.arguments ?? [];
			const isFixed = pattern && isStringLiteral(pattern) && (!flags || isStringLiteral(flags));
			addPattern(node, isFixed ? new RegExp(pattern.text, flags && isStringLiteral(flags) ? flags.text : '') : undefined);
		}
		node.forEachChild(visitNode);
	};
	visitNode(source);
	return found;
}

/** Returns one sentence for each slow pattern that isn't listed in allowedPatterns.ts, and for each unused entry there. */
function findViolations(patterns: readonly Found[]): readonly string[] {
	const unused = new Set([...Object.keys(allowedPatterns), ...Object.keys(builtPatterns)]);
	const faults: string[] = [];
	for (const { file, line, pattern } of patterns) {
		const slowness = pattern && findSlowness(pattern);
		if (pattern && !slowness) {
			continue;
		}
		const entry = pattern ? `${file} ${pattern}` : file;
		if (!Object.hasOwn(pattern ? allowedPatterns : builtPatterns, entry)) {
			faults.push(
				pattern
					? `${file}:${line}: ${pattern} takes ${slowness} time on some text: rewrite it, or use indexOf`
					: `${file}:${line}: a pattern is built here: list it in scripts/lib/allowedPatterns.ts with the reason why it is never slow`,
			);
		}
		unused.delete(entry);
	}
	return [...faults, ...[...unused].map(entry => `scripts/lib/allowedPatterns.ts: nothing needs the entry "${entry}"`)];
}

const patterns = findPatterns();
const faults = patterns.length > 0 ? findViolations(patterns) : ['no pattern was found at all: the check does not work'];
for (const line of faults) {
	console.error(line);
}
process.exitCode = faults.length > 0 ? 1 : 0;
