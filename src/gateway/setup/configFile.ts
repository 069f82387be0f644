import { readFileSync } from 'node:fs';
import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type * as z from 'zod';
import { SettingError } from './flags.ts';

/**
 * Reads a JSON file (comments allowed) and checks it against its schema. Throws a {@link SettingError} with the file, line and problem. It
 * never quotes a value, because values may be keys.
 */
export function readJsonFile<S extends z.ZodType>(file: string, schema: S): z.output<S> {
	const text = readText(file);
	const errors: ParseError[] = [];
	const tree = parseTree(text, errors);
	const [error] = errors;
	if (!tree || error) {
		const problem = error ? printParseErrorCode(error.error) : 'the file is empty';
		throw new SettingError(`${file}:${getLineNumber(text, error?.offset ?? 0)}: not valid JSON (${problem}).`);
	}
	const result = schema.safeParse(toValue(tree));
	if (result.success) {
		return result.data;
	}
	const issue = result.error.issues[0];
	const path = (issue?.path ?? []).map(part => (typeof part === 'symbol' ? String(part) : part));
	const line = getLineNumber(text, findNearestNode(tree, path).offset);
	throw new SettingError(
		`${file}:${line}: ${path.length > 0 ? `${path.join('.')}: ` : ''}${lowercaseFirst(issue?.message ?? 'not valid')}.`,
	);
}

function readText(file: string): string {
	try {
		return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
	} catch (error) {
		throw new SettingError(`Couldn't read ${file} (${error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'}).`);
	}
}

function toValue(node: Node): unknown {
	if (node.type === 'array') {
		return (node.children ?? []).map(toValue);
	}
	if (node.type !== 'object') {
		return node.value;
	}
	const entries = (node.children ?? []).map(property => [property.children?.[0]?.value, property.children?.[1]] as const);
	return Object.fromEntries(entries.flatMap(([name, value]) => (value ? [[name, toValue(value)]] : [])));
}

/** Returns the node at a path, or its closest existing ancestor. */
function findNearestNode(tree: Node, path: readonly (string | number)[]): Node {
	for (let length = path.length; length > 0; length--) {
		const node = findNodeAtLocation(tree, path.slice(0, length));
		if (node) {
			return node;
		}
	}
	return tree;
}

function getLineNumber(text: string, offset: number): number {
	return text.slice(0, offset).split('\n').length;
}

function lowercaseFirst(text: string): string {
	return text.charAt(0).toLowerCase() + text.slice(1);
}
