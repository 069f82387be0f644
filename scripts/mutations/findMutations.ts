import {
	isBinaryExpression,
	isBlock,
	isCallExpression,
	isConditionalExpression,
	isExpressionStatement,
	isFunctionDeclaration,
	isIdentifier,
	isIfStatement,
	isImportDeclaration,
	isMethodDeclaration,
	isNewExpression,
	isNumericLiteral,
	isPropertyAccessExpression,
	isPropertyAssignment,
	isStringLiteral,
	isTypeNode,
	type Node,
	SyntaxKind,
} from 'typescript/unstable/ast';
import { createRandomNumbers } from '../lib/randomNumbers.ts';

/** Kinds of mutations. */
export const mutationKinds = ['comparison', 'condition', 'logic', 'removed call', 'number', 'early return', 'empty string'] as const;

/** A small change of a source file that its tests should notice. */
export interface Mutation {
	readonly kind: (typeof mutationKinds)[number];
	/** Relative to the checkout. */
	readonly file: string;
	/** Offsets of the replaced text. */
	readonly start: number;
	readonly end: number;
	readonly replacement: string;
}

const flipped = new Map<SyntaxKind, string>([
	[SyntaxKind.LessThanToken, '<='],
	[SyntaxKind.LessThanEqualsToken, '<'],
	[SyntaxKind.GreaterThanToken, '>='],
	[SyntaxKind.GreaterThanEqualsToken, '>'],
	[SyntaxKind.EqualsEqualsEqualsToken, '!=='],
	[SyntaxKind.ExclamationEqualsEqualsToken, '==='],
]);

const swapped = new Map<SyntaxKind, string>([
	[SyntaxKind.AmpersandAmpersandToken, '||'],
	[SyntaxKind.BarBarToken, '&&'],
]);

/** Numbers above this are time limits and sizes, where one more makes no difference that anybody could name. */
const largestNumber = 100;

/** Calls whose arguments are sentences: messages, errors and lines of the log. */
const sentenceCalls = /^(t|fill\w*|info|warn|error|debug|log|describe\w*)$/;
/** Names of properties whose values are sentences. */
const sentenceProperties = /^(title|text|label|summary|message|description|detail|tooltip|placeholder|hint|help|comment|hover)$/i;

/** Finds all mutations of a source file: in code only, not in comments, types and sentences. */
export function findMutations(file: string, source: Node, text: string): readonly Mutation[] {
	const found: Mutation[] = [];
	const add = (kind: Mutation['kind'], node: Node, replacement: string) =>
		found.push({ kind, file, start: node.getStart(), end: node.end, replacement });
	const getText = (node: Node): string => text.slice(node.getStart(), node.end);
	const visitNode = (node: Node): undefined => {
		if (isTypeNode(node) || isImportDeclaration(node)) {
			return;
		}
		if (isBinaryExpression(node)) {
			const { operatorToken } = node;
			const flip = flipped.get(operatorToken.kind);
			const swap = swapped.get(operatorToken.kind);
			// a swapped operator next to another one needs parentheses, or its meaning depends on precedence
			if (flip) {
				add('comparison', operatorToken, flip);
			} else if (swap) {
				add('logic', node, `((${getText(node.left)}) ${swap} (${getText(node.right)}))`);
			}
		} else if (isIfStatement(node)) {
			add('condition', node.expression, `!(${getText(node.expression)})`);
		} else if (isConditionalExpression(node)) {
			add('condition', node.condition, `!(${getText(node.condition)})`);
		} else if (isExpressionStatement(node) && isCallExpression(node.expression) && getText(node.expression.expression) !== 'super') {
			add('removed call', node, '{}');
		} else if (isNumericLiteral(node) && Number(node.text) <= largestNumber) {
			add('number', node, String(Number(node.text) + 1));
		} else if (isStringLiteral(node) && /^[\w./:#-]+$/.test(node.text) && !isInSentence(node)) {
			add('empty string', node, "''");
		} else if (
			(isMethodDeclaration(node) || isFunctionDeclaration(node)) &&
			node.body &&
			isBlock(node.body) &&
			isWithoutResult(node.type)
		) {
			found.push({ kind: 'early return', file, start: node.body.getStart() + 1, end: node.body.getStart() + 1, replacement: ' return;' });
		}
		node.forEachChild(visitNode);
	};
	visitNode(source);
	return found;

	function isWithoutResult(type: Node | undefined): boolean {
		return type !== undefined && /^(void|Promise<void>)$/.test(getText(type));
	}
}

/** True if a string is part of a message: words of one sentence are chosen by people, not by tests. */
function isInSentence({ parent }: Node): boolean {
	if (isNewExpression(parent)) {
		return true;
	}
	if (isCallExpression(parent)) {
		const called = isPropertyAccessExpression(parent.expression) ? parent.expression.name : parent.expression;
		return isIdentifier(called) && sentenceCalls.test(called.text);
	}
	return isPropertyAssignment(parent) && isIdentifier(parent.name) && sentenceProperties.test(parent.name.text);
}

/** Returns the mutated text of the file. */
export function applyMutation({ start, end, replacement }: Mutation, text: string): string {
	return `${text.slice(0, start)}${replacement}${text.slice(end)}`;
}

/** Picks this many different mutations, each from a random kind. The same seed picks the same ones. */
export function pickMutations(all: readonly Mutation[], count: number, seed: number): readonly Mutation[] {
	const random = createRandomNumbers(seed);
	const pools = mutationKinds.map(kind => all.filter(mutation => mutation.kind === kind));
	const picked: Mutation[] = [];
	while (picked.length < count && pools.some(pool => pool.length > 0)) {
		const pool = pools[Math.floor(random() * pools.length)]!;
		picked.push(...pool.splice(Math.floor(random() * pool.length), 1));
	}
	return picked;
}
