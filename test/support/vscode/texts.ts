import fs from 'node:fs';
import type * as vscode from 'vscode';
import { createFieldsClass } from './fields.ts';
import { Uri } from './uri.ts';

export class Position extends createFieldsClass<{ readonly line: number; readonly character: number }>('line', 'character') {}

export class Range extends createFieldsClass<{ readonly start: Position; readonly end: Position }>('start', 'end') {}

/** Opens a file from disk, or an untitled text; nothing edits it. */
export async function openTextDocument(asked: vscode.Uri | { content?: string }): Promise<vscode.TextDocument> {
	const file = asked instanceof Uri ? asked : undefined;
	const content = file ? await fs.promises.readFile(file.fsPath, 'utf8') : ((asked as { content?: string }).content ?? '');
	const starts = [0, ...[...content.matchAll(/\n/g)].map(({ index }) => index + 1)];
	const positionAt = (offset: number): Position => {
		const line = starts.findLastIndex(start => start <= offset);
		return new Position(line, offset - starts[line]!);
	};
	const getOffsetAt = ({ line, character }: Position): number => starts[line]! + character;
	const getText = (range?: Range): string => (range ? content.slice(getOffsetAt(range.start), getOffsetAt(range.end)) : content);
	const uri = file ?? Uri.parse('untitled:Untitled-1');
	const state = { isUntitled: !file, isDirty: false, isClosed: false, version: 1, lineCount: starts.length };
	return {
		uri,
		fileName: uri.fsPath,
		languageId: 'plaintext',
		...state,
		getText,
		positionAt,
		offsetAt: getOffsetAt,
	} as unknown as vscode.TextDocument;
}
