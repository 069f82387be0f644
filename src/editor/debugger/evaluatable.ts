import * as vscode from 'vscode';
import { referencePattern } from '#agentFile/references.ts';

/** Matches a selector in YAML flow style on one line, such as `[node, variable, key]`. */
const selectorPattern = /\[\s*(["']?[\w-]+["']?(?:\s*,\s*["']?\w+["']?)+)\s*\]/g;

/** Returns the expression at a position for debug hovers, which is a whole `{{#…#}}` reference or a selector. */
export function findEvaluatable(document: vscode.TextDocument, position: vscode.Position): vscode.EvaluatableExpression | undefined {
	const { text } = document.lineAt(position);
	const found = findMatchAt(text, referencePattern, position.character);
	if (found) {
		return new vscode.EvaluatableExpression(toRange(found, position.line), found[0]);
	}
	const list = findMatchAt(text, selectorPattern, position.character);
	const names = list?.[1]?.split(',').map(each => each.trim().replace(/^["']|["']$/g, ''));
	return list && names && new vscode.EvaluatableExpression(toRange(list, position.line), `{{#${names.join('.')}#}}`);
}

function findMatchAt(text: string, pattern: RegExp, at: number): RegExpExecArray | undefined {
	return [...text.matchAll(pattern)].find(({ index, 0: whole }) => index <= at && at <= index + whole.length);
}

function toRange({ index, 0: whole }: RegExpExecArray, line: number): vscode.Range {
	return new vscode.Range(line, index, line, index + whole.length);
}
